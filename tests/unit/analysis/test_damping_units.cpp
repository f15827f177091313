#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_damping_units {
namespace {

TEST(DampingUnits, EveryMeasureLeadsBackToTheSameDampingRatio) {
  for (const double zeta : {0.0, 1e-6, 0.01, 0.3, 0.9}) {
    const double f = 3.5;
    const DampingMeasures m = damping_measures(zeta, f, 0.02);
    const double tolerance = 1e-12 * zeta + 1e-16;
    EXPECT_NEAR(zeta_from_loss_factor(m.loss_factor), zeta, tolerance);
    EXPECT_NEAR(zeta_from_quality_factor(m.quality_factor), zeta, tolerance);
    EXPECT_NEAR(zeta_from_log_decrement(m.log_decrement), zeta, tolerance);
    // 1 - exp(-2 delta) approaches 1 for strong damping: what is left of it carries the information.
    EXPECT_NEAR(zeta_from_amplitude_lost_per_cycle(m.amplitude_lost_per_cycle), zeta, tolerance + 1e-9 * (zeta > 0.5));
    EXPECT_NEAR(zeta_from_energy_lost_per_cycle(m.energy_lost_per_cycle), zeta,
                tolerance + 1e-4 * (zeta > 0.5) + 1e-11 * (zeta > 0.2));
    EXPECT_NEAR(zeta_from_decay_rate(m.decay_rate, f), zeta, tolerance);
    if (zeta > 0) {
      EXPECT_NEAR(zeta_from_settle_time(m.settle_time, f, 0.02), zeta, tolerance);
    }
  }
}

TEST(DampingUnits, MeasuresAgreeWithTheExactMotionOfAnOscillator) {
  const double zeta = 0.07, f = 2.0, omega = 2 * std::numbers::pi * f, root = std::sqrt(1 - zeta * zeta);
  const DampingMeasures m = damping_measures(zeta, f);
  const double period = 1 / m.damped_frequency;
  const auto displacement = [&](double t) { return std::exp(-zeta * omega * t) * std::cos(omega * root * t); };
  EXPECT_NEAR(displacement(period) / displacement(0), 1 - m.amplitude_lost_per_cycle, 1e-13);
  EXPECT_NEAR(std::pow(displacement(2 * period) / displacement(period), 2), 1 - m.energy_lost_per_cycle, 1e-13);
  EXPECT_NEAR(std::exp(-zeta * omega * m.settle_time), 0.05, 1e-14);
  EXPECT_NEAR(std::exp(-zeta * omega * m.half_life), 0.5, 1e-14);
}

TEST(DampingUnits, AnUndampedOscillatorNeverSettlesAndAnOverdampedOneHasNoDecrement) {
  const DampingMeasures none = damping_measures(0, 1);
  EXPECT_TRUE(std::isinf(none.settle_time) && std::isinf(none.quality_factor));
  EXPECT_EQ(none.energy_lost_per_cycle, 0);
  const DampingMeasures slow = damping_measures(5, 1);
  EXPECT_TRUE(std::isnan(slow.log_decrement));
  EXPECT_EQ(slow.damped_frequency, 0);
  // Slow root of s^2 + 2 zeta w s + w^2.
  const double s = -slow.decay_rate, w = 2 * std::numbers::pi;
  EXPECT_NEAR((s * s + 2 * 5 * w * s + w * w) / (w * w), 0, 1e-12);
}

TEST(DampingUnits, ValuesNoPassiveOscillatorCanHaveAreRefused) {
  EXPECT_THROW(damping_measures(-0.1, 1), Error);
  EXPECT_THROW(damping_measures(0.1, 0), Error);
  EXPECT_THROW(damping_measures(0.1, 1, 1.5), Error);
  EXPECT_THROW(zeta_from_amplitude_lost_per_cycle(1.0), Error);
  EXPECT_THROW(zeta_from_quality_factor(0), Error);
  EXPECT_THROW(zeta_from_settle_time(1e-3, 1.0), Error);
  EXPECT_THROW(zeta_from_log_decrement(std::nan("")), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_damping_units
