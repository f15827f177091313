#pragma once
// The files of a run and what goes into them: see run.hpp. Internal to record/.

#include <string>
#include <vector>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/record/checkpoint.hpp"
#include "dashpot/record/frames.hpp"
#include "dashpot/record/growing_file.hpp"
#include "dashpot/record/run.hpp"

namespace dashpot {

class RunFiles {
 public:
  /// Both must outlive this. Without a folder nothing is written.
  RunFiles(const System& system, const RunSettings& settings);

  /// Starts new files, in place of those of an earlier run.
  void create(const EnergyLedger& ledger);
  /// Continues the files a checkpoint knows.
  void reopen(const Checkpoint& checkpoint);
  /// A row of the ledger.
  void book(const EnergyLedger& ledger);
  /// Probes, forces and a frame.
  void record(const State& state);
  void checkpoint(const State& state, const EnergyLedger& ledger, const RunCounters& counters);
  /// Gives the files their final names.
  void finish();

 private:
  std::string path(const std::string& name) const { return settings_.folder + "/" + name; }
  /// The file of this name, or nullptr when it is not written.
  GrowingFile* file(const std::string& name);
  void record_probes(const State& state);
  void record_loads(const State& state);
  void record_contacts(const State& state);
  void record_frame(const State& state);
  /// Forces of the dissipation terms [N], when points are blocks of q.
  void find_losses(const State& state);

  const System& system_;
  const RunSettings& settings_;
  Workspace workspace_;
  std::vector<std::string> names_;
  std::vector<GrowingFile> files_;
  Frame frame_;
  Balance losses_;  ///< damping forces of the state being recorded; empty: none, or not known
};

RunCounters counters_from(const std::vector<double>& numbers);

}  // namespace dashpot
