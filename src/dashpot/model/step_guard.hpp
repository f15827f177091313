#pragma once
// Refuses states that a step must not lead to: a body that passes through a thin collider feels no force on the other
// side, so forces alone would not notice. Solvers treat a refused state as they treat one whose forces are not finite:
// a shorter step along the search direction, then a shorter time step.

#include <string>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Where a step began and where it would lead.
struct StepTrial {
  const Vector& q_start;  ///< [m]
  double time_start = 0;  ///< [s]
  const Vector& q;        ///< where it would lead
  double time = 0;        ///< [s]
};

class StepGuard {
 public:
  virtual ~StepGuard() = default;
  /// Why it refuses what it refuses, in plain words.
  virtual std::string reason() const = 0;
  virtual bool admits(const StepTrial& trial) const = 0;
};

}  // namespace dashpot
