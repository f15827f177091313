#include "dashpot/scene/simulate.hpp"

#include <filesystem>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

/// A mixture of old and new results under their final names would lie about both.
void remove_old_results(const std::string& folder) {
  for (const char* name :
       {"report.html", "summary.json", "scene.json", "ledger.csv", "probes.csv", "frames.dpf", "checkpoint.dpc"})
    for (const char* suffix : {"", ".partial"}) {
      std::error_code ignored;
      std::filesystem::remove(folder + "/" + name + suffix, ignored);
    }
}

/// The file under its final name, or what a diverged run left of it.
analysis::CsvTable read_back(const std::string& path) {
  return analysis::read_csv(std::filesystem::exists(path) ? path : path + ".partial");
}

std::vector<ProbeRing> measure_probes(const std::vector<Probe>& probes, const analysis::CsvTable& table) {
  std::vector<ProbeRing> rings;
  for (const Probe& probe : probes) {
    try {
      const std::size_t column = table.liveliest({probe.name + ".x", probe.name + ".y", probe.name + ".z"});
      rings.push_back(
          {probe.name, table.columns[column], analysis::measure_ring_down(table.column("time"), table.values[column])});
    } catch (const Error&) {
      // A probe that rests, or is recorded too rarely to show a cycle, has no damping to report.
    }
  }
  return rings;
}

}  // namespace

double RunOutcome::final_value(const std::string& column) const { return ledger.column(column).back(); }
double RunOutcome::first_value(const std::string& column) const { return ledger.column(column).front(); }

std::vector<std::string> RunOutcome::columns_beginning(const std::string& prefix) const {
  std::vector<std::string> names;
  for (const std::string& name : ledger.columns)
    if (name.rfind(prefix, 0) == 0) names.push_back(name);
  return names;
}

double RunOutcome::initial_energy() const {
  double sum = first_value("kinetic") + first_value("gravity");
  for (const std::string& column : columns_beginning("elastic.")) sum += first_value(column);
  return sum;
}

double RunOutcome::final_energy() const {
  double sum = final_value("kinetic") + final_value("gravity");
  for (const std::string& column : columns_beginning("elastic.")) sum += final_value(column);
  return sum;
}

RunOutcome simulate(const CompiledScene& scene, const RunHooks& hooks) {
  const std::string& folder = scene.run.folder;
  create_folder(folder);
  if (!scene.run.resume) remove_old_results(folder);
  write_file_atomically(folder + "/scene.json", filled_in(scene.spec));

  RunOutcome outcome;
  State state = scene.start;
  EnergyLedger ledger(*scene.system, state);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  outcome.result = run(*scene.system, state, *stepper, ledger, scene.run, hooks);
  outcome.time = state.time;
  outcome.state_hash = state.hash();
  if (outcome.result.status == RunStatus::interrupted) return outcome;
  outcome.ledger = read_back(folder + "/ledger.csv");
  if (!scene.run.probes.empty()) {
    outcome.probes = read_back(folder + "/probes.csv");
    outcome.rings = measure_probes(scene.run.probes, outcome.probes);
  }
  return outcome;
}

}  // namespace dashpot
