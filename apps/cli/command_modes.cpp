// `dashpot modes SCENE`: frequencies, what each damping does to each mode, and what the integrator adds at this dt.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct ModesCommandOptions {
  std::string scene;
  int num_modes = 10;
  bool at_start = false;
  std::string amplitude;  ///< largest displacement, with its unit; empty: vanishing
  std::vector<std::string> settings;
};

/// One vibration mode and everything that damps it.
struct ModeRow {
  double frequency = 0;  ///< [Hz]
  std::vector<analysis::ModalDamping> dampings;
  double model_zeta = 0;  ///< sum of the dampings
  analysis::NumericalDamping integrator;
};

/// Farthest that a point of the system moves with coordinates `shape` [m].
double largest_displacement(const System& system, const State& state, const Vector& shape) {
  std::vector<Vec3> moved;
  system.kinematics().velocities(state.q, shape, moved);
  double most = 0;
  for (const Vec3& u : moved) most = std::max(most, u.norm());
  return most;
}

/// amplitude: largest displacement [m]; 0: vanishing.
std::vector<ModeRow> make_rows(const CompiledScene& scene, const State& state, const ModesResult& modes,
                               double amplitude) {
  const Integrator& stepper = scene.spec.time.stepper;
  std::vector<ModeRow> rows;
  for (int i = 0; i < modes.size(); ++i) {
    if (!(modes.lambda[i] > 0) || i < modes.num_unstable + modes.num_rigid) continue;
    const double of_energies = std::sqrt(modes.lambda[i]);
    ModeRow row;
    const Vector shape = modes.shapes.col(i);
    const double a = amplitude > 0 ? amplitude / largest_displacement(*scene.system, state, shape) : 0;
    const double omega = analysis::omega_with_memory(*scene.system, state, shape, of_energies, a);
    row.frequency = omega == of_energies ? modes.frequencies[i] : omega / (2 * std::numbers::pi);
    row.dampings = analysis::modal_damping(*scene.system, state, shape, of_energies, scene.run.dt, a);
    for (const analysis::ModalDamping& damping : row.dampings) row.model_zeta += damping.zeta;
    row.integrator = analysis::numerical_damping(stepper, omega * scene.run.dt, std::min(row.model_zeta, 0.999));
    rows.push_back(row);
  }
  return rows;
}

std::string rows_text(const std::vector<ModeRow>& rows) {
  std::vector<std::string> header = {"mode", "frequency [Hz]"};
  if (!rows.empty())
    for (const analysis::ModalDamping& damping : rows.front().dampings) header.push_back("ζ " + damping.name);
  header.insert(header.end(), {"ζ of the model", "ζ of integrator", "ζ you will see", "period longer by"});
  TextTable table(header);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ModeRow& row = rows[i];
    std::vector<std::string> cells = {fmt::format("{}", i + 1), fmt::format("{:.5g}", row.frequency)};
    for (const analysis::ModalDamping& damping : row.dampings) cells.push_back(number_text(damping.zeta));
    cells.push_back(row.model_zeta >= 1 ? number_text(row.model_zeta) + " (no swing)" : number_text(row.model_zeta));
    if (row.integrator.is_stable)
      cells.insert(cells.end(), {number_text(row.integrator.numerical_zeta), number_text(row.integrator.zeta),
                                 std::isfinite(row.integrator.period_elongation)
                                     ? fmt::format("{:.3g} %", 100 * row.integrator.period_elongation)
                                     : "-"});
    else
      cells.insert(cells.end(), {"unstable", "grows", "-"});
    table.add(cells);
  }
  return table.text();
}

ordered_json rows_json(const std::vector<ModeRow>& rows) {
  ordered_json list = ordered_json::array();
  for (const ModeRow& row : rows) {
    ordered_json dampings;
    for (const analysis::ModalDamping& damping : row.dampings) dampings[damping.name] = damping.zeta;
    list.push_back({{"frequency", row.frequency},
                    {"dampings", dampings},
                    {"model_zeta", row.model_zeta},
                    {"numerical_zeta", row.integrator.numerical_zeta},
                    {"total_zeta", row.integrator.zeta},
                    {"period_elongation", row.integrator.period_elongation},
                    {"stable", row.integrator.is_stable}});
  }
  return list;
}

int modes(const ModesCommandOptions& options, const Console& console) {
  const std::optional<CompiledScene> built =
      compile_with_progress(load_scene_file(options.scene, read_overrides(options.settings), console), console);
  if (!built) return exit_interrupted;
  const CompiledScene& scene = *built;
  const State state = options.at_start ? scene.start : scene.system->initial_state();
  const ModesResult result = system_modes(*scene.system, state, {.num_modes = options.num_modes});
  const double amplitude = length_option("--amplitude", options.amplitude);
  const std::vector<ModeRow> rows = make_rows(scene, state, result, amplitude);
  if (result.num_rigid > 0) console.message(fmt::format("{} rigid motions (0 Hz) are not listed", result.num_rigid));
  if (result.num_unstable > 0)
    console.warning(fmt::format("{} directions are unstable at this shape: it would buckle", result.num_unstable));
  if (!result.converged) console.warning("the search for modes stopped early; the last ones may be inexact");
  announce_damping(scene, console);
  console.print(rows_text(rows));
  if (analysis::depends_on_amplitude(*scene.system))
    console.print(amplitude > 0 ? fmt::format("ζ of the model: mean over a cycle whose largest displacement is {}",
                                              describe_quantity(amplitude, Quantity::length, 3))
                                : "ζ of the model: at vanishing amplitude; --amplitude \"5 mm\" shows it at another");
  console.print_json({{"input", input_stamp(options.scene)},
                      {"linearized_at", options.at_start ? "start" : "rest"},
                      {"stepper", scene.spec.time.stepper.name()},
                      {"dt", scene.run.dt},
                      {"amplitude", amplitude},
                      {"num_rigid", result.num_rigid},
                      {"num_unstable", result.num_unstable},
                      {"modes", rows_json(rows)}});
  return exit_ok;
}

}  // namespace

void setup_modes(CLI::App& app, Session& session) {
  auto o = std::make_shared<ModesCommandOptions>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  app.add_option("-n,--number", o->num_modes, "How many modes")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_flag("--at-start", o->at_start, "Linearize at the start of the scene instead of the rest shape");
  app.add_option("--amplitude", o->amplitude,
                 "Largest displacement at which the model's damping is told, e.g. \"5 mm\" (default: vanishing)")
      ->type_name("LENGTH");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot modes scenes/cantilever.json -n 6");
  app.callback([o, &session] { session.action = [o, &session] { return modes(*o, session.console); }; });
}

}  // namespace dashpot::cli
