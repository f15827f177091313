// Strain-rate damping leaves every stepper its order: halving dt against a fine reference. Nothing of it is held over a
// step, so it needs no more than a force that is smooth in q and v.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/dissipation/strain_rate.hpp"
#include "support/bar16.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_strain_rate_order {
namespace {

constexpr double end = 0.08;  // [s]

Bar16 damped_bar(const StrainRateOptions& options) {
  return Bar16([&](const Bar16::Parts& parts) {
    return make_strain_rate("bar", parts.batch, PartwiseValue(2.0), PartwiseValue(1.5), options);
  });
}

State end_of(const Bar16& bar, const std::string& stepper_name, double dt, int steps) {
  const Vector X = bar.system->rest();
  State state = start_at(*bar.system, X + 0.3 * (bar.noisy_q() - X), 0.3 * bar.spinning_v());
  const auto stepper = stepper_named(stepper_name);
  EXPECT_TRUE(run_steps(*bar.system, *stepper, state, dt, steps));
  return state;
}

void expect_order(const Bar16& bar) {
  const State exact = end_of(bar, "sdirk3", end / 1280, 1280), free = end_of(Bar16(), "sdirk3", end / 320, 320);
  ASSERT_GT((exact.v - free.v).norm(), 0.2 * exact.v.norm()) << "it must damp";
  for (const auto& [name, integrator] : stepper_cases()) {
    const int coarse = solves_per_step(integrator) == 0 ? 320 : 80;  // explicit ones must be stable
    double errors[2][2];
    for (int i = 0; i < 2; ++i) {
      const int steps = coarse << i;
      const State found = end_of(bar, name, end / steps, steps);
      errors[i][0] = (found.q - exact.q).norm();
      errors[i][1] = (found.v - exact.v).norm();
    }
    for (int k = 0; k < 2; ++k) {
      const double found = std::log2(errors[0][k] / errors[1][k]);
      ::testing::Test::RecordProperty(name + (k == 0 ? " q" : " v"), std::to_string(found));
      EXPECT_GT(found, order(integrator) - 0.25) << name << (k == 0 ? ", positions" : ", velocities");
    }
  }
}

TEST(StrainRateOrder, IsThatOfTheStepperInBothMetricsForAnyDensityAndTangent) {
  expect_order(damped_bar({StrainMetric::green, RateTangent::symmetric, {}}));
  expect_order(damped_bar({StrainMetric::corotational, RateTangent::exact, {1.8, 2.0}}));
}

}  // namespace
}  // namespace dashpot::testing::test_strain_rate_order
