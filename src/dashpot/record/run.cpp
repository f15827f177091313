#include "dashpot/record/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/live_system.hpp"
#include "dashpot/record/recorder.hpp"

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

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Kinetic energy of a slight motion, 1e-4 of the largest coordinate a step [J]. Where less than this was there or
/// entered, creation is judged against it: round-off of a body at rest, or the step in which something that is moved
/// first touches it, are many times of almost nothing, but not divergence.
double slight_energy(const System& system, State state, double dt) {
  state.v.setConstant(state.q.size() == 0 ? 0 : 1e-4 * state.q.cwiseAbs().maxCoeff() / dt);
  return energies(system, state).kinetic;
}

/// What a run went through that came to an end all the same; empty: nothing. `reason`: why a step was split, if known.
std::string remark_on(const RunCounters& counters, const std::string& reason) {
  if (counters.substepped == 0) return {};
  return fmt::format("{} of {} steps were split into shorter ones, the shortest {:.3g} s{}{}", counters.substepped,
                     counters.steps, counters.shortest_substep, reason.empty() ? "" : "; for example: ", reason);
}

Problem foreign_checkpoint(const Checkpoint& checkpoint, const RunSettings& settings) {
  return {checkpoint.source, "this checkpoint belongs to another scene or another version of it",
          "fingerprint " + settings.fingerprint + ", found " + checkpoint.fingerprint,
          "run without --resume, or give the folder of this scene"};
}

/// Brings state, ledger and counters to where a checkpoint was taken.
void restore(const Checkpoint& checkpoint, const System& system, const RunSettings& settings, State& state,
             EnergyLedger& ledger, RunCounters& counters) {
  if (checkpoint.state.q.size() != state.q.size() ||
      checkpoint.state.internal_variables.size() != state.internal_variables.size() ||
      checkpoint.accumulators.size() != ledger.accumulators().size())
    throw Error(foreign_checkpoint(checkpoint, settings));
  require_resumable(checkpoint, settings, state.time);
  state = checkpoint.state;
  ledger.restore(system, state, checkpoint.accumulators);
  counters = counters_from(checkpoint.counters);
}

/// Which step ends when. Times are step * dt, not a running sum, so that no drift builds up and a resumed run meets the
/// same times. `n` is a number of steps taken since the start.
class Timetable {
 public:
  Timetable(double start, const RunSettings& settings)
      : start_(start),
        end_(start + settings.end),
        dt_(settings.dt),
        num_steps_(static_cast<std::int64_t>(std::ceil(settings.end / settings.dt - 1e-9))),
        record_period_(std::max<std::int64_t>(1, period(settings.record_every))),
        frame_period_(settings.frames_every > 0 ? period(settings.frames_every) : record_period_),
        checkpoint_period_(period(settings.checkpoint_every)) {}
  std::int64_t num_steps() const { return num_steps_; }
  double end() const { return end_; }
  double time_after(std::int64_t n) const { return n == num_steps_ ? end_ : start_ + static_cast<double>(n) * dt_; }
  /// Length of the step from `time` to time_after(n). The difference of two times carries their round-off; every whole
  /// step is dt to the last bit, so that a constant tangent is factorized once.
  double length(double time, std::int64_t n) const {
    const double length = time_after(n) - time;
    return std::abs(length - dt_) <= 1e-9 * dt_ ? dt_ : length;
  }
  bool records(std::int64_t n) const { return n % record_period_ == 0 || n == num_steps_; }
  bool records_frame(std::int64_t n) const { return n % frame_period_ == 0 || n == num_steps_; }
  bool keeps_checkpoint(std::int64_t n) const {
    return checkpoint_period_ > 0 && n % checkpoint_period_ == 0 && n != num_steps_;
  }

 private:
  std::int64_t period(double seconds) const {
    return seconds > 0 ? std::max<std::int64_t>(1, std::llround(seconds / dt_)) : 0;
  }

  double start_, end_, dt_;
  std::int64_t num_steps_, record_period_, frame_period_, checkpoint_period_;
};

/// Records the start of a run, or goes on with one whose checkpoint the sink has.
void start(const System& system, const RunSettings& settings, State& state, EnergyLedger& ledger, RunSink* sink,
           Recorder& recorder, RunResult& result) {
  const std::optional<Checkpoint> earlier = sink != nullptr ? sink->earlier() : std::nullopt;
  if (!earlier) {
    if (sink != nullptr) sink->begin(result, recorder.num_points());
    recorder.book(ledger);
    recorder.record(state, true, true);
    return;
  }
  const double start_time = state.time;
  restore(*earlier, system, settings, state, ledger, result.counters);
  sink->resume(*earlier, result, settings.keep_frames);
  // A finished run may have ended between two multiples of dt; a longer one first goes on to the next multiple.
  const bool ended_early = state.time < start_time + (static_cast<double>(state.step) - 1e-9) * settings.dt;
  if (ended_early && start_time + settings.end > state.time + 1e-9 * settings.dt) --state.step;
}

/// "20 ms"; "1 N, 0 N, 2 N"; of a long list its range.
std::string values_text(const ParameterLayout::Entry& entry, const std::vector<double>& values) {
  const auto begin = values.begin() + entry.first, end = begin + entry.size();
  const auto text = [&](double value) { return describe_quantity(value, entry.info.quantity); };
  const auto [least, most] = std::minmax_element(begin, end);
  if (*least == *most) return text(*least);
  if (entry.size() > 4) return fmt::format("{} values of {} to {}", entry.size(), text(*least), text(*most));
  std::string list;
  for (auto value = begin; value != end; ++value) list += (value == begin ? "" : ", ") + text(*value);
  return list;
}

/// One event for each parameter whose values differ, from `since` on.
void note_turns(const ParameterLayout& layout, const std::vector<double>& before, const State& state,
                const std::string& since, std::vector<RunEvent>& events) {
  for (const ParameterLayout::Entry& entry : layout.entries())
    if (!std::equal(before.begin() + entry.first, before.begin() + entry.first + entry.size(),
                    state.parameters.begin() + entry.first))
      events.push_back({RunEvent::Kind::turned, state.time,
                        fmt::format("{}: {} turned from {} to {}", since, entry.info.name, values_text(entry, before),
                                    values_text(entry, state.parameters))});
}

/// What has to be said of a run when it ends.
void add_closing_events(RunResult& result) {
  const double time = result.state.time;
  for (const std::string& text : created_energy_warnings(result.ledger))
    result.events.push_back({RunEvent::Kind::energy_created, time, text});
  if (result.status == RunStatus::interrupted)
    result.events.push_back({RunEvent::Kind::interrupted, time, result.explanation});
  if (result.status == RunStatus::diverged)
    result.events.push_back({RunEvent::Kind::diverged, time, result.explanation});
}

}  // namespace

void require_resumable(const Checkpoint& checkpoint, const RunSettings& settings, double start_time) {
  if (checkpoint.fingerprint != settings.fingerprint) {
    const std::vector<std::string> changes = changed_files(checkpoint.inputs, settings.inputs);
    if (changes.empty()) throw Error(foreign_checkpoint(checkpoint, settings));
    std::vector<Problem> problems;
    for (const std::string& change : changes)
      problems.push_back({checkpoint.source, "not the file that the run began with: " + change,
                          "the same bytes as when the run was started",
                          "bring the old file back, or run without --resume"});
    throw Error(std::move(problems));
  }
  const double end = start_time + settings.end;
  if (checkpoint.state.time > end + 1e-9 * settings.dt)
    throw Error(Problem{checkpoint.source, fmt::format("the run is already at t = {:.9g} s", checkpoint.state.time),
                        fmt::format("a checkpoint before the end, {:.9g} s", end),
                        "set a later end, or run without --resume"});
}

RunResult run(const System& system, State& state, Stepper& stepper, EnergyLedger& ledger, const RunSettings& settings,
              const RunHooks& hooks, RunSink* sink) {
  RunResult result;
  const auto wall_start = std::chrono::steady_clock::now();
  const Timetable timetable(state.time, settings);
  Recorder recorder(system, settings, ledger, sink, result);
  start(system, settings, state, ledger, sink, recorder, result);
  const double wall_before = result.counters.wall_seconds;
  if (hooks.on_record) hooks.on_record(state);

  const auto keep_checkpoint = [&](const State& at) {
    result.counters.wall_seconds =
        wall_before + std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
    if (sink != nullptr)
      sink->checkpoint(
          {settings.fingerprint, settings.inputs, at, ledger.accumulators(), to_numbers(result.counters), {}, {}});
  };
  const auto stop = [&](RunStatus status, std::string explanation) {
    keep_checkpoint(state);
    if (sink != nullptr) sink->end(status);
    result.status = status;
    result.explanation = std::move(explanation);
    result.state = state;
    add_closing_events(result);
    return std::move(result);
  };
  LiveSystem live(system, state);
  recorder.follow(*live);
  // What was turned before a checkpoint is known by its values alone.
  if (!state.parameters.empty())
    note_turns(system.parameters(), system.parameter_values(), state,
               state.step == 0 ? "from the start" : "before " + describe_quantity(state.time, Quantity::time),
               result.events);
  State last_good = state;
  std::string reason_of_split;
  const double slight = slight_energy(*live, state, settings.dt);
  for (std::int64_t n = state.step + 1; n <= timetable.num_steps(); ++n) {
    if (hooks.should_stop && hooks.should_stop())
      return stop(RunStatus::interrupted,
                  fmt::format("stopped on request at t = {:.6g} s of {:.6g} s", state.time, settings.end));
    if (hooks.turn) {
      if (state.parameters.empty()) state.parameters = system.parameter_values();
      hooks.turn(state.time, system.parameters(), state.parameters);
      const std::vector<double> before = live->parameter_values();
      if (live.follow(state)) {
        note_turns(system.parameters(), before, state, "at " + describe_quantity(state.time, Quantity::time),
                   result.events);
        ledger.rebase(*live, state);
        recorder.follow(*live);
      }
    }
    last_good = state;
    const double h = timetable.length(state.time, n);
    StepReport report;
    const auto step = [&] { report = advance(stepper, *live, state, live.workspace(), h, settings.max_halvings); };
    if (hooks.around_step)
      hooks.around_step(step, [&] { keep_checkpoint(last_good); });
    else
      step();
    if (report.status == StepStatus::failed) {
      state = last_good;  // pictures reach the last good state
      recorder.record(state, !timetable.records(n - 1), !timetable.records_frame(n - 1));
      return stop(RunStatus::diverged, report.explanation);
    }
    state.time = timetable.time_after(n);
    if (report.status == StepStatus::substepped) {
      if (reason_of_split.empty()) reason_of_split = report.explanation;
      result.events.push_back({RunEvent::Kind::step_split, state.time, report.explanation});
    }
    const std::vector<double> sums = ledger.accumulators();
    ledger.book(*live, state, report);
    if (!is_finite(ledger.row())) {  // energies overflow before positions do
      state = last_good;
      ledger.restore(*live, state, sums);
      recorder.record(state, !timetable.records(n - 1), !timetable.records_frame(n - 1));
      return stop(
          RunStatus::diverged,
          fmt::format("energies are no longer numbers after t = {:.6g} s: the body has flown apart", state.time));
    }
    count(report, result.counters);
    recorder.book(ledger);
    if (ledger.created() > largest_creation && ledger.created_energy() > largest_creation * slight)
      return stop(
          RunStatus::diverged,
          fmt::format(
              "{:.3g} times the energy that was there came out of nothing by t = {:.6g} s: the time step of {:.3g} s "
              "is too long for {} and this body",
              ledger.created(), state.time, settings.dt, stepper.name()));
    recorder.record(state, timetable.records(n), timetable.records_frame(n));
    if (timetable.records(n) && hooks.on_record) hooks.on_record(state);
    if (timetable.keeps_checkpoint(n)) keep_checkpoint(state);
    if (hooks.on_step) hooks.on_step(state.time, timetable.end());
  }
  return stop(RunStatus::finished, remark_on(result.counters, reason_of_split));
}

}  // namespace dashpot
