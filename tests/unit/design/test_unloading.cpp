#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/design/gain_search.hpp"
#include "dashpot/design/unloading.hpp"
#include "unit/design/one_dof_body.hpp"

namespace dashpot::testing {
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
  const UnloadingDesign design = design_for({{0, .8, .2}, {0, 1.6, .75}}, 1e-6);
  EXPECT_FALSE(design.reached);
  EXPECT_TRUE(design.targets[0].reached);
  EXPECT_NEAR(design.targets[0].gain, 4.3094117, 1e-4);
  EXPECT_FALSE(design.targets[1].reached);
  EXPECT_NEAR(design.targets[1].gain, 1e-3, 1e-9);
  EXPECT_NEAR(design.targets[1].left, .46653, 1e-4);
  EXPECT_NE(design.targets[1].explanation.find("unreachable"), std::string::npos);
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
}  // namespace dashpot::testing
