#include "dashpot/record/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/run_files.hpp"

namespace dashpot {
namespace {

/// A run whose integrator has created this many times the honest energy is not worth continuing.
constexpr double largest_creation = 1e3;

void count(const StepReport& report, RunCounters& counters) {
  ++counters.steps;
  counters.substepped += report.status == StepStatus::substepped;
  counters.newton_iterations += report.newton_iterations;
  counters.factorizations += report.factorizations;
  counters.linear_iterations += report.linear_iterations;
  counters.analyses += report.analyses;
  counters.projected += report.projected;
  counters.worst_residual = std::max(counters.worst_residual, report.residual);
  const double shortest = report.shortest_substep;
  if (shortest > 0 && (counters.shortest_substep == 0 || shortest < counters.shortest_substep))
    counters.shortest_substep = shortest;
}

/// Kinetic energy of a slight motion, 1e-4 of the largest coordinate a step [J]. Where less than this was there or
/// entered, creation is judged against it: round-off of a body at rest, or the step in which something that is moved
/// first touches it, are many times of almost nothing, but not divergence.
double slight_energy(const System& system, State state, double dt) {
  state.v.setConstant(state.q.size() == 0 ? 0 : 1e-4 * state.q.cwiseAbs().maxCoeff() / dt);
  return energies(system, state).kinetic;
}

/// What a run went through that came to an end all the same; empty: nothing.
std::string remark_on(const RunCounters& counters) {
  if (counters.substepped == 0) return {};
  return fmt::format("{} of {} steps were split into shorter ones, the shortest {:.3g} s", counters.substepped,
                     counters.steps, counters.shortest_substep);
}

/// Loads folder/checkpoint.dpc into state, ledger and counters.
Checkpoint load_checkpoint(const System& system, const RunSettings& settings, State& state, EnergyLedger& ledger,
                           RunCounters& counters) {
  const std::string path = settings.folder + "/checkpoint.dpc";
  Checkpoint checkpoint = read_checkpoint(path);
  if (checkpoint.fingerprint != settings.fingerprint || checkpoint.state.q.size() != state.q.size() ||
      checkpoint.state.memory.size() != state.memory.size() ||
      checkpoint.accumulators.size() != ledger.accumulators().size())
    throw Error(Problem{path, "this checkpoint belongs to another scene or another version of it",
                        "fingerprint " + settings.fingerprint + ", found " + checkpoint.fingerprint,
                        "run without --resume, or give the folder of this scene"});
  state = checkpoint.state;
  ledger.restore(system, state, checkpoint.accumulators);
  counters = counters_from(checkpoint.counters);
  return checkpoint;
}

}  // namespace

RunResult run(const System& system, State& state, Stepper& stepper, EnergyLedger& ledger, const RunSettings& settings,
              const RunHooks& hooks) {
  RunResult result;
  RunFiles files(system, settings);
  const auto wall_start = std::chrono::steady_clock::now();
  double wall_before = 0;
  double start_time = state.time;
  if (settings.resume) {
    const Checkpoint checkpoint = load_checkpoint(system, settings, state, ledger, result.counters);
    files.reopen(checkpoint);
    wall_before = result.counters.wall_seconds;
    // A finished run may have ended between two multiples of dt; a longer one first goes on to the next multiple.
    const bool ended_early = state.time < start_time + (static_cast<double>(state.step) - 1e-9) * settings.dt;
    if (ended_early && start_time + settings.end > state.time + 1e-9 * settings.dt) --state.step;
  } else {
    files.create(ledger);
    files.book(ledger);
    files.record(state);
  }
  if (hooks.on_record) hooks.on_record(state);

  // Times are step * dt, not a running sum, so that no drift builds up and a resumed run meets the same times.
  const auto total_steps = static_cast<std::int64_t>(std::ceil(settings.end / settings.dt - 1e-9));
  const auto period = [&](double seconds) {
    return seconds > 0 ? std::max<std::int64_t>(1, std::llround(seconds / settings.dt)) : 0;
  };
  const std::int64_t record_period = std::max<std::int64_t>(1, period(settings.record_every));
  const std::int64_t checkpoint_period = period(settings.checkpoint_every);
  const auto stop_clock = [&] {
    result.counters.wall_seconds =
        wall_before + std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  };
  // An interrupted run keeps its partial files, to be continued; a diverged one is as whole as it will ever be.
  const auto stop = [&](RunStatus status, std::string explanation) {
    stop_clock();
    files.checkpoint(state, ledger, result.counters);
    if (status != RunStatus::interrupted) files.finish();
    result.status = status;
    result.explanation = std::move(explanation);
    return result;
  };
  Workspace workspace = system.make_workspace();
  State last_good = state;
  const double slight = slight_energy(system, state, settings.dt);
  for (std::int64_t n = state.step; n < total_steps; ++n) {
    if (hooks.should_stop && hooks.should_stop())
      return stop(RunStatus::interrupted,
                  fmt::format("stopped on request at t = {:.6g} s of {:.6g} s", state.time, settings.end));
    const double next_time =
        n + 1 == total_steps ? start_time + settings.end : start_time + static_cast<double>(n + 1) * settings.dt;
    last_good = state;
    // The difference of two times carries their round-off; every whole step is dt to the last bit, so that a constant
    // tangent is factorized once.
    const double length = next_time - state.time;
    const double h = std::abs(length - settings.dt) <= 1e-9 * settings.dt ? settings.dt : length;
    const StepReport report = advance(stepper, system, state, workspace, h, settings.max_halvings);
    if (report.status == StepStatus::failed) {
      state = last_good;
      if (n % record_period != 0) files.record(state);  // so that pictures reach the last good state
      return stop(RunStatus::diverged, report.explanation);
    }
    state.time = next_time;
    count(report, result.counters);
    ledger.book(system, state, report);
    files.book(ledger);
    if (ledger.created() > largest_creation && -ledger.numerical() > largest_creation * slight)
      return stop(
          RunStatus::diverged,
          fmt::format(
              "{} has created {:.0f} times the energy that was there by t = {:.6g} s: the time step of {:.3g} s "
              "is too long for this body",
              stepper.name(), ledger.created(), state.time, settings.dt));
    const bool last = n + 1 == total_steps;
    if ((n + 1) % record_period == 0 || last) {
      files.record(state);
      if (hooks.on_record) hooks.on_record(state);
    }
    if (checkpoint_period > 0 && (n + 1) % checkpoint_period == 0 && !last) {
      stop_clock();
      files.checkpoint(state, ledger, result.counters);
    }
    if (hooks.on_step) hooks.on_step(state.time, start_time + settings.end);
  }
  return stop(RunStatus::finished, remark_on(result.counters));
}

}  // namespace dashpot
