#pragma once
// A compiled scene, run: in memory, or into a folder, which is what `dashpot run` does. Both give the same RunResult.
// The folder then holds ledger.csv, probes.csv, frames.dpf, checkpoint.dpc (record/run_folder.hpp), recording.json and
// scene.json, the scene with every default filled in; run_report.hpp adds summary.json and report.html.
#include <string>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/core/folder_lock.hpp"
#include "dashpot/record/run_folder.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot {

/// Runs a scene without touching the disk; `scene` can be run again. `sink` is told every row and frame as it comes.
/// `parameters`: values of system->parameters(); empty: those of the scene. Several threads may run one scene, each
/// with values of its own.
RunResult simulate(const CompiledScene& scene, const RunHooks& hooks = {}, RunSink* sink = nullptr,
                   const std::vector<double>& parameters = {});

/// The same into a folder; a fresh run removes what an earlier one left there. Frames are kept in the folder only.
/// Throws dashpot::Error when the folder or its checkpoint cannot be used, or when another run writes into it. `held`:
/// the lock of the folder where the caller has it, to keep the folder until its reports are written; without it the
/// folder is locked until this returns.
RunResult simulate_into(const std::string& folder, const CompiledScene& scene, const RunHooks& hooks = {},
                        const RunFolderOptions& options = {}, const FolderLock* held = nullptr);
/// Brings the frames of a run into a folder back, for pictures and exports; those of more than 400 MB stay there.
void fetch_frames(const std::string& folder, RunResult& run);

/// A probe that rings: the coordinate that moves most, measured.
struct ProbeRing {
  std::string probe;   ///< "tip"
  std::string column;  ///< "tip.y"
  analysis::RingDown ring;
  /// Why no damping ratio could be read (the ring's zeta is NaN then); empty: it could.
  std::string obstacle;
};

/// A run and what its probes show.
struct MeasuredRun {
  RunResult run;
  std::vector<ProbeRing> rings;  ///< of the probes that oscillate
};
/// Measures every probe from the moment its body rings freely.
MeasuredRun measured(const SceneSpec& spec, RunResult run);

}  // namespace dashpot
