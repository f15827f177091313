#pragma once
// Measures displacements of one body against examples, mass-weighted:
//     chi = P u,  P = (X^T M X)^-1 X^T M        (chi_i = 1: one example; pseudo-inverse where examples depend on
//     others) |u| = sqrt(u^T M u / m)  or  ||u||_2
// and finds the best rotation of the body, argmin_R sum_i m_i |x_i - c - R (X_i - c_0)|^2 (polar factor of the
// covariance). Where rigid motion is not to be counted, its parts (b translations; rotations for blocks of 3) are taken
// out of X and of u M-orthogonally. All vectors are over the dofs of the body.

#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class ExampleMeasure {
 public:
  ExampleMeasure() = default;
  /// M stores the rows of the body; X and rest are over its dofs.
  ExampleMeasure(BlockMatrix M, const Matrix& X, const Vector& rest, bool without_rigid);

  /// P^T, one column per example.
  const Matrix& P_transposed() const { return P_transposed_; }
  /// u - rigid part of u; u itself where rigid motion is counted.
  Vector without_rigid(const Vector& u) const;
  double mass_rms(const Vector& u) const;
  /// d mass_rms / du times mass_rms, i.e. M u / m, of a u without rigid part.
  Vector mass_rms_slope(const Vector& u) const;
  /// Best rotation from rest to x (blocks of 3).
  Mat3 rotation(const Vector& x) const;
  /// Adjoint of without_rigid: g - M Z Z^+ g.
  Vector without_rigid_transposed(const Vector& g) const;

 private:
  Vector times_mass(const Vector& u) const;
  void find_rigid_modes(int block_size, const Vector& rest, bool without_rigid);

  BlockMatrix M_;          ///< rows of the body
  double total_mass_ = 0;  ///< [kg]
  Vector node_mass_;       ///< row sums of M per block [kg]
  Vector centerd_;         ///< rest minus its center of mass
  Matrix Z_, Z_dual_;      ///< rigid modes, and M Z (Z^T M Z)^+; empty where rigid motion is counted
  Matrix P_transposed_;
};

}  // namespace dashpot
