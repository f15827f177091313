#pragma once
// What the terms of a reduced System share: the map q = X + Phi z between subspace coordinates z and the coordinates q
// of the full System, and its inertia, kinematics and projections. A reduced System has one block of r coordinates.
//
//   force       f~ = Phi^T f;  stiffness K~ = Phi^T K Phi;  mass I (the basis is mass-orthonormal)
//   velocity    v = Phi v~;    an example deformation X is X~ = Phi^T M X, not Phi^T X
//
// Total force and torque of a reduced force are those of the full force M Phi f~, which the basis sees as f~.

#include <memory>
#include <vector>

#include "dashpot/model/system.hpp"
#include "dashpot/reduce/basis.hpp"

namespace dashpot {

class Subspace {
 public:
  Subspace(std::shared_ptr<const System> full, std::shared_ptr<const ReducedBasis> basis);

  const System& full() const { return *full_; }
  const ReducedBasis& basis() const { return *basis_; }
  int size() const { return basis_->size(); }

  Vector lift(const Vector& z) const { return basis_->positions(z); }
  Vector lift_rate(const Vector& v) const { return basis_->shapes * v; }
  /// A State of the full System at these coordinates; memory is `memory` where given.
  State full_state(const Vector& z, const Vector& v, double time) const;
  Vector project_force(const Vector& f) const { return basis_->shapes.transpose() * f; }
  /// The same for a force that acts on few nodes: only rows that are not zero are read.
  void add_sparse_force(const Vector& f, Vector& out) const;
  /// Rows of Phi of one node, 3 x r: dx/dz.
  auto point_rows(int node) const { return rows_.middleRows<3>(3 * Eigen::Index{node}); }
  /// Phi^T A Phi.
  Matrix project(const BlockMatrix& A) const;
  /// U S V^T with U and V projected.
  LowRank project(const LowRank& part) const;
  /// Force and torque (or momentum) of M Phi f at z.
  LinearAngular wrench(const Vector& z, const Vector& f) const;

 private:
  std::shared_ptr<const System> full_;
  std::shared_ptr<const ReducedBasis> basis_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;  ///< Phi, row by row
  Eigen::Matrix3Xd linear_;                                                      ///< 3 x r
  Eigen::Matrix3Xd angular_;                                                     ///< 3 x r, about the origin at z = 0
  Matrix torsion_[3];  ///< r x r: angular_c(z, f) = angular_ f + z . torsion_c f
};

/// Adds `scale` times a dense r x r matrix to the one block of a reduced tangent.
void add_dense(const Matrix& A, double scale, BlockMatrix& out);
/// The nearest positive semidefinite matrix.
Matrix positive_part(const Matrix& A);

class SubspaceInertia final : public Inertia {
 public:
  explicit SubspaceInertia(std::shared_ptr<const Subspace> subspace) : subspace_(std::move(subspace)) {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_constant() const override { return true; }
  bool is_diagonal() const override { return true; }
  void add_force(const Vector&, const Vector&, const Vector& a, Vector& f) const override { f += a; }
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override;
  double kinetic_energy(const Vector&, const Vector& v) const override { return 0.5 * v.squaredNorm(); }
  LinearAngular momentum(const Vector& q, const Vector& v) const override { return subspace_->wrench(q, v); }

 private:
  std::shared_ptr<const Subspace> subspace_;
};

class SubspaceKinematics final : public Kinematics {
 public:
  explicit SubspaceKinematics(std::shared_ptr<const Subspace> subspace) : subspace_(std::move(subspace)) {}
  int num_points() const override { return subspace_->full().kinematics().num_points(); }
  void positions(const Vector& q, std::vector<Vec3>& x) const override;
  void velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const override;
  Vec3 point_position(const double* q, int point) const override;
  void point_jacobian(const double* q, int point, PointJacobian& J) const override;
  Vec3 point_velocity(const double* q, const double* v, int point) const override;
  void add_point_force(const double* q, int point, const Vec3& f, double* out) const override;
  std::vector<int> point_blocks(int) const override { return {0}; }
  using Kinematics::wrench;
  /// A reduced body has one block.
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange) const override { return subspace_->wrench(q, f); }

 private:
  std::shared_ptr<const Subspace> subspace_;
};

}  // namespace dashpot
