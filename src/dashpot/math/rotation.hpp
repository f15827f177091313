#pragma once
// Rotations by rotation vectors phi (axis times angle [rad]) that change in time: R = exp([phi]) is smooth in phi
// everywhere, so a C2 path of phi gives a C2 path of R. With J = I + A [phi] + B [phi]^2, A = (1 - cos)/theta^2,
// B = (theta - sin)/theta^3, theta = |phi|:
//     R' = [omega] R,   omega = J phi',   omega' = J phi'' + J' phi'        (world axes)   [Sola2018, sec. 4]

#include <Eigen/Core>

namespace dashpot::math {

struct RotationRates {
  Eigen::Matrix3d R;
  Eigen::Vector3d omega;  ///< [rad/s]
  Eigen::Vector3d alpha;  ///< omega' [rad/s^2]
};

/// R, omega and omega' of exp([phi(t)]) from phi and its first two derivatives.
RotationRates rotation_rates(const Eigen::Vector3d& phi, const Eigen::Vector3d& dphi, const Eigen::Vector3d& ddphi);

/// R, omega and omega' of a quaternion p = (w, x, y, z) of any length but zero, which turns as p / |p| does:
///     omega = 2 vec(p' p*) / |p|^2,   omega' = 2 vec(p'' p*) / |p|^2 - 2 omega (p . p') / |p|^2.
RotationRates quaternion_rates(const Eigen::Vector4d& p, const Eigen::Vector4d& dp, const Eigen::Vector4d& ddp);

/// The rotation vector of the unit quaternion w + (x, y, z) that is nearest to `near`: whole turns are added along its
/// axis.
Eigen::Vector3d rotation_vector(double w, const Eigen::Vector3d& xyz, const Eigen::Vector3d& near);

}  // namespace dashpot::math
