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

}  // namespace dashpot
