#pragma once
// What others may ask of a damping that is linear in v over a step: f = C v with C symmetric positive semidefinite and
// held from begin_step to the end of the step. Designs that change a given damping (examples, modes) build on C without
// knowing how it is made.

#include "dashpot/model/terms.hpp"

namespace dashpot {

class ViscousOperator {
 public:
  virtual ~ViscousOperator() = default;
  /// CX = C X for the C that begin_step left in `scratch` (the term's own). X has num_dofs rows; CX is resized.
  virtual void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const = 0;
};

/// A damping whose tangent is a symmetric sparse matrix plus low-rank parts, which alone may be non-symmetric. Such a
/// System can still be solved by Cholesky (Woodbury takes any part) and by conjugate gradients (which take the
/// symmetric parts), whatever DissipationTraits::symmetric says about the whole.
class LowRankDamping {
 public:
  virtual ~LowRankDamping() = default;
};

}  // namespace dashpot
