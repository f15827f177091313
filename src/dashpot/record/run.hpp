#pragma once
// Runs a System from a State to an end time and records it: ledger.csv (one row a step), probes.csv, loads.csv (total
// force of the loads, where there are any), contacts.csv (total force that colliders and other bodies exert on each
// body, friction included, where something can touch), frames.dpf and checkpoint.dpc in one folder. Interrupted or
// killed, the run resumes with the same bits. A run that diverges ends its files with the last good state.

#include <functional>
#include <string>
#include <vector>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/record/ledger.hpp"

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
  double record_every = 0;      ///< probes and frames [s]; 0: every step
  double checkpoint_every = 0;  ///< [s] of simulated time; 0: only when interrupted and at the end
  std::vector<Probe> probes;
  std::vector<Scenery> scenery;        ///< its points follow those of the System in every frame
  std::vector<TouchingBody> touching;  ///< for contacts.csv; empty: none
  bool write_frames = true;
  std::string folder;       ///< empty: nothing is written
  std::string fingerprint;  ///< hash of the inputs; a resume must match it
  bool resume = false;      ///< continue from folder/checkpoint.dpc
  int max_halvings = 6;     ///< sub-steps down to dt / 2^max_halvings before giving up
};

enum class RunStatus { finished, interrupted, diverged };

/// Totals over the run.
struct RunCounters {
  std::int64_t steps = 0, substepped = 0, newton_iterations = 0, factorizations = 0, linear_iterations = 0,
               projected = 0;
  std::int64_t analyses = 0;    ///< new symbolic analyses because bodies touched in a new place
  double shortest_substep = 0;  ///< [s]; 0: no step was split
  double worst_residual = 0;    ///< relative
  double wall_seconds = 0;
};

struct RunResult {
  RunStatus status = RunStatus::finished;
  std::string explanation;  ///< why it stopped early, or how many steps were split; empty when nothing happened
  RunCounters counters;
};

struct RunHooks {
  /// Called after each step with the simulated time and its end [s].
  std::function<void(double time, double end)> on_step;
  /// Polled before each step; true: write a checkpoint and stop.
  std::function<bool()> should_stop;
  /// Called when a record is due (probes and frames), also at the start.
  std::function<void(const State&)> on_record;
};

/// Advances `state`, which must be consistent (make_consistent), to the end. `ledger` belongs to the start of the run.
RunResult run(const System& system, State& state, Stepper& stepper, EnergyLedger& ledger, const RunSettings& settings,
              const RunHooks& hooks = {});

}  // namespace dashpot
