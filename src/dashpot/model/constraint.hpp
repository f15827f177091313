#pragma once
// Elimination q = T q~ + d(t): some dofs are prescribed functions of time, the rest are free. No multipliers; the work
// of the reactions counts as external work.

#include <cstdint>
#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Prescribes a set of dofs as functions of time, with exact first and second derivatives.
class Constraint {
 public:
  virtual ~Constraint() = default;
  /// Dofs this constraint prescribes (indices into q).
  virtual const std::vector<int>& dofs() const = 0;
  /// Writes d(t), d'(t), d''(t) into the prescribed entries; null pointers are skipped.
  virtual void prescribe(double time, Vector* q, Vector* v, Vector* a) const = 0;
  /// True when d(t) never changes (a pin): its reactions do no work.
  virtual bool is_fixed() const = 0;
};

}  // namespace dashpot
