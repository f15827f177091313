#include "dashpot/record/run_result.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot {
namespace {

/// Kinetic, elastic and gravitational energy in one row of the ledger [J].
double stored_energy(const Table& ledger, std::size_t row) {
  double sum = ledger.column("kinetic")[row] + ledger.column("gravity")[row];
  for (const std::string& column : ledger.columns_beginning("elastic.")) sum += ledger.column(column)[row];
  return sum;
}

}  // namespace

std::string to_string(RunStatus status) {
  return status == RunStatus::finished ? "finished" : status == RunStatus::interrupted ? "interrupted" : "diverged";
}

const Table& RunResult::table(RunTable which) const {
  return which == RunTable::ledger   ? ledger
         : which == RunTable::probes ? probes
         : which == RunTable::loads  ? loads
                                     : contacts;
}

Table& RunResult::table(RunTable which) { return const_cast<Table&>(std::as_const(*this).table(which)); }

Table RunResult::probe(const std::string& name) const {
  Table track;
  track.name = name;
  std::vector<std::string> known;
  for (std::size_t c = 0; c < probes.columns.size(); ++c) {
    const std::string& column = probes.columns[c];
    if (column.ends_with(".vx")) known.push_back(column.substr(0, column.size() - 3));
    const std::size_t dot = column.rfind('.');
    if (column != "time" && (dot == std::string::npos || column.substr(0, dot) != name)) continue;
    track.add_column(column, probes.units[c]);
    track.values.back() = probes.values[c];
  }
  if (track.columns.size() == 7) return track;
  const std::string near = nearest_name(name, known);
  throw Error(Problem{"probes", fmt::format("no probe '{}'", name),
                      known.empty() ? "a scene with probes" : fmt::format("one of {}", fmt::join(known, ", ")),
                      near.empty() ? "" : fmt::format("Did you mean '{}'?", near)});
}

double RunResult::initial_energy() const { return stored_energy(ledger, 0); }
double RunResult::final_energy() const { return stored_energy(ledger, ledger.num_rows() - 1); }

std::vector<std::string> created_energy_warnings(const Table& ledger) {
  const auto final_value = [&](const std::string& column) { return ledger.column(column).back(); };
  std::vector<std::string> columns = ledger.columns_beginning("damping."), warnings;
  for (const std::string& column : ledger.columns_beginning("friction")) columns.push_back(column);
  double moved = std::abs(final_value("external"));
  for (const std::string& column : columns) moved += std::abs(final_value(column));
  for (const char* column : {"contact", "numerical"}) moved += std::abs(final_value(column));
  for (const std::string& column : columns) {
    const double taken = final_value(column);
    if (taken >= -0.01 * moved) continue;
    warnings.push_back(fmt::format(
        "{} has created {} instead of taking energy: the step is too long for it. Take a shorter dt{} or an implicit "
        "stepper.",
        column, describe_quantity(-taken, Quantity::energy), column == "friction" ? ", a larger slip_speed" : ""));
  }
  return warnings;
}

}  // namespace dashpot
