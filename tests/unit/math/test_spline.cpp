#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/math/spline.hpp"

namespace dashpot::math::test_spline {
namespace {

using Ends = Spline::Ends;
constexpr double pi = std::numbers::pi;

struct Sample {
  Vector y, dy, ddy;
};
Sample at(const Spline& spline, double t) {
  Sample sample;
  spline.evaluate(t, &sample.y, &sample.dy, &sample.ddy);
  return sample;
}

/// Uneven keys of two curves.
const std::vector<double> times{-0.3, 0.1, 0.25, 0.9, 1.4};
Matrix keys() {
  Matrix values(2, 5);
  values << 1, 2, -1, 0.5, 0.7, 0, 3, 1, -2, -0.4;
  return values;
}

TEST(Spline, PassesThroughItsKeysWithContinuousVelocityAndAccelerationEverywhere) {
  for (const Ends ends : {Ends::rest, Ends::straight, Ends::cyclic}) {
    const Spline spline(times, keys(), ends);
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR((at(spline, times[i]).y - keys().col(static_cast<Eigen::Index>(i))).norm(), 0, 1e-13);
    // The knots without a value lie in the middle of the first and the last interval.
    for (const double t : {-0.3, -0.1, 0.1, 0.25, 0.9, 1.15, 1.4}) {
      const double eps = 1e-9;
      const Sample left = at(spline, t - eps), right = at(spline, t + eps);
      EXPECT_NEAR((left.y - right.y).norm(), 0, 1e-6);
      EXPECT_NEAR((left.dy - right.dy).norm(), 0, 1e-5);
      EXPECT_NEAR((left.ddy - right.ddy).norm(), 0, 1e-4) << "at " << t;
    }
    EXPECT_GT(at(spline, 0.3).ddy.norm(), 1);
  }
}

TEST(Spline, VelocityAndAccelerationAreTheDerivatives) {
  for (const Ends ends : {Ends::rest, Ends::straight, Ends::cyclic}) {
    const Spline spline(times, keys(), ends);
    for (const double t : {-0.7, -0.25, 0.0, 0.2, 0.5, 1.2, 1.39, 2.2}) {
      const double h = 1e-4;
      const Sample now = at(spline, t), before = at(spline, t - h), after = at(spline, t + h);
      EXPECT_NEAR((now.dy - (after.y - before.y) / (2 * h)).norm(), 0, 1e-4);
      EXPECT_NEAR((now.ddy - (after.dy - before.dy) / (2 * h)).norm(), 0, 1e-6 * (1 + now.ddy.norm()));
    }
  }
}

TEST(Spline, EndsAsAsked) {
  const Sample rest = at(Spline(times, keys(), Ends::rest), 5);
  EXPECT_EQ(rest.y, keys().col(4));
  EXPECT_EQ(rest.dy.norm() + rest.ddy.norm(), 0);
  EXPECT_EQ(at(Spline(times, keys(), Ends::rest), -5).y, keys().col(0));

  const Spline straight(times, keys(), Ends::straight);
  const Sample last = at(straight, 1.4), later = at(straight, 3.4);
  EXPECT_GT(last.dy.norm(), 0.1);
  EXPECT_NEAR((later.y - last.y - 2 * last.dy).norm(), 0, 1e-12);

  Matrix stride = keys();
  stride.col(4) << 3, 0;  // two meters on each cycle
  const Spline walk(times, stride, Ends::cyclic);
  const Sample once = at(walk, 0.5), third = at(walk, 0.5 + 3 * 1.7), back = at(walk, 0.5 - 1.7);
  EXPECT_NEAR((third.y - once.y - Vector(Eigen::Vector2d(6, 0))).norm(), 0, 1e-12);
  EXPECT_NEAR((back.y - once.y + Vector(Eigen::Vector2d(2, 0))).norm(), 0, 1e-12);
  EXPECT_NEAR((third.ddy - once.ddy).norm(), 0, 1e-9);
}

TEST(Spline, ACyclicSplineThroughASineConvergesAtOrderFour) {
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const int n = 8 << level;
    std::vector<double> t;
    Matrix y(1, n + 1);
    for (int i = 0; i <= n; ++i) {
      t.push_back(static_cast<double>(i) / n);
      y(0, i) = std::sin(2 * pi * i / n);
    }
    const Spline spline(t, y, Ends::cyclic);
    error[level] = 0;
    for (int k = 0; k < 200; ++k)
      error[level] = std::max(error[level], std::abs(at(spline, k / 200.0).y[0] - std::sin(2 * pi * k / 200.0)));
  }
  EXPECT_GT(error[0], 1e-5);
  EXPECT_GT(std::log2(error[0] / error[1]), 3.7);
}

TEST(Spline, FewKeysGiveSmoothPathsToo) {
  Matrix two(1, 2);
  two << 1, 3;
  const Spline step({0, 2}, two, Ends::rest);
  EXPECT_NEAR(at(step, 1).y[0], 2, 1e-13);
  EXPECT_GT(at(step, 1).dy[0], 1);  // faster in the middle than the mean speed
  EXPECT_NEAR(at(step, 1e-6).dy[0], 0, 1e-9);
  EXPECT_NEAR(at(step, 2 - 1e-6).ddy[0], 0, 1e-4);
  EXPECT_NEAR(at(Spline({0, 2}, two, Ends::straight), 1).y[0], 2, 1e-14);
  EXPECT_NEAR(at(Spline({0, 2}, two, Ends::cyclic), 3).y[0], 4, 1e-13);
  EXPECT_EQ(at(Spline({0.5}, two.leftCols(1), Ends::cyclic), 3).y[0], 1);
  Matrix three(1, 3);
  three << 0, 1, 0;
  EXPECT_NEAR(at(Spline({0, 1, 2}, three, Ends::cyclic), 0.5).y[0], 0.5, 1e-13);
}

TEST(Spline, KeysOutOfOrderOrNotFiniteAreRefused) {
  EXPECT_THROW(Spline({0, 0.5, 0.5, 1, 2}, keys(), Ends::rest), Error);
  EXPECT_THROW(Spline({0, 2, 1, 3, 4}, keys(), Ends::rest), Error);
  EXPECT_THROW(Spline({0, 1}, keys(), Ends::rest), Error);
  EXPECT_THROW(Spline({}, Matrix(2, 0), Ends::rest), Error);
  Matrix bad = keys();
  bad(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Spline(times, bad, Ends::rest), Error);
}

}  // namespace
}  // namespace dashpot::math::test_spline
