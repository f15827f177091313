#include "dashpot/reduce/subspace.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace dashpot {

Subspace::Subspace(std::shared_ptr<const System> full, std::shared_ptr<const ReducedBasis> basis)
    : full_(std::move(full)), basis_(std::move(basis)), rows_(basis_->shapes) {
  const int r = size();
  const Eigen::Index points = basis_->rest.size() / 3;
  linear_.setZero(3, r);
  angular_.setZero(3, r);
  for (Eigen::Index i = 0; i < points; ++i) {
    const Vec3 X = basis_->rest.segment<3>(3 * i);
    for (int k = 0; k < r; ++k) {
      const Vec3 p = basis_->weighted.col(k).segment<3>(3 * i);
      const Vec3 torque = X.cross(p);
      linear_.col(k) += p;
      angular_.col(k) += torque;
    }
  }
  // Strided views: coordinate c of all points.
  using Plane = Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  const auto plane = [&](const Matrix& A, int c) {
    return Plane(A.data() + c, points, r, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(A.rows(), 3));
  };
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    torsion_[c] = plane(basis_->shapes, a).transpose() * plane(basis_->weighted, b) -
                  plane(basis_->shapes, b).transpose() * plane(basis_->weighted, a);
  }
}

State Subspace::full_state(const Vector& z, const Vector& v, double time) const {
  State state;
  state.q = lift(z);
  state.v = lift_rate(v);
  state.a = Vector::Zero(state.q.size());
  state.time = time;
  return state;
}

void Subspace::add_sparse_force(const Vector& f, Vector& out) const {
  for (Eigen::Index i = 0; i < f.size(); ++i)
    if (f[i] != 0) out += f[i] * rows_.row(i).transpose();
}

Matrix Subspace::project(const BlockMatrix& A) const {
  const Matrix& Phi = basis_->shapes;
  Matrix product(Phi.rows(), Phi.cols());
  for (Eigen::Index i = 0; i < Phi.cols(); ++i) A.multiply(Phi.col(i), product.col(i));
  return Phi.transpose() * product;
}

LowRank Subspace::project(const LowRank& part) const {
  const auto Phi = basis_->shapes.middleRows(part.first_dof, part.num_rows());
  const SharedMatrix U = Phi.transpose() * *part.U;
  return {U, part.S, part.V.is(part.U) ? U : SharedMatrix(Phi.transpose() * *part.V)};
}

LinearAngular Subspace::wrench(const Vector& z, const Vector& f) const {
  LinearAngular total;
  total.linear = linear_ * f;
  total.angular = angular_ * f;
  for (int c = 0; c < 3; ++c) total.angular[c] += z.dot(torsion_[c] * f);
  return total;
}

void add_dense(const Matrix& A, double scale, BlockMatrix& out) {
  Eigen::Map<Matrix>(out.block(0), A.rows(), A.cols()) += scale * A;
}

Matrix positive_part(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

void SubspaceInertia::add_tangent(const Vector&, const Vector&, const Vector&, double mass_scale, double, double,
                                  BlockMatrix& matrix) const {
  Eigen::Map<Matrix>(matrix.block(0), subspace_->size(), subspace_->size()).diagonal().array() += mass_scale;
}

void SubspaceKinematics::positions(const Vector& q, std::vector<Vec3>& x) const {
  subspace_->full().kinematics().positions(subspace_->lift(q), x);
}

Vec3 SubspaceKinematics::point_position(const double* q, int point) const {
  return subspace_->basis().rest.segment<3>(3 * Eigen::Index{point}) + point_velocity(q, q, point);
}

void SubspaceKinematics::point_jacobian(const double*, int point, PointJacobian& J) const {
  J.parts.assign(1, {0, 0, subspace_->size()});
  J.columns = subspace_->point_rows(point);
}

Vec3 SubspaceKinematics::point_velocity(const double*, const double* v, int point) const {
  return subspace_->point_rows(point) * Eigen::Map<const Vector>(v, subspace_->size());
}

void SubspaceKinematics::add_point_force(const double*, int point, const Vec3& f, double* out) const {
  Eigen::Map<Vector>(out, subspace_->size()) += subspace_->point_rows(point).transpose() * f;
}

void SubspaceKinematics::velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const {
  subspace_->full().kinematics().velocities(subspace_->lift(q), subspace_->lift_rate(v), xdot);
}

}  // namespace dashpot
