#pragma once
// Frames at a fixed rate, for whoever watches while it runs. Each frame advances the state by its duration in one step
// (or several equal ones) and takes in what others asked for since the last frame: a live change of damping, a pull
// with the mouse. How late frames are and how long a request waits until it is seen is measured, not assumed.
//
// A budget is that of the frame, whatever its stages, steps and retries. A step gets the share of what is left of it
// that its length has of what is left of the frame; projective steppers end their iterations in time (TimedStepper).
// A step that fails is tried again in halves while there is budget left. A frame that runs out of it ends where it came
// to: its report says so, the state's time says how far, and the next frame goes on from there, in shorter steps where
// this one did not move at all.
//
// What may still overrun the budget: a step that has begun takes at least one iteration in each stage, makes the factor
// that it needs (a live change, a new contact, a new length of the step), and takes its ledger, which is allowed for as
// long as that of the last step. Newton's method does not look at clocks: there the budget only ends retries.

#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "dashpot/integrate/live_system.hpp"
#include "dashpot/projective/timed_stepper.hpp"

namespace dashpot {

struct RealtimeOptions {
  double frame = 1.0 / 60;  ///< [s] of simulated and of wall-clock time
  int steps_per_frame = 1;
  double budget = 0;     ///< wall-clock time that the steps of a frame may take [s]; 0: the stepper's, where it has one
  int max_halvings = 6;  ///< steps that fail are tried again down to 1 / 2^max_halvings of their length
};

/// Durations in seconds, as they were measured.
struct RealtimeTimings {
  std::vector<double> work;     ///< of each frame: requests and steps
  std::vector<double> delay;    ///< of each frame: from when it was due to begin to its end
  std::vector<double> latency;  ///< of each request: from post() to the end of the first frame that knows it
  int late_frames = 0;          ///< frames that ended after the next one was due, their own work or an earlier one's
  int short_frames = 0;         ///< frames that ran out of budget before their end
  /// The value that a share (0 .. 1) of the sorted durations does not exceed; 0 where there are none.
  static double quantile(std::vector<double> durations, double share);
};

/// What a frame did. `failed`: the state is the last good one and no step, however short, goes on from it.
struct FrameReport : StepReport {
  double advanced = 0;        ///< simulated time [s]
  bool is_cut_short = false;  ///< the budget was used up: advanced < the frame; `explanation` says by what
};

class RealtimeLoop {
 public:
  /// Everything must outlive the loop; `state` is only touched in frame().
  RealtimeLoop(Stepper& stepper, const System& system, State& state, const RealtimeOptions& options);

  /// From any thread: `change` runs between two frames, in the order of the calls. It may change the state, and the
  /// values of its parameters in particular.
  void post(std::function<void(State&)> change);
  /// The System with the values that hold now.
  const System& system() const { return *system_; }
  /// Takes in requests and makes one frame.
  FrameReport frame();
  /// Waits until the next frame is due; returns at once when it is late. Up to one frame is caught up.
  void wait() const;
  const RealtimeTimings& timings() const { return timings_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Request {
    std::function<void(State&)> change;
    Clock::time_point posted;
  };
  FrameReport take_steps();

  Stepper& stepper_;
  TimedStepper* timed_;  ///< stepper_, where it can be told a deadline
  LiveSystem system_;
  State& state_;
  RealtimeOptions options_;
  double budget_ = 0;  ///< of a frame [s]; 0: none
  int halvings_ = 0;   ///< of the first step that a frame tries
  std::mutex mutex_;
  std::vector<Request> requests_;
  Clock::time_point due_;
  RealtimeTimings timings_;
};

}  // namespace dashpot
