#pragma once
// What others may ask of a damping that is linear in v over a step: f = C v with C symmetric positive semidefinite and
// held from begin_step to the end of the step. Designs that change a given damping (examples, modes) build on C without
// knowing how it is made.

#include <span>

#include "dashpot/model/terms.hpp"

namespace dashpot {

class ViscousOperator;
/// The same damping with near values of parameters, made of the one that is asked by `remade`: part of a difference,
/// whose weights sum to zero in each column.
struct NearDamping {
  const ViscousOperator* damping = nullptr;
  double weight = 0;
  int column = 0;
};

class ViscousOperator {
 public:
  virtual ~ViscousOperator() = default;
  /// CX = C X for the C that begin_step left in `scratch` (the term's own). X has a row for each dof of the blocks that
  /// the term touches; CX is resized.
  virtual void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const = 0;
  /// Whether add_held_slope() may be asked for.
  virtual bool has_held_slope() const { return false; }
  /// G += d(C(q_n) v)/dq_n, v held: how the force follows the positions that C was made at [N/m]. G is over all dofs of
  /// the System; it is not symmetric.
  virtual void add_held_slope(const TermScratch* scratch, const Vector& v, BlockMatrix& G) const {
    static_cast<void>(scratch), static_cast<void>(v), static_cast<void>(G);
  }
  /// columns.col(near.column) += near.weight C_near v for the C that each neighbor would hold where this one's was
  /// made, in one pass, without making it. Neighbors of one column stand side by side. False: not offered, nothing was
  /// added.
  virtual bool add_near_forces(const TermScratch* scratch, const Vector& v, std::span<const NearDamping> neighbors,
                               Matrix& columns) const {
    return static_cast<void>(scratch), static_cast<void>(v), static_cast<void>(neighbors), static_cast<void>(columns),
           false;
  }
  /// g += G^T w, without making G. False: not offered, and nothing was added.
  virtual bool add_held_product(const TermScratch* scratch, const Vector& v, const Vector& w, Vector& g) const {
    return static_cast<void>(scratch), static_cast<void>(v), static_cast<void>(w), static_cast<void>(g), false;
  }
  /// products[near.column] += w . (what add_near_forces() adds to that column), columns below num_columns. False: not
  /// offered, and nothing was added.
  virtual bool add_near_products(const TermScratch* scratch, const Vector& v, const Vector& w,
                                 std::span<const NearDamping> neighbors, int num_columns, double* products) const {
    return static_cast<void>(scratch), static_cast<void>(v), static_cast<void>(w), static_cast<void>(neighbors),
           static_cast<void>(num_columns), static_cast<void>(products), false;
  }
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
