#include "dashpot/record/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/integrate/balance.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/frames.hpp"
#include "dashpot/record/growing_file.hpp"

namespace dashpot {
namespace {

/// A run whose integrator has created this many times the honest energy is not worth continuing.
constexpr double largest_creation = 1e3;

std::string csv_line(const std::vector<double>& values) {
  std::string line;
  for (const double value : values) {
    if (!line.empty()) line += ',';
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  return line += '\n';
}

std::string csv_line(const std::vector<std::string>& names) {
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) line += (i ? "," : "") + names[i];
  return line += '\n';
}

/// The files of a run and what goes into them.
class RunFiles {
 public:
  RunFiles(const System& system, const RunSettings& settings)
      : system_(system), settings_(settings), workspace_(system.make_workspace()) {
    if (settings.folder.empty()) return;
    names_ = {"ledger.csv", "probes.csv"};
    if (settings.write_frames) names_.push_back("frames.dpf");
    if (!system.loads().empty()) names_.push_back("loads.csv");
  }

  void create(const EnergyLedger& ledger) {
    if (names_.empty()) return;
    create_folder(settings_.folder);
    for (const char* old : {"checkpoint.dpc", "ledger.csv", "probes.csv", "frames.dpf", "frames.dpf.partial",
                            "loads.csv", "loads.csv.partial"})
      std::filesystem::remove(path(old));  // an earlier run's files must not be mistaken for this one's
    for (const std::string& name : names_) files_.push_back(GrowingFile::create(path(name)));
    files_[0].append(csv_line(ledger.columns()));
    std::vector<std::string> columns = {"time"};
    for (const Probe& probe : settings_.probes)
      for (const char* component : {".x", ".y", ".z", ".vx", ".vy", ".vz"}) columns.push_back(probe.name + component);
    files_[1].append(csv_line(columns));
    if (settings_.write_frames) {
      int points = system_.kinematics().num_points();
      for (const Scenery& piece : settings_.scenery) points += piece.num_points;
      files_[2].append(frames_header(points));
    }
    if (!system_.loads().empty()) files_.back().append("time,load.x,load.y,load.z\n");
  }

  void reopen(const Checkpoint& checkpoint) {
    for (const std::string& name : names_) {
      const auto entry = std::find_if(checkpoint.files.begin(), checkpoint.files.end(),
                                      [&](const auto& file) { return file.first == name; });
      if (entry == checkpoint.files.end())
        throw Error(Problem{path("checkpoint.dpc"), "the checkpoint knows no " + name, "the same recording as before",
                            "start the run again without --resume"});
      files_.push_back(GrowingFile::resume(path(name), entry->second));
    }
  }

  void book(const EnergyLedger& ledger) {
    if (!files_.empty()) files_[0].append(csv_line(ledger.row()));
  }

  void record(const State& state) {
    if (files_.empty()) return;
    frame_.time = state.time;
    system_.kinematics().positions(state.q, frame_.points);
    system_.kinematics().velocities(state.q, state.v, frame_.velocities);
    std::vector<double> row = {state.time};
    for (const Probe& probe : settings_.probes)
      for (const std::vector<Vec3>* field : {&frame_.points, &frame_.velocities}) {
        Vec3 mean = Vec3::Zero();
        for (std::size_t i = 0; i < probe.points.size(); ++i)
          mean += probe.weights[i] * (*field)[static_cast<std::size_t>(probe.points[i])];
        row.insert(row.end(), mean.data(), mean.data() + 3);
      }
    files_[1].append(csv_line(row));
    if (settings_.write_frames) record_frame(state);
    if (system_.loads().empty()) return;
    Vector force = Vector::Zero(system_.num_dofs());
    system_.add_external_force(state.time, force);
    const Vec3 total = system_.kinematics().wrench(state.q, force).linear;
    files_.back().append(csv_line(std::vector<double>{state.time, total.x(), total.y(), total.z()}));
  }

  void checkpoint(const State& state, const EnergyLedger& ledger, const RunCounters& counters) {
    if (files_.empty()) return;
    Checkpoint checkpoint{settings_.fingerprint, state, ledger.accumulators(), to_numbers(counters), {}};
    for (std::size_t i = 0; i < files_.size(); ++i) checkpoint.files.emplace_back(names_[i], files_[i].flush());
    write_checkpoint(path("checkpoint.dpc"), checkpoint);
  }

  void finish() {
    for (GrowingFile& file : files_) file.finish();
  }

  static std::vector<double> to_numbers(const RunCounters& c) {
    return {static_cast<double>(c.steps),
            static_cast<double>(c.substepped),
            static_cast<double>(c.newton_iterations),
            static_cast<double>(c.factorizations),
            static_cast<double>(c.linear_iterations),
            static_cast<double>(c.analyses),
            static_cast<double>(c.projected),
            c.worst_residual,
            c.wall_seconds};
  }
  static RunCounters from_numbers(const std::vector<double>& n) {
    RunCounters c;
    if (n.size() != 9) return c;
    c.steps = std::llround(n[0]);
    c.substepped = std::llround(n[1]);
    c.newton_iterations = std::llround(n[2]);
    c.factorizations = std::llround(n[3]);
    c.linear_iterations = std::llround(n[4]);
    c.analyses = std::llround(n[5]);
    c.projected = std::llround(n[6]);
    c.worst_residual = n[7];
    c.wall_seconds = n[8];
    return c;
  }

 private:
  std::string path(const std::string& name) const { return settings_.folder + "/" + name; }

  /// Positions and velocities of the System are in frame_ already.
  void record_frame(const State& state) {
    frame_.power.assign(frame_.points.size(), 0.0);
    // Each point's share of the losses; only where a point is a block of q.
    if (system_.num_dofs() == 3 * static_cast<int>(frame_.points.size()) && !system_.dissipations().empty()) {
      system_.begin_step(state, workspace_);
      Balance balance;
      evaluate_losses(system_, workspace_, state.memory, {state.q, state.v, {}}, {state.time, 0}, balance);
      for (const Vector& force : balance.damping)
        for (std::size_t p = 0; p < frame_.power.size(); ++p)
          frame_.power[p] += force.segment<3>(3 * static_cast<Eigen::Index>(p)).dot(frame_.velocities[p]);
    }
    for (const Scenery& piece : settings_.scenery) piece.append(state.time, frame_.points, frame_.velocities);
    frame_.power.resize(frame_.points.size(), 0.0);
    files_[2].append(frame_bytes(frame_));
  }

  const System& system_;
  const RunSettings& settings_;
  Workspace workspace_;
  std::vector<std::string> names_;
  std::vector<GrowingFile> files_;
  Frame frame_;
};

void count(const StepReport& report, RunCounters& counters) {
  ++counters.steps;
  counters.substepped += report.status == StepStatus::substepped;
  counters.newton_iterations += report.newton_iterations;
  counters.factorizations += report.factorizations;
  counters.linear_iterations += report.linear_iterations;
  counters.analyses += report.analyses;
  counters.projected += report.projected;
  counters.worst_residual = std::max(counters.worst_residual, report.residual);
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
  counters = RunFiles::from_numbers(checkpoint.counters);
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
  Workspace workspace = system.make_workspace();
  State last_good = state;
  for (std::int64_t n = state.step; n < total_steps; ++n) {
    if (hooks.should_stop && hooks.should_stop()) {
      stop_clock();
      files.checkpoint(state, ledger, result.counters);
      result.status = RunStatus::interrupted;
      result.explanation = fmt::format("stopped on request at t = {:.6g} s of {:.6g} s", state.time, settings.end);
      return result;
    }
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
      stop_clock();
      files.checkpoint(state, ledger, result.counters);
      result.status = RunStatus::diverged;
      result.explanation = report.explanation;
      return result;
    }
    if (report.status == StepStatus::substepped && result.explanation.empty()) result.explanation = report.explanation;
    state.time = next_time;
    count(report, result.counters);
    ledger.book(system, state, report);
    files.book(ledger);
    if (ledger.created() > largest_creation) {
      stop_clock();
      files.checkpoint(state, ledger, result.counters);
      result.status = RunStatus::diverged;
      result.explanation = fmt::format(
          "{} has created {:.0f} times the energy that was there by t = {:.6g} s: the time step of {:.3g} s is too "
          "long for "
          "this body",
          stepper.name(), ledger.created(), state.time, settings.dt);
      return result;
    }
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
  stop_clock();
  files.checkpoint(state, ledger, result.counters);
  files.finish();
  return result;
}

}  // namespace dashpot
