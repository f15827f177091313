#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/contact/restitution.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot::contact::test_penalty_law {
namespace {

constexpr double k = 2e6, w = 1e-3;

TEST(PenaltyLaw, EnergyPressureAndStiffnessAreDerivativesOfEachOther) {
  const double eps = 1e-8;
  for (double gap = -3 * w; gap < w; gap += 0.0371 * w) {
    const Penalty<double> here = penalty(gap, k, w);
    const Penalty<double> up = penalty(gap + eps, k, w), down = penalty(gap - eps, k, w);
    EXPECT_NEAR(here.slope, (up.value - down.value) / (2 * eps), 1e-6 * k * w) << gap;
    EXPECT_NEAR(here.curvature, (up.slope - down.slope) / (2 * eps), 1e-4 * k) << gap;
    EXPECT_LE(here.slope, 0);
    EXPECT_GE(here.curvature, 0);
  }
  EXPECT_LT(penalty(0.0, k, w).slope, 0);
}

TEST(PenaltyLaw, DeepOverlapIsALinearSpringAndNothingActsBeyondTheOnset) {
  EXPECT_DOUBLE_EQ(penalty(-5 * w, k, w).slope, -5 * w * k);
  EXPECT_DOUBLE_EQ(penalty(-5 * w, k, w).curvature, k);
  EXPECT_EQ(penalty(0.5 * w, k, w).value, 0);
  EXPECT_EQ(penalty(0.7 * w, k, w).slope, 0);
}

TEST(PenaltyLaw, EnergyPressureAndStiffnessAreContinuousWhereThePiecesMeet) {
  for (const double joint : {0.5 * w, -0.5 * w}) {
    const Penalty<double> left = penalty(joint - 1e-15, k, w), right = penalty(joint + 1e-15, k, w);
    EXPECT_NEAR(left.value, right.value, 1e-11 * k * w * w);
    EXPECT_NEAR(left.slope, right.slope, 1e-10 * k * w);
    EXPECT_NEAR(left.curvature, right.curvature, 1e-10 * k);
  }
}

TEST(PenaltyLaw, FourGapsAtOnceGiveTheSameNumbers) {
  const double gaps[4] = {0.6 * w, 0.2 * w, -0.3 * w, -2 * w};
  const math::Pack4 packed = math::Pack4::load(gaps);
  const Penalty<math::Pack4> all = penalty(packed, math::Pack4(k), math::Pack4(w));
  for (int i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(all.value[i], penalty(gaps[i], k, w).value);
    EXPECT_DOUBLE_EQ(all.slope[i], penalty(gaps[i], k, w).slope);
    EXPECT_DOUBLE_EQ(all.curvature[i], penalty(gaps[i], k, w).curvature);
  }
}

TEST(RateFactor, NeverPullsNeverFeedsAndIsSmooth) {
  for (double y = -3; y < 1e3; y = y < 3 ? y + 0.01 : 1.5 * y) {
    EXPECT_LT(rate_factor(y).value, 1) << "adhesion at " << y;
    EXPECT_GE(rate_factor(y).value * y, 0) << "energy gained at " << y;
    const double eps = 1e-6, slope = (rate_factor(y + eps).value - rate_factor(y - eps).value) / (2 * eps);
    EXPECT_NEAR(rate_factor(y).slope, slope, 2e-6) << y;
  }
}

TEST(FrictionLaw, ForceIsTheDerivativeOfItsPotentialAndReachesCoulombsLimit) {
  const double v_eps = 1e-3, eps = 1e-9;
  for (double v = 1e-5; v < 3 * v_eps; v += 3.3e-5) {
    const double phi = friction_over_speed(v, v_eps) * v;
    EXPECT_NEAR(phi, (friction_potential(v + eps, v_eps) - friction_potential(v - eps, v_eps)) / (2 * eps), 1e-6) << v;
    const double above = friction_over_speed(v + eps, v_eps) * (v + eps);
    const double below = friction_over_speed(v - eps, v_eps) * (v - eps);
    EXPECT_NEAR(friction_slope(v, v_eps) * v_eps, (above - below) / (2 * eps) * v_eps, 2e-6) << v;
    EXPECT_LE(phi, 1 + 1e-15);
  }
  EXPECT_DOUBLE_EQ(friction_over_speed(5 * v_eps, v_eps) * 5 * v_eps, 1);
  EXPECT_DOUBLE_EQ(friction_over_speed(0.0, v_eps), 2 / v_eps);
}

TEST(Restitution, DampingAndRestitutionAreEachOthersInverse) {
  EXPECT_EQ(damping_for_restitution(1, 2), 0);
  for (const double e : {0.05, 0.3, 0.5, 0.9, 0.999}) {
    const double c = damping_for_restitution(e, 2.5);
    EXPECT_GT(c, 0);
    EXPECT_NEAR(restitution_of(c, 2.5), e, 1e-9);
    EXPECT_NEAR(restitution_of(2 * c, 1.25), e, 1e-9) << "only c v matters";
  }
  EXPECT_THROW(damping_for_restitution(0, 1), Error);
  EXPECT_THROW(damping_for_restitution(0.5, 0), Error);
  EXPECT_THROW(damping_for_restitution(1.1, 1), Error);
}

}  // namespace
}  // namespace dashpot::contact::test_penalty_law
