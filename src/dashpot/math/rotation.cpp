#include "dashpot/math/rotation.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace dashpot::math {
namespace {

/// sin/theta, A, B and the derivatives of A and B by theta^2 times two, as functions of theta^2.
struct Coefficients {
  double sine, A, B, dA, dB;
};

Coefficients coefficients(double theta2) {
  if (theta2 < 0.01) {  // series: the closed forms lose digits; the first term left out is 1e-16 of the sum
    return {1 - theta2 / 6 * (1 - theta2 / 20 * (1 - theta2 / 42 * (1 - theta2 / 72))),
            0.5 - theta2 / 24 * (1 - theta2 / 30 * (1 - theta2 / 56)),
            1.0 / 6 - theta2 / 120 * (1 - theta2 / 42 * (1 - theta2 / 72)),
            -1.0 / 12 + theta2 / 180 * (1 - theta2 / (112.0 / 3) * (1 - theta2 / 67.5)),
            -1.0 / 60 + theta2 / 1260 * (1 - theta2 / 48 * (1 - theta2 / 82.5))};
  }
  const double theta = std::sqrt(theta2), s = std::sin(theta), c = std::cos(theta);
  const double A = (1 - c) / theta2, B = (theta - s) / (theta2 * theta);
  return {s / theta, A, B, (s / theta - 2 * A) / theta2, (A - 3 * B) / theta2};
}

}  // namespace

RotationRates rotation_rates(const Eigen::Vector3d& phi, const Eigen::Vector3d& dphi, const Eigen::Vector3d& ddphi) {
  using Vec = Eigen::Vector3d;
  const Coefficients k = coefficients(phi.squaredNorm());
  Eigen::Matrix3d cross;
  cross << 0, -phi.z(), phi.y(), phi.z(), 0, -phi.x(), -phi.y(), phi.x(), 0;
  RotationRates result;
  result.R = Eigen::Matrix3d::Identity() + k.sine * cross + k.A * (cross * cross);
  const Vec once = phi.cross(dphi), twice = phi.cross(once), once_next = phi.cross(ddphi);
  const double rate = phi.dot(dphi), A_dot = k.dA * rate, B_dot = k.dB * rate;
  result.omega = dphi + k.A * once + k.B * twice;
  result.alpha =
      ddphi + A_dot * once + k.A * once_next + B_dot * twice + k.B * (dphi.cross(once) + phi.cross(once_next));
  return result;
}

RotationRates quaternion_rates(const Eigen::Vector4d& p, const Eigen::Vector4d& dp, const Eigen::Vector4d& ddp) {
  using Vec = Eigen::Vector3d;
  const double square = p.squaredNorm();
  const double w = p[0];
  const Vec u = p.tail<3>();
  // vec(a p*) for a quaternion a.
  const auto times_conjugate = [&](const Eigen::Vector4d& a) -> Vec {
    const Vec v = a.tail<3>();
    return w * v - a[0] * u - v.cross(u);
  };
  Eigen::Matrix3d cross;
  cross << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
  RotationRates result;
  result.R = Eigen::Matrix3d::Identity() + 2 / square * (w * cross + cross * cross);
  result.omega = 2 / square * times_conjugate(dp);
  result.alpha = 2 / square * (times_conjugate(ddp) - p.dot(dp) * result.omega);
  return result;
}

Eigen::Vector3d rotation_vector(double w, const Eigen::Vector3d& xyz, const Eigen::Vector3d& near) {
  constexpr double turn = 2 * std::numbers::pi;
  const double sine = xyz.norm();
  if (sine < 1e-12) {  // no rotation, or whole turns about whatever axis we turned about so far
    const double angle = near.norm();
    return angle < 1e-12 ? Eigen::Vector3d::Zero().eval() : (std::round(angle / turn) * turn / angle * near).eval();
  }
  const Eigen::Vector3d axis = xyz / sine;
  const double angle = 2 * std::atan2(sine, w);
  return axis * (angle + turn * std::round((axis.dot(near) - angle) / turn));
}

}  // namespace dashpot::math
