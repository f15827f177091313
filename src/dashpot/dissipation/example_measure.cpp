#include "dashpot/dissipation/example_measure.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/math/polar3.hpp"

namespace dashpot {
namespace {

/// (D G D)^+ for the diagonal D that makes the diagonal of D G D one, brought back: a pseudo-inverse of G that does not
/// depend on the lengths of the columns it was made of. Columns with |.|^2 <= floor_i count as zero.
Matrix scaled_pseudo_inverse(const Matrix& G, const Vector& floor) {
  if (G.rows() == 0) return G;
  Vector d = Vector::Zero(G.rows());
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (G(i, i) > floor[i]) d[i] = 1 / std::sqrt(G(i, i));
  const Matrix scaled = d.asDiagonal() * G * d.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled);
  Vector inverse = Vector::Zero(G.rows());
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (eigen.eigenvalues()[i] > 1e-12) inverse[i] = 1 / eigen.eigenvalues()[i];
  return d.asDiagonal() * eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose() *
         d.asDiagonal();
}

}  // namespace

ExampleMeasure::ExampleMeasure(BlockMatrix M, const Matrix& X, const Vector& rest, bool without_rigid)
    : M_(std::move(M)) {
  const int b = M_.pattern().layout().size(M_.rows().begin);
  Vector ones = Vector::Zero(rest.size());
  node_mass_ = Vector::Zero(rest.size() / b);
  for (Eigen::Index i = 0; i < rest.size(); i += b) ones[i] = 1;
  const Vector M_ones = times_mass(ones);
  for (Eigen::Index i = 0; i < node_mass_.size(); ++i) node_mass_[i] = M_ones[i * b];
  total_mass_ = node_mass_.sum();
  find_rigid_modes(b, rest, without_rigid);

  Matrix shapes = X, M_shapes(rest.size(), X.cols());
  Vector floor(X.cols());
  for (Eigen::Index i = 0; i < X.cols(); ++i) {
    floor[i] = 1e-18 * shapes.col(i).dot(times_mass(shapes.col(i)));
    shapes.col(i) = this->without_rigid(shapes.col(i));
    M_shapes.col(i) = times_mass(shapes.col(i));
  }
  const Matrix G = shapes.transpose() * M_shapes;
  P_transposed_ = M_shapes * scaled_pseudo_inverse(0.5 * (G + G.transpose()), floor);
}

void ExampleMeasure::find_rigid_modes(int b, const Vector& rest, bool without_rigid) {
  Vector center = Vector::Zero(b);
  for (Eigen::Index i = 0; i < node_mass_.size(); ++i) center += node_mass_[i] / total_mass_ * rest.segment(i * b, b);
  centerd_ = rest - center.replicate(node_mass_.size(), 1);
  if (!without_rigid) return;
  Z_ = Matrix::Zero(rest.size(), b == 3 ? 6 : b);
  for (Eigen::Index i = 0; i < rest.size(); i += b) {
    Z_.block(i, 0, b, b).setIdentity();
    if (b != 3) continue;
    const Vec3 r = centerd_.segment<3>(i);
    for (int axis = 0; axis < 3; ++axis) Z_.block<3, 1>(i, 3 + axis) = Vec3::Unit(axis).cross(r);
  }
  Matrix MZ(Z_.rows(), Z_.cols());
  for (Eigen::Index i = 0; i < Z_.cols(); ++i) MZ.col(i) = times_mass(Z_.col(i));
  const Matrix G = Z_.transpose() * MZ;
  Z_dual_ = MZ * scaled_pseudo_inverse(0.5 * (G + G.transpose()), Vector::Zero(G.rows()));
}

Vector ExampleMeasure::times_mass(const Vector& u) const {
  Matrix product;
  multiply_columns(M_, u, product);
  return product;
}

Vector ExampleMeasure::without_rigid(const Vector& u) const {
  return Z_.size() == 0 ? u : Vector(u - Z_ * (Z_dual_.transpose() * u));
}

Vector ExampleMeasure::without_rigid_transposed(const Vector& g) const {
  return Z_.size() == 0 ? g : Vector(g - Z_dual_ * (Z_.transpose() * g));
}

double ExampleMeasure::mass_rms(const Vector& u) const {
  return std::sqrt(std::max(0.0, u.dot(times_mass(u))) / total_mass_);
}

Vector ExampleMeasure::mass_rms_slope(const Vector& u) const { return times_mass(u) / total_mass_; }

Mat3 ExampleMeasure::rotation(const Vector& x) const {
  Mat3 covariance = Mat3::Zero();  // the sum of m (X - c_0) is zero: the center of x need not be taken out
  for (Eigen::Index i = 0; i < node_mass_.size(); ++i)
    covariance += node_mass_[i] * x.segment<3>(3 * i) * centerd_.segment<3>(3 * i).transpose();
  math::Matrix3<double> A;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) A(r, c) = covariance(r, c);
  const math::Polar3<double> polar = math::polar3(A);
  Mat3 R;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) R(r, c) = polar.R(r, c);
  return R;
}

}  // namespace dashpot
