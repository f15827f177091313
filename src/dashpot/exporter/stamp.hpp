#pragma once
// Who made an exported file, and from what.
#include <string>

namespace dashpot::exporter {

struct Stamp {
  std::string title;        ///< of the scene
  std::string scene_hash;   ///< of the scene file that was run; empty when unknown
  bool is_finished = true;  ///< the run came to its end

  /// "dashpot 0.1.0 (v0.1.0-5-gabcdef)".
  static std::string program();
  /// "dashpot 0.1.0 (...), scene hash 0123...": one line, for comments.
  std::string text() const;
};

/// The stamp of the run in `folder`, from its summary.json; unfinished when there is none.
Stamp read_stamp(const std::string& folder);

}  // namespace dashpot::exporter
