#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "dashpot/math/jet.hpp"
#include "dashpot/math/rotation.hpp"

namespace dashpot::math::test_rotation {
namespace {

using Vec = Eigen::Vector3d;

RotationRates along(const Vec& c0, const Vec& c1, const Vec& c2, double t) {
  return rotation_rates(c0 + c1 * t + c2 * t * t, c1 + 2 * c2 * t, 2 * c2);
}

TEST(RotationRates, TheirAngularVelocityAndAccelerationAreThoseOfTheMatrix) {
  const Vec c1(0.9, -0.4, 1.1), c2(-0.3, 0.8, 0.2);
  for (const double size : {0.0, 0.02, 0.099, 0.101, 1.0, 3.1, 6.28, 9.0}) {
    const Vec c0 = size * Vec(1, -2, 2) / 3;
    const double h = 1e-4;
    const RotationRates now = along(c0, c1, c2, 0), after = along(c0, c1, c2, h), before = along(c0, c1, c2, -h);
    EXPECT_NEAR((now.R * now.R.transpose() - Eigen::Matrix3d::Identity()).norm(), 0, 1e-14);
    const Eigen::Matrix3d W = (after.R - before.R) / (2 * h) * now.R.transpose();
    EXPECT_NEAR((Vec(W(2, 1), W(0, 2), W(1, 0)) - now.omega).norm(), 0, 1e-7) << size;
    EXPECT_NEAR(((after.omega - before.omega) / (2 * h) - now.alpha).norm(), 0, 1e-7) << size;
    EXPECT_GT(now.alpha.norm(), 0.1);
  }
}

TEST(RotationVector, CountsWholeTurnsFromTheLastOne) {
  const double pi = std::numbers::pi;
  const auto quaternion = [](const Vec& phi) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(phi.norm(), phi.normalized()));
  };
  Vec last = Vec::Zero();
  for (int i = 1; i <= 40; ++i) {  // ten turns about one axis, by quarter turns
    const Vec wanted = 0.5 * pi * i * Vec(0, 0.6, 0.8);
    const Eigen::Quaterniond q = quaternion(wanted);
    last = rotation_vector(i % 3 == 0 ? -q.w() : q.w(), i % 3 == 0 ? Vec(-q.vec()) : Vec(q.vec()), last);
    EXPECT_NEAR((last - wanted).norm(), 0, 1e-10);
  }
  EXPECT_EQ(rotation_vector(1, Vec::Zero(), Vec::Zero()).norm(), 0);
  EXPECT_NEAR((rotation_vector(1, Vec::Zero(), Vec(0, 6, 0)) - Vec(0, 2 * pi, 0)).norm(), 0, 1e-12);
}

TEST(Jet, CarriesDerivativesThroughEveryFunction) {
  const auto f = [](auto t) {
    using std::abs, std::cos, std::exp, std::log, std::max, std::min, std::pow, std::sin, std::sqrt, std::tan,
        std::tanh;
    return sin(t) * exp(-t) / (t + 2.0) + sqrt(t * t + 1.0) - tan(0.3 * t) * tanh(t) + pow(t, 3.0) + pow(t + 1.0, t) +
           log(t + 3.0) * cos(t) + abs(-t) + min(t, t * t) + max(2.0 * t, t);
  };
  const double t = 0.7, h = 1e-4;
  const Jet jet = f(Jet(t, 1, 0));
  EXPECT_DOUBLE_EQ(jet.value, f(t));
  EXPECT_NEAR(jet.d, (f(t + h) - f(t - h)) / (2 * h), 1e-6);
  EXPECT_NEAR(jet.dd, (f(t + h) - 2 * f(t) + f(t - h)) / (h * h), 1e-5);
  EXPECT_GT(std::abs(jet.dd), 1);
  EXPECT_EQ(sqrt(Jet(0.0)).d, 0) << "constants stay constant where a slope is infinite";
  EXPECT_EQ(pow(Jet(-2, 1, 0), Jet(2.0)).dd, 2);
}

}  // namespace
}  // namespace dashpot::math::test_rotation
