#pragma once
// What a session remembers of its motion: instants of all worlds, to scrub and to export. Bounded in memory: the oldest
// instants are dropped.

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "dashpot/record/run_result.hpp"
#include "studio_world.hpp"

namespace dashpot::studio {

class StudioRecording {
 public:
  struct Instant {
    double time = 0;                             ///< [s]
    std::map<std::string, WorldInstant> worlds;  ///< by kind
    std::vector<double> ledger;                  ///< row of the designed world
    std::size_t bytes = 0;
  };

  explicit StudioRecording(std::size_t most_bytes = std::size_t{192} << 20) : most_bytes_(most_bytes) {}

  void clear();
  /// Remembers the worlds as they are, unless the last instant is nearer than `every` [s].
  void add(const std::vector<StudioWorld>& worlds, double every);
  /// The scene was edited: forgets the worlds that `keeps` refuses, and all where the designed one is refused. What is
  /// kept can be scrubbed, but belongs to no run any more.
  void keep(const std::function<bool(const std::string& kind)>& keeps, const std::string& designed);
  /// Forgets what lies after `time` [s].
  void cut_after(double time);
  bool empty() const { return instants_.empty(); }
  double from() const { return empty() ? 0 : instants_.front().time; }
  double to() const { return empty() ? 0 : instants_.back().time; }
  std::size_t bytes() const { return bytes_; }
  /// The instant nearest to `time`; null: nothing is recorded.
  const Instant* nearest(double time) const;

  /// The designed world's motion since the last edit as a run: ledger, probes, frames.
  RunResult as_run(const StudioWorld& designed) const;

 private:
  std::size_t most_bytes_, bytes_ = 0;
  std::deque<Instant> instants_;
};

}  // namespace dashpot::studio
