#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/scene/report/entered_energy.hpp"
#include "dashpot/scene/report/run_report.hpp"

namespace dashpot {
namespace {

using nlohmann::ordered_json;

ordered_json energy_json(const MeasuredRun& outcome) {
  ordered_json losses;
  for (const std::string& column : outcome.run.ledger.columns_beginning("damping."))
    losses[column] = outcome.run.final_value(column);
  for (const char* column : {"contact", "solver", "numerical"}) losses[column] = outcome.run.final_value(column);
  const EnteredEnergy energy = entered_energy(outcome.run);
  return {{"initial", energy.start},
          {"final", energy.left},
          {"gravity_zero", energy.zero},
          {"external", outcome.run.final_value("external")},
          {"lost", losses},
          {"numerical_share", numerical_share(outcome.run)}};
}

ordered_json inputs_json(const std::vector<InputFile>& files) {
  ordered_json list = ordered_json::array();
  for (const InputFile& file : files) list.push_back({{"path", file.path}, {"hash", file.hash}, {"bytes", file.bytes}});
  return list;
}

ordered_json ring_json(const ProbeRing& ring) {
  ordered_json flags = ordered_json::array();
  for (const analysis::RingDownFlag flag : ring.ring.flags) flags.push_back(analysis::flag_name(flag));
  return {{"probe", ring.probe},
          {"column", ring.column},
          {"frequency", ring.ring.frequency},
          {"zeta", ring.ring.zeta},
          {"zeta_deviation", ring.ring.zeta_deviation},
          {"initial_amplitude", ring.ring.initial_amplitude},
          {"obstacle", ring.obstacle},
          {"flags", flags}};
}

}  // namespace

std::string run_summary(const CompiledScene& scene, const MeasuredRun& outcome, const Provenance& provenance) {
  const RunCounters& c = outcome.run.counters;
  ordered_json json = {{"schema", "dashpot/run/1"},
                       {"program",
                        {{"name", "dashpot"},
                         {"version", version()},
                         {"commit", commit()},
                         {"build", build_flags()},
                         {"compiler", compiler()},
                         {"threads", num_threads()}}},
                       {"command", provenance.command},
                       {"input", {{"path", provenance.input}, {"hash", provenance.input_hash}}},
                       {"inputs", inputs_json(scene.run.inputs)},
                       {"fingerprint", scene.run.fingerprint},
                       {"seed", scene.spec.seed},
                       {"title", scene.spec.title},
                       {"status", to_string(outcome.run.status)},
                       {"explanation", outcome.run.explanation},
                       {"stepper", scene.spec.time.stepper.name()},
                       {"dt", scene.run.dt},
                       {"end", scene.run.end},
                       {"time", outcome.run.state.time},
                       {"state_hash", fmt::format("{:016x}", outcome.run.state.hash())},
                       {"steps", c.steps},
                       {"substepped", c.substepped},
                       {"shortest_substep", c.shortest_substep},
                       {"newton_iterations", c.newton_iterations},
                       {"factorizations", c.factorizations},
                       {"linear_iterations", c.linear_iterations},
                       {"analyses", c.analyses},
                       {"worst_residual", c.worst_residual},
                       {"wall_seconds", c.wall_seconds},
                       {"dampings", scene.dampings}};
  if (outcome.run.ledger.num_rows() > 0) json["energy"] = energy_json(outcome);
  if (outcome.run.ledger.num_rows() > 0) json["warnings"] = closing_warnings(scene, outcome);
  json["probes"] = ordered_json::array();
  for (const ProbeRing& ring : outcome.rings) json["probes"].push_back(ring_json(ring));
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace dashpot
