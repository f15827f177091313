#pragma once
// A checkpoint is a State, the ledger's sums and the lengths of the files written so far, in one file that is replaced
// atomically. Resuming from it continues with the same bits.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/input_files.hpp"
#include "dashpot/model/state.hpp"
#include "dashpot/record/run_result.hpp"

namespace dashpot {

struct Checkpoint {
  std::string fingerprint;        ///< what was simulated (hash of the inputs); a resume must match it
  std::vector<InputFile> inputs;  ///< the files that were read, to say which of them has changed since
  State state;
  std::vector<double> accumulators;  ///< EnergyLedger::accumulators
  std::vector<double> counters;      ///< Newton iterations and the like, for the summary
  /// Name and length in bytes of each growing file at this moment; a resume cuts them back to it.
  std::vector<std::pair<std::string, std::uint64_t>> files;
  std::string source;  ///< the file it was read from, for messages; not part of it
};

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// dashpot::Error when the file is not a whole checkpoint of this version.
Checkpoint read_checkpoint(const std::string& path);

/// The same from bytes; `name` is used in messages.
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);

/// Checkpoint::counters; what has another length was written by another version and counts as nothing.
std::vector<double> to_numbers(const RunCounters& counters);
RunCounters counters_from(const std::vector<double>& numbers);

}  // namespace dashpot
