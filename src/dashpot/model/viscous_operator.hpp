#pragma once
// What others may ask of a damping that is linear in v over a step: f = C v with C symmetric positive semidefinite and
// held from begin_step to the end of the step. Designs that change a given damping (examples, modes) build on C without
// knowing how it is made.

#include "dashpot/model/terms.hpp"

namespace dashpot {

class ViscousOperator {
 public:
  virtual ~ViscousOperator() = default;
  /// CX = C X for the C that begin_step left in `scratch` (the term's own). X has a row for each dof of the blocks that
  /// the term touches; CX is resized.
  virtual void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const = 0;
};

/// CX = C X for an X over more dofs, `of_X`, than those of C, `of_C`.
inline void apply_within(const ViscousOperator& C, const TermScratch* scratch, const DofRange& of_C,
                         const DofRange& of_X, const Eigen::Ref<const Matrix>& X, Matrix& CX) {
  if (of_C.size() == of_X.size()) return C.apply(scratch, X, CX);
  Matrix inner;
  C.apply(scratch, X.middleRows(of_C.begin - of_X.begin, of_C.size()), inner);
  CX.setZero(X.rows(), X.cols());
  CX.middleRows(of_C.begin - of_X.begin, of_C.size()) = inner;
}

}  // namespace dashpot
