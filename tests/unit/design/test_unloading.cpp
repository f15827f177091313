#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/design/gain_search.hpp"
#include "dashpot/design/unloading.hpp"
#include "unit/design/one_dof_body.hpp"

namespace dashpot::testing::test_unloading {
namespace {

using namespace design;

TEST(Release, WhatIsLeftAfterOneSwingAgreesWithTheReferenceAndWithTheory) {
  const Designable body = one_dof_body();
  const struct {
    double gamma, reference;
  } cases[] = {{0, .999999324}, {.5, .854604492}, {1, .730133770}, {3, .385511106}, {10, .026587866}, {25, 0}};
  for (const auto& c : cases) {
    const Swing swing = release(body, constant_gain(c.gamma), {});
    EXPECT_NEAR(swing.residual, c.reference, 1e-6) << c.gamma;
    const double zeta = 0.05 * c.gamma;
    if (c.gamma <= 3) {
      const double exact = std::exp(-2 * std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta));
      EXPECT_NEAR(swing.residual / exact, 1, 1e-4) << c.gamma;
    }
    EXPECT_EQ(swing.end, c.gamma < 20 ? Swing::End::turned : Swing::End::overdamped);
  }
}

TEST(Release, TheLeftAmplitudeDependsSmoothlyOnTheGain) {
  const Designable body = one_dof_body(1.0 / 40);  // coarse steps: a staircase would show
  double largest = 0, smallest = 1;
  double last = release(body, constant_gain(1), {}).residual;
  for (int i = 1; i <= 20; ++i) {
    const double now = release(body, constant_gain(1 + 0.01 * i), {}).residual;
    largest = std::max(largest, last - now);
    smallest = std::min(smallest, last - now);
    last = now;
  }
  EXPECT_GT(smallest, 0);
  EXPECT_LT(largest, 1.5 * smallest);
}

UnloadingDesign design_for(std::vector<UnloadingTarget> targets, double tolerance) {
  UnloadingOptions options;
  options.tolerance = tolerance;
  options.max_simulations = 60;
  return design_unloading(one_dof_body(), constant_gain(1), std::move(targets), options);
}

TEST(UnloadingDesign, FindsTheGainsOfTheReference) {
  EXPECT_NEAR(design_for({{0, 1, .5}}, 1e-8).targets[0].gain, 2.1932277, 1e-6);
  EXPECT_NEAR(design_for({{0, 3, 2.45}}, 1e-8).targets[0].gain, .6443709, 1e-6);
  const UnloadingDesign two = design_for({{0, 1.6, .7}, {0, .8, .4}}, 1e-8);
  ASSERT_TRUE(two.reached);
  EXPECT_NEAR(two.targets[0].gain, 2.1932277, 1e-6);
  EXPECT_NEAR(two.targets[1].gain, 19.239977, 1e-3);
}

TEST(UnloadingDesign, ATargetThatCannotBeMetIsSaidToBeSo) {
  UnloadingOptions options;
  options.tolerance = 1e-6;
  options.max_simulations = 60;
  options.max_halvings = 0;  // the curve of the paper: constant below its first knot
  const UnloadingDesign design =
      design_unloading(one_dof_body(), constant_gain(1), {{0, .8, .2}, {0, 1.6, .75}}, options);
  EXPECT_FALSE(design.reached);
  EXPECT_TRUE(design.targets[0].reached);
  EXPECT_NEAR(design.targets[0].gain, 4.3094117, 1e-4);
  EXPECT_FALSE(design.targets[1].reached);
  EXPECT_NEAR(design.targets[1].gain, 1e-3, 1e-9);
  EXPECT_NEAR(design.targets[1].left, .46653, 1e-4);
  EXPECT_NE(design.targets[1].explanation.find("unreachable"), std::string::npos);
}

// Kept below half of the first knot, the damping that leaves 0.2 of 0.8 takes less of a swing from 1.6: the paper's
// pairs are within reach of an oscillator.
TEST(UnloadingDesign, AKneeBelowTheFirstKnotMeetsTargetsThatAConstantCannot) {
  for (const auto& [first, second] : {std::pair{.2, .75}, std::pair{.25, .65}}) {
    const UnloadingDesign design = design_for({{0, .8, first}, {0, 1.6, second}}, 0.01);
    ASSERT_TRUE(design.reached) << first << ": " << design.targets[1].explanation;
    EXPECT_NEAR(design.targets[0].left / first, 1, 0.01);
    EXPECT_NEAR(design.targets[1].left / second, 1, 0.01);
    const std::vector<math::GainCurve::Point>& knots = design.gains[0].knots();
    ASSERT_EQ(knots.size(), 3u);
    EXPECT_DOUBLE_EQ(knots[0].x, .4) << "the highest knee that will do";
    const double d = std::log(.8 / first), constant = d / std::hypot(2 * std::numbers::pi, d) / 0.05;
    EXPECT_GT(knots[0].gamma, constant) << "it must do what a constant does, in less of the swing";
    EXPECT_LT(knots[1].gamma, 0.1 * knots[0].gamma);
    // As a run of its own says.
    EXPECT_NEAR(release(one_dof_body(), design.gains, {0, 1.6, 0, {}}).residual, second, 0.01 * second);
  }
}

TEST(UnloadingDesign, AKneeGoesAsLowAsItMust) {
  const UnloadingDesign low = design_for({{0, .8, .2}, {0, 1.6, .95}}, 0.01);
  EXPECT_TRUE(low.reached) << low.targets[1].explanation;
  EXPECT_LE(low.gains[0].knots().front().x, .2);
  // A swing from 1.6 that loses nothing cannot be had with one from 0.8 that loses all.
  const UnloadingDesign none = design_for({{0, .8, .01}, {0, 1.6, 1.59}}, 0.001);
  EXPECT_FALSE(none.reached);
  EXPECT_TRUE(none.targets[0].reached);
  EXPECT_NE(none.targets[1].explanation.find("unreachable"), std::string::npos);
}

TEST(UnloadingDesign, TargetsThatAreMetWithoutAKneeHaveNone) {
  EXPECT_EQ(design_for({{0, .8, .4}, {0, 1.6, .7}}, 0.01).gains[0].knots().size(), 2u);
}

TEST(UnloadingDesign, OnePercentTakesFewSimulations) {
  for (const double residual : {.9, .7, .5, .2, .05, .01}) {
    UnloadingOptions options;
    const UnloadingDesign design = design_unloading(one_dof_body(), constant_gain(1), {{0, 1, residual}}, options);
    EXPECT_TRUE(design.reached) << residual;
    EXPECT_LE(design.simulations, 10) << residual;  // the last one confirms
  }
}

TEST(UnloadingDesign, AConstantGainCannotFollowTwoAmplitudesOfDifferentDecay) {
  const std::vector<UnloadingTarget> targets = {{0, .8, .4}, {0, 1.6, .7}};
  const UnloadingDesign constant = best_constant_gains(one_dof_body(), constant_gain(1), targets, {});
  const double ratio = constant.targets[0].left / .8;
  EXPECT_NEAR(constant.targets[1].left / 1.6, ratio, 1e-6);  // linear: the same share at every amplitude
  // Minimum of (ratio .8/.4 - 1)^2 + (ratio 1.6/.7 - 1)^2.
  const double p = .8 / .4, q = 1.6 / .7;
  EXPECT_NEAR(ratio, (p + q) / (p * p + q * q), 0.01);
}

TEST(UnloadingDesign, NonsenseIsToldAllAtOnce) {
  try {
    design_unloading(one_dof_body(), constant_gain(1), {{0, 1, 1.5}, {0, -1, 0}, {3, 1, .5}, {0, 2, -.1}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 4U);
  }
}

TEST(UnloadingDesign, CanBeStopped) {
  UnloadingOptions options;
  int steps = 0;
  options.should_stop = [&] { return ++steps > 500; };
  const UnloadingDesign design = design_unloading(one_dof_body(), constant_gain(1), {{0, 1, .5}}, options);
  EXPECT_TRUE(design.stopped);
  EXPECT_FALSE(design.reached);
  EXPECT_LT(steps, 520);
  EXPECT_TRUE(std::isnan(design.targets[0].left));  // nothing was measured with these gains
}

TEST(GainSearch, MeetsATargetOfZeroByAbsoluteError) {
  const auto r = [](double gamma) { return std::exp(-gamma); };
  const GainSearchResult found = find_gain(r, 0, 1, {});
  EXPECT_EQ(found.end, GainSearchResult::End::reached);
  EXPECT_LE(found.value, 0.01);
}

TEST(GainSearch, SaysWhichBoundItMet) {
  EXPECT_EQ(find_gain([](double) { return 0.5; }, 0.2, 1, {}).end, GainSearchResult::End::too_weak_at_high);
  EXPECT_EQ(find_gain([](double) { return 0.5; }, 0.7, 1, {}).end, GainSearchResult::End::too_strong_at_low);
}

}  // namespace
}  // namespace dashpot::testing::test_unloading
