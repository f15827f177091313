#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "damping_cases.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/scene/report/entered_energy.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "output_folder.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct FinishedCase {
  DampingCase what;
  std::string folder;
  std::unique_ptr<CompiledScene> scene;
  MeasuredRun outcome;
};

std::string folder_name(std::size_t number, const std::string& name) {
  std::string result = fmt::format("{:02d}_", number + 1);
  for (const char c : name.substr(0, 40)) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

double taken_by_damping(const MeasuredRun& outcome) {
  double sum = 0;
  for (const std::string& column : outcome.run.ledger.columns_beginning("damping."))
    sum += outcome.run.final_value(column);
  return sum;
}

void print_table(const std::vector<FinishedCase>& cases, const std::optional<MeasuredOverlay>& measured,
                 const Console& console) {
  TextTable table({"run", "f [Hz]", "ζ asked", "ζ measured", "±", "energy left", "by damping", "by integrator"});
  ordered_json runs = ordered_json::array();
  for (const FinishedCase& entry : cases) {
    const MeasuredRun& outcome = entry.outcome;
    const bool rings = !outcome.rings.empty();
    const double f = rings ? outcome.rings.front().ring.frequency : NAN,
                 zeta = rings ? outcome.rings.front().ring.zeta : NAN;
    const double deviation = rings ? outcome.rings.front().ring.zeta_deviation : NAN;
    const double start = outcome.run.initial_energy();
    const EnteredEnergy energy = entered_energy(outcome.run);
    const auto share = [&](double part) {
      return energy.entered > 0 ? fmt::format("{:.1f} %", 100 * part / energy.entered) : "-";
    };
    table.add({entry.what.name, number_text(f, 3),
               entry.what.asked_zeta > 0 ? number_text(entry.what.asked_zeta, 3) : "-", number_text(zeta, 3),
               number_text(deviation, 3), share(energy.left), share(taken_by_damping(outcome)),
               share(outcome.run.final_value("numerical"))});
    runs.push_back({{"name", entry.what.name},
                    {"folder", entry.folder},
                    {"status", to_string(outcome.run.status)},
                    {"frequency", f},
                    {"asked_zeta", entry.what.asked_zeta},
                    {"zeta", zeta},
                    {"zeta_deviation", deviation},
                    {"initial_energy", start},
                    {"final_energy", outcome.run.final_energy()},
                    {"taken_by_damping", taken_by_damping(outcome)},
                    {"taken_by_integrator", outcome.run.final_value("numerical")}});
  }
  ordered_json json = {{"runs", runs}};
  if (measured) {
    const analysis::RingDown& ring = measured->ring;
    table.add({"measured", number_text(ring.frequency, 3), "-", number_text(ring.zeta, 3),
               number_text(ring.zeta_deviation, 3), "-", "-", "-"});
    json["measured"] = {{"name", measured->name},
                        {"frequency", ring.frequency},
                        {"zeta", ring.zeta},
                        {"zeta_deviation", ring.zeta_deviation},
                        {"initial_amplitude", ring.initial_amplitude}};
  }
  console.print(table.text());
  console.print_json(json);
}

}  // namespace

int run_comparison(const ComparisonRequest& request, const Console& console) {
  const FolderLock whole_folder = hold_output_folder(request.folder, console);
  if (!request.may_hold_others) require_comparison_folder(request.folder);
  const auto start = std::chrono::steady_clock::now();
  std::vector<FinishedCase> cases;
  int code = exit_ok;
  for (std::size_t i = 0; i < request.cases.size(); ++i) {
    FinishedCase entry{request.cases[i], request.folder + "/" + folder_name(i, request.cases[i].name), nullptr, {}};
    const FolderLock run_folder = hold_output_folder(entry.folder, console);
    std::optional<CompiledScene> built = compile_with_progress(request.load(entry.what.changes), console);
    if (!built) return exit_interrupted;
    entry.scene = std::make_unique<CompiledScene>(std::move(*built));
    const std::string title = fmt::format("{}/{} {}", i + 1, request.cases.size(), entry.what.name);
    entry.outcome = run_with_progress(entry.folder, run_folder, *entry.scene, {}, title, console);
    if (entry.outcome.run.status == RunStatus::interrupted) {
      console.message(fmt::format("{}: {}", entry.what.name, entry.outcome.run.explanation));
      return exit_interrupted;
    }
    if (entry.outcome.run.status == RunStatus::diverged) {
      console.error(fmt::format("{} diverged: {}", entry.what.name, entry.outcome.run.explanation));
      code = exit_diverged;
    }
    write_run_report(entry.folder, *entry.scene, entry.outcome, request.provenance);
    cases.push_back(std::move(entry));
  }
  std::vector<ComparedRun> compared;
  for (const FinishedCase& entry : cases)
    compared.push_back({entry.what.name, entry.scene.get(), &entry.outcome, entry.what.asked_zeta});
  const std::string report = request.folder + "/report.html";
  render::Report page = comparison_report(request.title, compared, request.provenance);
  if (request.measured) page.sections.insert(page.sections.begin() + 1, overlay_section(*request.measured, compared));
  write_file_atomically(report, render::to_html(page));
  print_table(cases, request.measured, console);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  console.message(fmt::format("{:.0f} s; the report with plots and every ledger: {}", seconds, report));
  return code;
}

}  // namespace dashpot::cli
