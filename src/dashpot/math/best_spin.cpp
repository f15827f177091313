#include "dashpot/math/best_spin.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace dashpot::math {

namespace {

/// Eigenvectors of a symmetric matrix, and 1/eigenvalue of those that count.
struct PseudoInverse {
  Mat3 vectors;
  Vec3 inverse = Vec3::Zero();
  explicit PseudoInverse(const Mat3& A) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
    vectors = eigen.eigenvectors();
    const double least = 1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff();
    for (int i = 0; i < 3; ++i)
      if (std::abs(eigen.eigenvalues()[i]) > least) inverse[i] = 1 / eigen.eigenvalues()[i];
  }
};

}  // namespace

Mat3 symmetric_pseudo_inverse(const Mat3& A) {
  const PseudoInverse pseudo(A);
  return pseudo.vectors * pseudo.inverse.asDiagonal() * pseudo.vectors.transpose();
}

Vec3 symmetric_pseudo_solve(const Mat3& A, const Vec3& b) {
  const PseudoInverse pseudo(A);
  return pseudo.vectors * pseudo.inverse.cwiseProduct(pseudo.vectors.transpose() * b);
}

ElementSpin element_spin(const Mat3& F, const Mat3& Fdot) {
  ElementSpin spin;
  spin.inverse = symmetric_pseudo_inverse(spin_matrix(F * F.transpose()));
  Vec3 moment = Vec3::Zero();
  for (int k = 0; k < 3; ++k) moment += Vec3(F.col(k)).cross(Vec3(Fdot.col(k)));
  spin.omega = spin.inverse * moment;
  return spin;
}

}  // namespace dashpot::math
