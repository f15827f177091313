#pragma once
// Frames at a fixed rate, for whoever watches while it runs. Each frame advances the state by its duration in one step
// (or several equal ones), never waits for the solver longer than the stepper's own budget allows (ProjectiveOptions),
// and takes in what others asked for since the last frame: a live change of damping, a pull with the mouse. How late
// frames are and how long a request waits until it is seen is measured, not assumed.

#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

struct RealtimeOptions {
  double frame = 1.0 / 60;  ///< [s] of simulated and of wall-clock time
  int steps_per_frame = 1;
};

/// Durations in seconds, as they were measured.
struct RealtimeTimings {
  std::vector<double> work;     ///< of each frame: requests and steps
  std::vector<double> latency;  ///< of each request: from post() to the end of the first frame that knows it
  int late_frames = 0;          ///< frames whose work took longer than the frame
  /// The value that a share (0 .. 1) of the sorted durations does not exceed; 0 where there are none.
  static double quantile(std::vector<double> durations, double share);
};

class RealtimeLoop {
 public:
  /// Everything must outlive the loop; `state` is only touched in frame().
  RealtimeLoop(Stepper& stepper, const System& system, State& state, const RealtimeOptions& options);

  /// From any thread: `change` runs between two frames, in the order of the calls.
  void post(std::function<void()> change);
  /// Takes in requests and makes one frame. A step that fails leaves the state where it was and says why.
  StepReport frame();
  /// Waits until the next frame is due; returns at once when it is late.
  void wait() const;
  const RealtimeTimings& timings() const { return timings_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Request {
    std::function<void()> change;
    Clock::time_point posted;
  };

  Stepper& stepper_;
  const System& system_;
  State& state_;
  RealtimeOptions options_;
  Workspace workspace_;
  std::mutex mutex_;
  std::vector<Request> requests_;
  Clock::time_point due_;
  RealtimeTimings timings_;
};

}  // namespace dashpot
