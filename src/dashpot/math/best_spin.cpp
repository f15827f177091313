#include "dashpot/math/best_spin.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace dashpot::math {

Mat3 symmetric_pseudo_inverse(const Mat3& A) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
  const double least = 1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff();
  Vec3 inverse = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (std::abs(eigen.eigenvalues()[i]) > least) inverse[i] = 1 / eigen.eigenvalues()[i];
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
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
