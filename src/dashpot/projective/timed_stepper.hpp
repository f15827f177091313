#pragma once
// A stepper that can be told until when its step shall be done, in wall-clock time: for frames at a fixed rate.

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

class TimedStepper : public Stepper {
 public:
  TimedStepper* timed() override { return this; }
  /// Time that a step may take by the stepper's own options [s]; 0: no limit.
  virtual double budget() const = 0;
  /// Now, on the clock that deadlines are read on [s].
  virtual double seconds() const = 0;
  /// Steps from now on shall be done by then [s]; 0: each has the stepper's own budget again.
  virtual void set_deadline(double deadline) = 0;
};

}  // namespace dashpot
