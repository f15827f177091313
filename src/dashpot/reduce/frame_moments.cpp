#include "dashpot/reduce/moving_frame.hpp"

namespace dashpot {
namespace {

/// Coordinate c of all points, for each column.
Matrix plane(const Matrix& A, int c) {
  Matrix rows(A.rows() / 3, A.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) = A.row(3 * i + c);
  return rows;
}

}  // namespace

FrameMoments::FrameMoments(const Subspace& subspace) {
  const ReducedBasis& basis = subspace.basis();
  const Inertia& inertia = subspace.full().inertia();
  const Vector zero = Vector::Zero(basis.rest.size());
  Vector heavy = zero, weight = zero, along_x = zero;
  inertia.add_force(basis.rest, zero, basis.rest, heavy);  // M X
  for (Eigen::Index i = 0; i < along_x.size(); i += 3) along_x[i] = 1;
  inertia.add_force(basis.rest, zero, along_x, weight);
  mass_ = weight.sum();
  const int r = subspace.size();
  linear_.resize(3, r);
  for (int a = 0; a < 3; ++a) {
    const Matrix weighted = plane(basis.weighted, a), X = plane(basis.rest, a), MX = plane(heavy, a);
    linear_.row(a) = weighted.colwise().sum();
    first_[a] = MX.sum();
    for (int b = 0; b < 3; ++b) {
      h_[a][b] = weighted.transpose() * plane(basis.rest, b);
      B_[a][b] = weighted.transpose() * plane(basis.shapes, b);
      second_(b, a) = plane(basis.rest, b).col(0).dot(MX.col(0));
    }
  }
}

Mat3 FrameMoments::mixed(const Vector& w, const Vector& z) const {
  Mat3 D;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) D(a, b) = w.dot(h_[a][b]) + w.dot(B_[a][b] * z);
  return D;
}

Mat3 FrameMoments::second(const Vector& z) const {
  Mat3 S = second_;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) S(a, b) += z.dot(h_[a][b] + h_[b][a]) + z.dot(B_[a][b] * z);
  return S;
}

Matrix FrameMoments::turned(const Mat3& A) const {
  Matrix sum = Matrix::Zero(size(), size());
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) sum += A(a, b) * B_[a][b];
  return sum;
}

Vector FrameMoments::turned(const Mat3& A, const Vector& z) const {
  Vector sum = turned(A) * z;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) sum += A(a, b) * h_[a][b];
  return sum;
}

}  // namespace dashpot
