#pragma once
// A compiled scene, run and measured: what `dashpot run` does, for programs. The folder of the run then holds
// ledger.csv, probes.csv, frames.dpf, checkpoint.dpc (record/run.hpp) and scene.json, the scene with every default
// filled in. summary.json and report.html are made from the outcome by run_report.hpp.
#include <cstdint>
#include <string>
#include <vector>

#include "dashpot/analysis/csv_table.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/core/folder_lock.hpp"
#include "dashpot/record/run.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot {

/// A probe that rings: the coordinate that moves most, measured.
struct ProbeRing {
  std::string probe;   ///< "tip"
  std::string column;  ///< "tip.y"
  analysis::RingDown ring;
  /// Why no damping ratio could be read (the ring's zeta is NaN then); empty: it could.
  std::string obstacle;
};

struct RunOutcome {
  RunResult result;
  double time = 0;               ///< reached [s]
  std::uint64_t state_hash = 0;  ///< of the last state
  analysis::CsvTable ledger;     ///< as recorded; empty when the run was interrupted
  analysis::CsvTable probes;     ///< likewise; empty also without probes
  std::vector<ProbeRing> rings;  ///< of the probes that oscillate

  /// Last value of a ledger column [J].
  double final_value(const std::string& column) const;
  /// First value of a ledger column [J].
  double first_value(const std::string& column) const;
  /// Names of the ledger columns that begin so: "elastic.", "damping.".
  std::vector<std::string> columns_beginning(const std::string& prefix) const;
  /// Kinetic, elastic and gravitational energy of the first and last row [J].
  double initial_energy() const;
  double final_energy() const;
};

/// Runs into scene.run.folder (which must be named); a fresh run removes what an earlier one left there. A run that
/// diverged is read back too, as far as it came. Throws dashpot::Error when the folder or its checkpoint cannot be
/// used, or when another run writes into it. `held`: the lock of scene.run.folder where the caller has it, to keep the
/// folder until its reports are written; without it the folder is locked until simulate returns.
RunOutcome simulate(const CompiledScene& scene, const RunHooks& hooks = {}, const FolderLock* held = nullptr);

}  // namespace dashpot
