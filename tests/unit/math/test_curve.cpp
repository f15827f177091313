#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/math/curve.hpp"

namespace dashpot::test_curve {
namespace {

using math::Curve;
using math::Extrapolation;

/// Checks derivative and integral of a curve against differences of its values.
void expect_consistent(const Curve& curve, double from, double to) {
  const double eps = 1e-5;
  for (double x = from; x < to; x += 0.0137 * (to - from)) {
    const double slope = (curve.value(x + eps) - curve.value(x - eps)) / (2 * eps);
    EXPECT_NEAR(curve.derivative(x), slope, 1e-4 * (1 + std::abs(slope))) << x;  // the curvature may jump at a knot
    const double area = curve.integral(x - eps, x + eps) / (2 * eps);
    EXPECT_NEAR(curve.value(x), area, 1e-8 * (1 + std::abs(area))) << x;
  }
}

TEST(Curve, MonotoneCurvePassesThroughItsPointsAndDoesNotOvershoot) {
  const std::vector<std::pair<double, double>> points = {{0, 0}, {1, 0.1}, {2, 5}, {2.5, 5.1}, {6, 20}};
  const Curve curve = Curve::monotone(points);
  for (const auto& [x, y] : points) EXPECT_NEAR(curve.value(x), y, 1e-13);
  for (double x = 0; x < 6; x += 0.01) EXPECT_GE(curve.derivative(x), -1e-12) << x;
  expect_consistent(curve, -1, 7);
}

TEST(Curve, AgreesWithTheReferenceTableForLogarithmicGains) {
  const Curve curve = Curve::monotone({{0, -1}, {0.5, 0.3}, {1.5, 0.8}}, Extrapolation::constant);
  EXPECT_NEAR(std::pow(10, curve.value(0.25)), 0.630324159652, 1e-11);
  EXPECT_NEAR(std::pow(10, curve.value(1)), 4.606510792751, 1e-11);
  EXPECT_NEAR(std::pow(10, curve.value(2)), 6.309573444802, 1e-11);
  EXPECT_EQ(curve.derivative(2), 0);
}

TEST(Curve, AFixedSlopeIsKeptUnlessItWouldOvershoot) {
  const Curve kept = Curve::monotone({{0.5, -1}, {1, 0}, {2, 1}}, Extrapolation::linear, std::pair(1, 2.0));
  EXPECT_NEAR(kept.derivative(1), 2, 1e-14);
  expect_consistent(kept, 0, 3);
  const Curve lowered = Curve::monotone({{0.5, -1}, {1, 0}, {2, 1}}, Extrapolation::linear, std::pair(1, 20.0));
  EXPECT_NEAR(lowered.derivative(1), 3, 1e-14);
}

TEST(Curve, BsplineReproducesCubicPolynomials) {
  // Coefficient k of x^3 on unit knots is the blossom of x^3 at three consecutive knots.
  std::vector<double> coefficients;
  for (int k = -1; k <= 5; ++k) coefficients.push_back((k - 1.0) * k * (k + 1.0));
  const Curve cubic = Curve::uniform_bspline(0, 4, coefficients);
  for (double x = 0; x <= 4; x += 0.1) {
    EXPECT_NEAR(cubic.value(x), x * x * x, 1e-12);
    EXPECT_NEAR(cubic.derivative(x), 3 * x * x, 1e-12);
    EXPECT_NEAR(cubic.integral(1, x), (x * x * x * x - 1) / 4, 1e-12);
  }
  EXPECT_NEAR(cubic.value(5), 64 + 48, 1e-12) << "straight beyond the last knot";
}

TEST(Curve, LineIsStraightEverywhere) {
  const Curve line = Curve::line(3, 1);
  EXPECT_NEAR(line.value(-4), -15, 1e-14);
  EXPECT_NEAR(line.integral(1, 3), 6, 1e-14);
  EXPECT_EQ(Curve().value(17), 0);
}

TEST(Curve, BadPointsAreRefused) {
  EXPECT_THROW(Curve::monotone({}), Error);
  EXPECT_THROW(Curve::monotone({{1, 0}, {1, 1}}), Error);
  EXPECT_THROW(Curve::monotone({{0, std::nan("")}}), Error);
  EXPECT_THROW(Curve::uniform_bspline(0, 1, {1, 2, 3}), Error);
  EXPECT_THROW(Curve::uniform_bspline(1, 1, {1, 2, 3, 4}), Error);
}

}  // namespace
}  // namespace dashpot::test_curve
