#pragma once
// Runs a System from a State to an end time and records it: where every joule went at each step (the ledger), probes,
// total forces of loads and contacts, and frames. All of it is returned as values (run_result.hpp) and needs no file;
// a RunSink is told the same rows and frames as they come, to write or to send them (run_folder.hpp writes files).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/ledger.hpp"
#include "dashpot/record/run_result.hpp"

namespace dashpot {

/// A point of a body followed through time: a weighted mean of material points.
struct Probe {
  std::string name;
  std::vector<int> points;      ///< indices into Kinematics::positions
  std::vector<double> weights;  ///< sum to one
};

/// Something that moves as prescribed, recorded beside the bodies so that pictures can show it.
struct Scenery {
  int num_points = 0;
  /// Positions [m] and velocities [m/s] of its points at a time [s], appended.
  std::function<void(double time, std::vector<Vec3>& x, std::vector<Vec3>& v)> append;
};

/// A body whose total contact force is recorded: points first_point ... first_point + num_points - 1.
struct TouchingBody {
  std::string name;
  int first_point = 0, num_points = 0;
};

struct RunSettings {
  double dt = 0;                ///< [s]
  double end = 0;               ///< [s], counted from the start of the run
  double record_every = 0;      ///< probes and forces [s]; 0: every step
  double frames_every = 0;      ///< [s]; 0: at every record
  double checkpoint_every = 0;  ///< [s] of simulated time; 0: only when interrupted and at the end
  std::vector<Probe> probes;
  std::vector<Scenery> scenery;        ///< its points follow those of the System in every frame
  std::vector<TouchingBody> touching;  ///< for the table of contacts; empty: none
  /// The result holds the frames. In memory a frame is 56 bytes a point; false where they are many, or go to a sink.
  bool keep_frames = true;
  std::string fingerprint;        ///< hash of the inputs; a resume must match it
  std::vector<InputFile> inputs;  ///< the files among them, by name
  int max_halvings = 6;           ///< sub-steps down to dt / 2^max_halvings before giving up
};

struct RunHooks {
  /// Called after each step with the simulated time and its end [s].
  std::function<void(double time, double end)> on_step;
  /// Polled before each step; true: keep a checkpoint and stop.
  std::function<bool()> should_stop;
  /// Takes a step, by calling `step`; empty: the run calls it. While `step` is at work another thread may call
  /// `abandon`, which keeps a checkpoint of the state before the step and leaves the files to be continued; the process
  /// must then end without `step` being waited for. So a step that takes minutes can be interrupted.
  std::function<void(const std::function<void()>& step, const std::function<void()>& abandon)> around_step;
  /// Called when a record is due (probes and forces), also at the start.
  std::function<void(const State&)> on_record;
  /// Called before each step; may change values of the parameters (ParameterLayout::set), which then hold from this
  /// step on. They are in checkpoints. What a change adds to the energy is booked as external work.
  std::function<void(double time, const ParameterLayout& layout, std::vector<double>& values)> turn;
};

/// Is told what a run records, as it comes. What a sink throws ends the run.
class RunSink {
 public:
  virtual ~RunSink() = default;
  /// The checkpoint from which the run shall go on; none: it starts anew.
  virtual std::optional<Checkpoint> earlier() { return std::nullopt; }
  /// A new run starts. `empty` has the columns of all tables and no rows yet; a frame has `num_points` points.
  virtual void begin(const RunResult& empty, int num_points) = 0;
  /// The run goes on from the checkpoint that earlier() gave; rows recorded until then are added to `so_far`, and
  /// frames where `with_frames`.
  virtual void resume(const Checkpoint& checkpoint, RunResult& so_far, bool with_frames) = 0;
  virtual bool wants_frames() const { return true; }
  virtual void row(RunTable table, const std::vector<double>& values) = 0;
  virtual void frame(const Frame& frame) = 0;
  /// All that a run needs to go on from here; its list of files is empty, for the sink to fill in.
  virtual void checkpoint(Checkpoint checkpoint) = 0;
  /// After the last checkpoint.
  virtual void end(RunStatus status) = 0;
};

/// dashpot::Error when a run with these settings, begun at `start_time` [s], cannot go on from the checkpoint:
/// something it was made from has changed (files are named), or the checkpoint lies behind its end.
void require_resumable(const Checkpoint& checkpoint, const RunSettings& settings, double start_time = 0);

/// Advances `state`, which must be consistent (make_consistent), to the end. `ledger` belongs to the start of the run;
/// both are left as they are at the end. The last state of a run that diverged is the last good one.
RunResult run(const System& system, State& state, Stepper& stepper, EnergyLedger& ledger, const RunSettings& settings,
              const RunHooks& hooks = {}, RunSink* sink = nullptr);

}  // namespace dashpot
