#pragma once
// How long steps take on a machine that others use too. Several bodies step in turn, so that a busy moment hits all of
// them, and the whole motion is repeated; of each step the fastest repeat counts. What is left is the time of a step
// that nobody interrupted. A machine that is slow throughout still shows as slow. The median of the repeats tells what
// a user waits for.

#include <memory>
#include <vector>

#include "dashpot/integrate/stepper.hpp"

namespace dashpot::cli {

/// A body on its way, and what its steps cost.
class TimedBody {
 public:
  /// Steps by Bathe's rule.
  TimedBody(std::shared_ptr<const System> system, State start, const NewtonOptions& newton);
  TimedBody(std::shared_ptr<const System> system, State start, std::unique_ptr<Stepper> stepper);

  /// Mean over the steps of their fastest repeat [ms]; not a number where a step failed or none was measured.
  double milliseconds() const;
  /// The same of their median repeat.
  double median_milliseconds() const;
  /// The fastest repeat of each measured step [ms].
  std::vector<double> each_milliseconds() const;
  double newton_iterations() const { return static_cast<double>(newton_iterations_) / count(); }  ///< a step
  double linear_iterations() const { return static_cast<double>(linear_iterations_) / count(); }  ///< a step
  bool failed() const { return failed_; }
  const System& system() const { return *system_; }

 private:
  friend void time_in_turn(std::vector<TimedBody>& bodies, double dt, int steps, int repeats);
  double count() const { return repeats_.empty() ? 1.0 : static_cast<double>(repeats_.size()); }
  void restart();
  void step(double dt, int index);  ///< index < 0: not measured

  std::shared_ptr<const System> system_;
  State start_, state_;
  Workspace workspace_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<std::vector<double>> repeats_;                    ///< [ms], of each measured step
  std::int64_t newton_iterations_ = 0, linear_iterations_ = 0;  ///< of one repeat
  bool failed_ = false;
};

/// Steps of dt [s]. Two steps before each repeat are not measured. Ends early when
/// interrupted.
void time_in_turn(std::vector<TimedBody>& bodies, double dt, int steps, int repeats);

}  // namespace dashpot::cli
