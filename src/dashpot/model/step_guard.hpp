#pragma once
// Refuses states that a step must not lead to: a body that passes through a thin collider feels no force on the other
// side, so forces alone would not notice. Solvers treat a refused state as they treat one whose forces are not finite:
// a shorter step along the search direction, then a shorter time step.

#include <memory>
#include <string>

#include "dashpot/core/types.hpp"
#include "dashpot/model/state.hpp"

namespace dashpot {

/// Where a step began and where it would lead.
struct StepTrial {
  const Vector& q_start;           ///< [m]
  double time_start = 0;           ///< [s]
  const Vector& q;                 ///< where it would lead
  double time = 0;                 ///< [s]
  TermScratch* scratch = nullptr;  ///< what make_scratch() of this guard made; null: results are made anew
};

class StepGuard {
 public:
  virtual ~StepGuard() = default;
  /// Why it refuses what it refuses, in plain words.
  virtual std::string reason() const = 0;
  /// Results to come back to, which a run owns; null: it has no use for any.
  virtual std::unique_ptr<TermScratch> make_scratch() const { return nullptr; }
  virtual bool admits(const StepTrial& trial) const = 0;
};

}  // namespace dashpot
