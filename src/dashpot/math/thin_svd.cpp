#include "dashpot/math/thin_svd.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace dashpot::math {
namespace {

/// A unit vector across u: from the axis that u points along least.
Vec3 some_direction_across(const Vec3& u) {
  int axis = 0;
  u.cwiseAbs().minCoeff(&axis);
  return u.cross(Vec3::Unit(axis)).normalized();
}

}  // namespace

ThinSvd thin_svd(const Mat32& F) {
  ThinSvd result;
  result.V.setIdentity();
  Mat32 FV = F;
  for (int sweep = 0; sweep < 2; ++sweep) {
    const double a = FV.col(0).squaredNorm(), b = FV.col(1).squaredNorm(), off = FV.col(0).dot(FV.col(1));
    const double half = 0.5 * (b - a), root = std::sqrt(half * half + off * off);
    if (off == 0 || root == 0) break;  // squares of what is left may underflow
    const double tangent = off / (half < 0 ? half - root : half + root);
    const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
    Eigen::Matrix2d turn;
    turn << c, s, -s, c;
    result.V = result.V * turn;
    FV = F * result.V;
  }
  if (FV.col(0).squaredNorm() < FV.col(1).squaredNorm()) {
    const Eigen::Matrix2d V = result.V;
    result.V << V.col(1), -V.col(0);
    FV = F * result.V;
  }
  result.s[0] = FV.col(0).norm();
  if (!(result.s[0] > 1e-150)) {
    result.s.setZero();
    result.U.setIdentity();
    return result;
  }
  const Vec3 u = FV.col(0) / result.s[0];
  const Vec3 rest = FV.col(1) - u * u.dot(FV.col(1));
  result.s[1] = rest.norm();
  result.U.col(0) = u;
  if (result.s[1] > 1e-15 * result.s[0]) {
    const Vec3 across = rest / result.s[1];
    result.U.col(1) = (across - u * u.dot(across)).normalized();
  } else {
    result.U.col(1) = some_direction_across(u);
  }
  result.U.col(2) = u.cross(Vec3(result.U.col(1)));
  return result;
}

}  // namespace dashpot::math
