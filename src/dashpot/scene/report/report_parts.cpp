#include "dashpot/scene/report/report_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/report/entered_energy.hpp"

namespace dashpot {
namespace {

/// Parameters of "beam.rayleigh" from the note "beam: rayleigh, alpha 0.2 /s, beta 0.3 ms".
std::string parameters_of(const CompiledScene& scene, const std::string& damping) {
  const std::size_t dot = damping.rfind('.');
  const std::string beginning = damping.substr(0, dot) + ": " + damping.substr(dot + 1);
  for (const std::string& note : scene.dampings)
    if (note.rfind(beginning, 0) == 0) {
      const std::size_t comma = note.find(", ", beginning.size() > 0 ? beginning.size() - 1 : 0);
      return comma == std::string::npos ? "" : note.substr(comma + 2);
    }
  return "";
}

/// Damping ratios of the mode nearest to `frequency` [Hz], one per damping; NaN where they cannot be had cheaply. Modes
/// of several bodies belong to one of them each, so only a single body is asked.
std::vector<double> modal_ratios(const CompiledScene& scene, double frequency, std::size_t count) {
  constexpr int most_dofs = 30000;  // a factorization of this size takes well under a second
  const std::vector<double> unknown(count, nan);
  if (scene.bodies.size() != 1 || scene.system->num_dofs() > most_dofs || !(frequency > 0)) return unknown;
  try {
    const State rest = scene.system->initial_state();
    const ModesResult modes = system_modes(*scene.system, rest, {.num_modes = 1, .near_frequency = frequency});
    if (modes.size() < 1 || !(modes.lambda[0] > 0)) return unknown;
    std::vector<double> ratios;
    for (const analysis::ModalDamping& damping :
         analysis::modal_damping(*scene.system, rest, modes.shapes.col(0), std::sqrt(modes.lambda[0]), scene.run.dt))
      ratios.push_back(damping.zeta);
    return ratios.size() == count ? ratios : unknown;
  } catch (const Error&) {
    return unknown;  // a report without these numbers is better than none
  }
}

}  // namespace

render::EnergyColumns energy_columns(const MeasuredRun& outcome) {
  const Table& ledger = outcome.run.ledger;
  render::EnergyColumns energies;
  energies.time = ledger.column("time");
  energies.stored.push_back({"kinetic", ledger.column("kinetic")});
  for (const std::string& column : outcome.run.ledger.columns_beginning("elastic."))
    energies.stored.push_back({"elastic, " + column.substr(8), ledger.column(column)});
  std::vector<double> gravity = ledger.column("gravity");
  const double zero = entered_energy(outcome.run).zero;
  for (double& value : gravity) value -= zero;
  energies.stored.push_back({zero < 0 ? "gravity (above its lowest)" : "gravity", std::move(gravity)});
  for (const std::string& column : outcome.run.ledger.columns_beginning("damping."))
    energies.lost.push_back({column.substr(8), ledger.column(column)});
  energies.lost.push_back({"contact", ledger.column("contact")});
  energies.lost.push_back({"solver", ledger.column("solver")});
  energies.lost.push_back({"integrator", ledger.column("numerical")});
  const std::vector<double>& external = ledger.column("external");
  for (const double work : external)
    if (work != 0) {
      energies.external = external;
      break;
    }
  return energies;
}

std::vector<render::ActingDamping> acting_dampings(const CompiledScene& scene, const MeasuredRun& outcome,
                                                   double frequency) {
  std::vector<render::ActingDamping> acting;
  const std::vector<std::string> columns = outcome.run.ledger.columns_beginning("damping.");
  const std::vector<double> ratios = modal_ratios(scene, frequency, columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string name = columns[j].substr(8);
    acting.push_back({name, parameters_of(scene, name), ratios[j], outcome.run.final_value(columns[j]), false});
  }
  for (const std::string& column : outcome.run.ledger.columns_beginning("friction")) {
    const double friction = outcome.run.final_value(column);
    acting.push_back({"friction", "", nan, friction, false});
    acting.push_back({"impacts", "", nan, outcome.run.final_value("contact") - friction, false});
  }
  if (const double unfinished = outcome.run.final_value("solver");
      std::abs(unfinished) > 1e-5 * entered_energy(outcome.run).entered)
    acting.push_back({"the solver\u2019s unfinished iterations", "", nan, unfinished, false});
  const Integrator& stepper = scene.spec.time.stepper;
  render::ActingDamping integrator{stepper.name(), "dt " + describe_quantity(scene.run.dt, Quantity::time, 3), nan,
                                   outcome.run.final_value("numerical"), true};
  if (std::isfinite(frequency) && frequency > 0)
    integrator.zeta = analysis::numerical_damping(stepper, 2 * M_PI * frequency * scene.run.dt).numerical_zeta;
  acting.push_back(integrator);
  return acting;
}

render::Decay decay_of(const ProbeRing& ring, const std::string& name) {
  render::Decay decay{name, {}, {}};
  for (const analysis::RingCycle& cycle : ring.ring.cycles) {
    decay.time.push_back(cycle.time);
    decay.amplitude.push_back(cycle.amplitude);
  }
  return decay;
}

render::DampingCurve damping_curve_of(const ProbeRing& ring, const std::string& name) {
  render::DampingCurve curve{name, {}, {}, {}};
  for (const analysis::AmplitudeBin& bin : ring.ring.by_amplitude) {
    curve.amplitude.push_back(bin.amplitude);
    curve.zeta.push_back(bin.zeta);
    curve.spread.push_back(bin.zeta_spread);
  }
  return curve;
}

render::Figure motion_figure(const MeasuredRun& outcome) {
  render::Figure figure;
  figure.title = "Motion";
  figure.description = "Position of every probe that rings, along the axis in which it moves most.";
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"position", "m"};
  for (const ProbeRing& ring : outcome.rings)
    panel.series.push_back({ring.column, outcome.run.probes.column("time"), outcome.run.probes.column(ring.column)});
  figure.panels = {panel};
  return figure;
}

render::Figure momentum_of(const MeasuredRun& outcome) {
  const auto columns = [&](std::initializer_list<const char*> names) {
    std::vector<render::Column> result;
    for (const char* name : names) result.push_back({name, outcome.run.ledger.column(name)});
    return result;
  };
  return render::momentum_figure(outcome.run.ledger.column("time"), columns({"px", "py", "pz"}),
                                 columns({"lx", "ly", "lz"}));
}

}  // namespace dashpot
