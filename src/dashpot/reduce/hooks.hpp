#pragma once
// How a long precomputation talks to its caller.
#include <functional>
#include <string>

namespace dashpot {

struct PrecomputeHooks {
  /// Called now and then, from one thread at a time: what is being done, and how much of it is done (0 .. 1).
  std::function<void(const std::string& what, double fraction)> on_progress = {};
  /// Polled now and then; true: give up. The function then returns nothing.
  std::function<bool()> should_stop = {};

  void report(const std::string& what, double fraction) const {
    if (on_progress) on_progress(what, fraction);
  }
  bool stopped() const { return should_stop && should_stop(); }
};

}  // namespace dashpot
