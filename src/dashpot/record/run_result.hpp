#pragma once
// RunResult: what a run recorded, as values. The tables hold one row a step (ledger) or a record (probes, loads,
// contacts); frames show all points at a record; events tell what happened on the way. A run in memory returns one, a
// run into a folder streams the same rows and frames to files as they come (run_folder.hpp), and reading such a folder
// gives the same type back.

#include <cstdint>
#include <string>
#include <vector>

#include "dashpot/core/table.hpp"
#include "dashpot/model/state.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot {

enum class RunStatus { finished, interrupted, diverged };
/// "finished", "interrupted", "diverged".
std::string to_string(RunStatus status);

/// Totals over the run.
struct RunCounters {
  std::int64_t steps = 0, substepped = 0, newton_iterations = 0, factorizations = 0, linear_iterations = 0,
               projected = 0;
  std::int64_t analyses = 0;    ///< new symbolic analyses because bodies touched in a new place
  double shortest_substep = 0;  ///< [s]; 0: no step was split
  double worst_residual = 0;    ///< relative
  double wall_seconds = 0;
};

/// Something that happened during a run.
struct RunEvent {
  enum class Kind {
    turned,          ///< a parameter got another value than it had
    step_split,      ///< a step failed and was taken in shorter ones
    energy_created,  ///< by the end a damping has created energy instead of taking it
    interrupted,
    diverged
  };
  Kind kind = Kind::step_split;
  double time = 0;   ///< [s]
  std::string text;  ///< what and why, for people
};

/// What is recorded as rows of numbers. `loads` and `contacts` have columns only where there are loads or something can
/// touch.
enum class RunTable { ledger, probes, loads, contacts };

struct RunResult {
  RunStatus status = RunStatus::finished;
  std::string explanation;  ///< why it stopped early, or how many steps were split; empty when nothing happened
  RunCounters counters;
  State state;  ///< the last good one; its time is how far the run came [s]
  /// One row a step: EnergyLedger::columns, in s, J, kg m/s, kg m^2/s.
  Table ledger;
  /// One row a record: time, then <probe>.x .y .z [m] and <probe>.vx .vy .vz [m/s] of each probe.
  Table probes;
  Table loads;          ///< total force of all loads [N]: time, load.x .y .z
  Table contacts;       ///< total force of what touches each body [N]: time, contact.<body>.fx .fy .fz
  Recording recording;  ///< the frames; of a scene also its bodies and scenery, for pictures and exports
  std::vector<RunEvent> events;

  const Table& table(RunTable which) const;
  Table& table(RunTable which);
  /// Time, position and velocity of one probe; dashpot::Error when there is none of this name.
  Table probe(const std::string& name) const;
  /// First and last value of a ledger column.
  double first_value(const std::string& column) const { return ledger.column(column).front(); }
  double final_value(const std::string& column) const { return ledger.column(column).back(); }
  /// Kinetic, elastic and gravitational energy of the first and last row [J].
  double initial_energy() const;
  double final_energy() const;
};

/// What should have taken energy and has created some instead, with the remedy; one line each.
std::vector<std::string> created_energy_warnings(const Table& ledger);

}  // namespace dashpot
