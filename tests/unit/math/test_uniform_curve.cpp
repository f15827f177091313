// B-splines for element loops are those of math/curve.hpp.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/math/curve.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/math/uniform_curve.hpp"

namespace dashpot::math::test_uniform_curve {
namespace {

const std::vector<double> weights = {-1.1, -0.4, -0.5, 0.1, 0.9, 0.6, 0.5, 1.2};
// x = 1 inside an interval; at a knot; in the first and in the last interval.
const UniformKnots many_knots[] = {{0.65, 1.45, 8}, {0.5, 1.75, 8}, {0.9, 2.5, 8}, {0.2, 1.1, 8}};
const double points[] = {-0.3, 0.1, 0.5, 0.65, 0.7, 0.81, 0.97, 1.0, 1.0001, 1.1, 1.13, 1.29, 1.45, 1.75, 2.2, 3.1};

TEST(UniformCurve, IsTheCurveOfTheSameWeightsFromItsValueAtOne) {
  for (const UniformKnots& knots : many_knots) {
    const UniformCurve fast(knots, weights.data());
    const Curve oracle = Curve::uniform_bspline(knots.low, knots.high, weights);
    const Curve::Sample rest = oracle.sample(1);
    ASSERT_GT(std::abs(rest.value), 0.01);
    for (const double x : points) {
      const Curve::Sample y = oracle.sample(x);
      const auto z = fast.sample(x);
      EXPECT_NEAR(z.value, y.value - rest.value, 1e-13) << x;
      EXPECT_NEAR(z.slope, y.derivative, 1e-12) << x;
      EXPECT_NEAR(z.integral, y.integral - rest.integral - rest.value * (x - 1), 1e-13) << x;
    }
    EXPECT_EQ(fast.low_slope(), fast.sample(0.0).slope);
    EXPECT_EQ(fast.high_slope(), fast.sample(9.0).slope);
  }
}

TEST(UniformCurve, FourArgumentsTogetherGiveTheValuesOfEach) {
  const UniformCurve curve(many_knots[0], weights.data());
  for (int i = 0; i < 16; i += 4) {
    const auto together = curve.sample(Pack4::load(points + i));
    for (int l = 0; l < 4; ++l) {
      const auto one = curve.sample(points[i + l]);
      EXPECT_NEAR(together.value[l], one.value, 1e-15);
      EXPECT_NEAR(together.slope[l], one.slope, 1e-14);
      EXPECT_NEAR(together.integral[l], one.integral, 1e-15);
    }
  }
}

TEST(UniformCurve, IsTheSumOfItsBasis) {
  for (const UniformKnots& knots : many_knots) {
    const UniformCurve curve(knots, weights.data());
    for (const double x : points) {
      double sum = 0, of_pack = 0, all = 0, flat = 0;
      for (int k = 0; k < 8; ++k) {
        const double w = weights[static_cast<std::size_t>(k)];
        sum += w * uniform_basis_from_rest(knots, k, x);
        of_pack +=
            w * (uniform_basis(knots, k, Pack4(x), Pack4(1.0) < Pack4(0.0))[2] - uniform_basis(knots, k, 1.0, false));
        all += uniform_basis(knots, k, x, false);
        flat += w * (uniform_basis(knots, k, x, true) - uniform_basis(knots, k, 1.0, true));
      }
      EXPECT_NEAR(sum, curve.sample(x).value, 1e-13) << x;
      EXPECT_NEAR(of_pack, sum, 1e-13);
      EXPECT_NEAR(all, 1, 1e-13) << "a partition of one";
      EXPECT_NEAR(flat, curve.sample(std::max(knots.low, std::min(knots.high, x))).value, 1e-13);
    }
  }
}

TEST(UniformCurve, NoDigitsCancelNearRest) {
  const UniformCurve curve({0.65, 1.45, 8}, weights.data());
  const double slope = curve.sample(1.0).slope;
  EXPECT_NEAR(curve.sample(1 + 1e-9).value / 1e-9, slope, 1e-6 * std::abs(slope));
  EXPECT_NEAR(curve.sample(1 + 1e-9).integral / 0.5e-18, slope, 1e-6 * std::abs(slope));
}

TEST(UniformCurve, WhatIsNoCurveIsRefused) {
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> bad = {0, 0, no_number, 0};
  EXPECT_THROW(UniformCurve({0.5, 1.5, 3}, weights.data()), Error);
  EXPECT_THROW(UniformCurve({1.0, 1.5, 8}, weights.data()), Error);
  EXPECT_THROW(UniformCurve({0.5, 1.0, 8}, weights.data()), Error);
  EXPECT_THROW(UniformCurve({0.5, 1.5, 4}, bad.data()), Error);
  EXPECT_TRUE(UniformCurve({0.5, 1.5, 0}, nullptr).is_zero());
}

}  // namespace
}  // namespace dashpot::math::test_uniform_curve
