#pragma once
// The files of a run, written as it goes on: ledger.csv (one row a step), probes.csv, loads.csv (where there are
// loads), contacts.csv (where something can touch), frames.dpf and checkpoint.dpc in one folder. Interrupted or killed,
// the run resumes with the same bits. A run that diverges ends its files with the last good state.

#include <string>
#include <vector>

#include "dashpot/record/growing_file.hpp"
#include "dashpot/record/run.hpp"

namespace dashpot {

struct RunFolderOptions {
  bool write_frames = true;
  bool resume = false;  ///< go on from folder/checkpoint.dpc
};

class RunFolder final : public RunSink {
 public:
  explicit RunFolder(std::string folder, RunFolderOptions options = {})
      : folder_(std::move(folder)), options_(options) {}

  std::optional<Checkpoint> earlier() override;
  /// Makes the folder and starts new files, in place of those of an earlier run.
  void begin(const RunResult& empty, int num_points) override;
  /// Goes on with the files the checkpoint knows, cut back to the lengths they had then.
  void resume(const Checkpoint& checkpoint, RunResult& so_far, bool with_frames) override;
  bool wants_frames() const override { return options_.write_frames; }
  void row(RunTable table, const std::vector<double>& values) override;
  void frame(const Frame& frame) override;
  void checkpoint(Checkpoint checkpoint) override;
  /// Gives the files their final names. An interrupted run keeps its partial files, to be continued; a diverged one is
  /// as whole as it will ever be.
  void end(RunStatus status) override;

 private:
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// The names of all files that grow, given the columns of the tables.
  void name_files(const RunResult& tables);
  /// The file of this name, or nullptr when it is not written.
  GrowingFile* file(const std::string& name);

  std::string folder_;
  RunFolderOptions options_;
  std::vector<std::string> names_;
  std::vector<GrowingFile> files_;
};

/// "ledger.csv", "probes.csv", ...
std::string file_name(RunTable table);

/// A run back from its folder: tables, recording, last checkpoint, and how it ended (summary.json). The run may be
/// unfinished; then it counts as interrupted. Frames in a file are single precision; without them the
/// recording is empty. dashpot::Error when the folder holds no run.
RunResult read_run(const std::string& folder, bool with_frames = true);

}  // namespace dashpot
