#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "dashpot/analysis/ring_cycles.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/core/error.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::analysis::test_ring_down {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct Signal {
  std::vector<double> t, x;
};

/// Roughly normal noise of unit deviation, the same on every machine.
double noise(int k) {
  double sum = 0;
  for (int j = 0; j < 6; ++j) sum += testing::rnd(7 * k + 1000 * j + 3);
  return sum / std::sqrt(3.0);
}

Signal decay(double f, double zeta, double duration, double dt, double phase = 0, double offset = 0, double drift = 0) {
  Signal s;
  const double omega = two_pi * f, omega_d = omega * std::sqrt(1 - zeta * zeta);
  for (int i = 0; i * dt <= duration; ++i) {
    const double t = i * dt;
    s.t.push_back(t);
    s.x.push_back(offset + drift * t + std::exp(-zeta * omega * t) * std::cos(omega_d * t + phase));
  }
  return s;
}

double damped(double f, double zeta) { return f * std::sqrt(1 - zeta * zeta); }

struct Linear {
  double zeta, samples_per_cycle, cycles, phase;
};
class CleanLinearDecay : public ::testing::TestWithParam<Linear> {};

TEST_P(CleanLinearDecay, GivesDampingToAThousandthAndFrequencyToAHundredThousandth) {
  const Linear p = GetParam();
  const double f = 3.7;
  const Signal s = decay(f, p.zeta, p.cycles / f, 1 / (f * p.samples_per_cycle), p.phase);
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.zeta, p.zeta, 1e-3 * p.zeta);
  EXPECT_NEAR(r.natural_frequency, f, 1e-5 * f);
  EXPECT_NEAR(r.frequency, damped(f, p.zeta), 1e-5 * f);
  EXPECT_FALSE(r.has(RingDownFlag::amplitude_dependent));
  EXPECT_FALSE(r.has(RingDownFlag::several_modes));
  EXPECT_FALSE(r.has(RingDownFlag::poor_fit));
}

INSTANTIATE_TEST_SUITE_P(RingDown, CleanLinearDecay,
                         ::testing::Values(Linear{1e-4, 40, 20, 0}, Linear{1e-4, 13, 200, 1}, Linear{1e-3, 100, 10, 2},
                                           Linear{0.02, 20, 30, 0.3}, Linear{0.02, 500, 8, -1}, Linear{0.1, 25, 8, 0},
                                           Linear{0.3, 40, 4, 0}, Linear{0.3, 200, 6, 1.3}, Linear{0.6, 100, 3, 0}));

TEST(RingDown, EveryCycleOfACleanLinearDecayShowsTheSameDampingRatio) {
  for (const double zeta : {1e-3, 0.02, 0.1, 0.3}) {
    const Signal s = decay(5, zeta, 3, 1.0 / 400, 0.4);
    const RingDown r = measure_ring_down(s.t, s.x);
    ASSERT_GE(r.cycles.size(), 5u) << zeta;
    for (const RingCycle& cycle : r.cycles) {
      EXPECT_NEAR(cycle.zeta, zeta, 2e-3 * zeta + 1e-6);
      EXPECT_NEAR(cycle.frequency, damped(5, zeta), 2e-3);
      // The extremum of a damped cosine lies at sqrt(1 - zeta^2) of its envelope.
      EXPECT_NEAR(cycle.amplitude, std::exp(-zeta * two_pi * 5 * cycle.time) * std::sqrt(1 - zeta * zeta),
                  2e-3 * cycle.amplitude);
    }
    EXPECT_NEAR(r.peak_frequency, damped(5, zeta), 1e-3);
  }
}

TEST(RingDown, AnOffsetAndADriftingRestPositionDoNotChangeTheDamping) {
  const Signal s = decay(4, 0.03, 4, 0.005, 0.2, 17.0, 0.05);
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.zeta, 0.03, 3e-5);
  EXPECT_TRUE(r.has(RingDownFlag::drifting_rest));
  ASSERT_FALSE(r.by_amplitude.empty());
  for (const AmplitudeBin& bin : r.by_amplitude)
    if (bin.amplitude > 0.05) {
      EXPECT_NEAR(bin.zeta, 0.03, 3e-4);
    }
  EXPECT_NEAR(r.fit.drift, 0.05, 1e-6);
}

TEST(RingDown, UnevenSamplingIsAccepted) {
  Signal s = decay(4, 0.03, 4, 0.005);
  for (std::size_t i = 1; i + 1 < s.t.size(); ++i) {
    const double t = s.t[i] + 0.001 * testing::rnd(static_cast<int>(i));
    const double omega = two_pi * 4;
    s.t[i] = t;
    s.x[i] = std::exp(-0.03 * omega * t) * std::cos(omega * std::sqrt(1 - 0.03 * 0.03) * t);
  }
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.zeta, 0.03, 3e-5);
  EXPECT_NEAR(r.natural_frequency, 4, 4e-5);
  EXPECT_TRUE(r.has(RingDownFlag::gaps));
  for (const RingCycle& cycle : r.cycles) EXPECT_NEAR(cycle.zeta, 0.03, 5e-4);
}

TEST(RingDown, NoiseIsMeasuredAndTheStatedUncertaintyCoversTheError) {
  Signal s = decay(7, 0.05, 2, 0.01);
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += 0.01 * noise(static_cast<int>(i));
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.noise, 0.01, 0.003);
  EXPECT_GT(r.zeta_deviation, 1e-5);
  EXPECT_LT(r.zeta_deviation, 2e-3);
  EXPECT_NEAR(r.zeta, 0.05, 4 * r.zeta_deviation);
  EXPECT_NEAR(r.frequency, damped(7, 0.05), 4 * r.frequency_deviation);
  EXPECT_FALSE(r.has(RingDownFlag::amplitude_dependent));
}

TEST(RingDown, AmplitudeDependentDampingIsSeenAndTabulated) {
  // Envelope of dA/dt = -omega (z0 + z1 A) A: zeta(A) = z0 + z1 A, slowly varying.
  const double omega = two_pi * 6, z0 = 0.01, z1 = 0.02, dt = 1.0 / 300;
  Signal s;
  for (int i = 0; i < 3000; ++i) {
    const double t = i * dt, e = std::exp(-omega * z0 * t);
    const double amplitude = e / (1 + z1 / z0 * (1 - e));
    s.t.push_back(t);
    s.x.push_back(amplitude * std::cos(omega * t));
  }
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_TRUE(r.has(RingDownFlag::amplitude_dependent));
  EXPECT_FALSE(r.has(RingDownFlag::several_modes));
  ASSERT_GE(r.by_amplitude.size(), 3u);
  for (const RingCycle& cycle : r.cycles)
    if (cycle.amplitude > 1e-3) {
      EXPECT_NEAR(cycle.zeta, z0 + z1 * cycle.amplitude, 5e-4);
    }
  EXPECT_GT(r.zeta, z0);
  EXPECT_LT(r.zeta, z0 + z1);
}

TEST(RingDown, DryFrictionShowsARatioThatRisesAsTheAmplitudeFalls) {
  // x'' + 2 z0 w x' + w^2 (x + d sign x') = 0: between turning points a viscous decay about -d or +d, stepped exactly.
  const double w = two_pi * 5, z0 = 0.01, d = 0.002, dt = 0.002, root = std::sqrt(1 - z0 * z0), wd = w * root;
  Signal s;
  double start = 1, center = d, turn = 0;  // released at +1, moving down: friction pushes up
  for (int i = 0; i < 4000; ++i) {
    const double t = i * dt;
    while (t - turn > std::numbers::pi / wd && std::abs(start) > d) {
      turn += std::numbers::pi / wd;
      start = center - (start - center) * std::exp(-z0 * std::numbers::pi / root);
      center = -center;
      if (std::abs(start) <= d) center = start;  // stuck
    }
    const double since = t - turn, decay = std::exp(-z0 * w * since);
    s.t.push_back(t);
    s.x.push_back(center + (start - center) * decay * (std::cos(wd * since) + z0 / root * std::sin(wd * since)));
  }
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_FALSE(r.has(RingDownFlag::overdamped));
  EXPECT_TRUE(r.has(RingDownFlag::amplitude_dependent));
  EXPECT_NEAR(r.frequency, 5, 0.01);
  int num_checked = 0;
  for (const RingCycle& cycle : r.cycles)
    if (cycle.amplitude > 0.05) {
      EXPECT_NEAR(cycle.zeta, z0 + 2 * d / (std::numbers::pi * cycle.amplitude), 0.02 * cycle.zeta);
      ++num_checked;
    }
  EXPECT_GT(num_checked, 20);
}

TEST(RingDown, SeveralModesAreSeparatedAndSubtractedBeforePeaksAreRead) {
  const Signal a = decay(3, 0.02, 5, 0.004, 0.3), b = decay(11, 0.01, 5, 0.004, 1.0), c = decay(19, 0.05, 5, 0.004);
  Signal s = a;
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += 0.3 * b.x[i] + 0.2 * c.x[i] + 2.0;
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_TRUE(r.has(RingDownFlag::several_modes));
  ASSERT_EQ(r.fit.modes.size(), 3u);
  EXPECT_NEAR(r.fit.modes[0].zeta(), 0.02, 2e-5);
  EXPECT_NEAR(r.fit.modes[1].zeta(), 0.01, 1e-5);
  EXPECT_NEAR(r.fit.modes[2].zeta(), 0.05, 5e-5);
  EXPECT_NEAR(r.fit.modes[1].natural_frequency(), 11, 1e-4);
  for (const RingCycle& cycle : r.cycles) EXPECT_NEAR(cycle.zeta, 0.02, 2e-4);
}

TEST(RingDown, TwoCloseModesThatBeatAreToldApart) {
  const Signal a = decay(5, 0.004, 8, 0.008), b = decay(5.4, 0.006, 8, 0.008, 0.7);
  Signal s = a;
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += 0.6 * b.x[i];
  const RingDown r = measure_ring_down(s.t, s.x);
  ASSERT_EQ(r.fit.modes.size(), 2u);
  EXPECT_NEAR(r.zeta, 0.004, 4e-6);
  EXPECT_NEAR(r.fit.modes[1].zeta(), 0.006, 6e-6);
}

TEST(RingDown, APlateauBeforeTheReleaseIsLeftOut) {
  const double f = 7.7, zeta = 0.055;
  Signal s;
  for (int i = 0; i < 500; ++i) {
    const double t = i * 0.01, since = t - 0.5, omega = two_pi * f, root = std::sqrt(1 - zeta * zeta);
    const double ring = std::exp(-zeta * omega * since) *
                        (std::cos(omega * root * since) + zeta / root * std::sin(omega * root * since));
    s.t.push_back(t);
    s.x.push_back((since < 0 ? 1.0 : ring) + 0.002 * noise(i));
  }
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.start_time, 0.5, 0.02);
  EXPECT_NEAR(r.initial_amplitude, 1.0, 0.02);
  EXPECT_NEAR(r.zeta, zeta, 4e-4);
  EXPECT_NEAR(r.natural_frequency, f, 0.01);
  EXPECT_FALSE(r.has(RingDownFlag::poor_fit));
}

TEST(RingDown, SettleTimesAreThoseOfTheMotionAndOfItsEnvelope) {
  const double f = 10, zeta = 0.02, sigma = zeta * two_pi * f;
  const Signal s = decay(f, zeta, 6, 0.001);
  const RingDown r = measure_ring_down(s.t, s.x);
  ASSERT_EQ(r.settle.size(), 3u);
  for (const SettleTime& settle : r.settle) {
    EXPECT_NEAR(settle.predicted, -std::log(settle.fraction) / sigma, 1e-6);
    EXPECT_NEAR(settle.measured, settle.predicted, 0.5 / f);  // the last peak outside the band
  }
  EXPECT_GT(r.settle[2].measured, r.settle[0].measured);
  const Signal cut = decay(f, zeta, 1, 0.001);
  EXPECT_TRUE(std::isnan(measure_ring_down(cut.t, cut.x).settle[2].measured));
}

TEST(RingDown, AMotionThatCreepsBackIsCalledOverdamped) {
  Signal s;
  const double omega = 10, zeta = 2, root = std::sqrt(zeta * zeta - 1), slow = omega * (zeta - root),
               fast = omega * (zeta + root);
  for (int i = 0; i < 400; ++i) {
    const double t = i * 0.01;
    s.t.push_back(t);
    s.x.push_back((fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (fast - slow));
  }
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_TRUE(r.has(RingDownFlag::overdamped));
  EXPECT_TRUE(std::isnan(r.zeta));
  EXPECT_NEAR(r.decay_rate, slow, 0.02 * slow);
  EXPECT_NEAR(r.settle[0].measured, -std::log(0.05 * (fast - slow) / fast) / slow, 0.02);
}

TEST(RingDown, ASteadyMotionIsCalledNotDecaying) {
  const Signal s = decay(5, 0, 4, 0.01);
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_NEAR(r.zeta, 0, 1e-8);
  EXPECT_TRUE(r.has(RingDownFlag::not_decaying));
}

TEST(RingDown, TwoCyclesAndCoarseSamplingAreFlagged) {
  const Signal few = decay(5, 0.02, 0.4, 0.005);
  EXPECT_TRUE(measure_ring_down(few.t, few.x).has(RingDownFlag::too_few_cycles));
  const Signal coarse = decay(5, 0.02, 6, 0.2 / 6.3);
  const RingDown r = measure_ring_down(coarse.t, coarse.x);
  EXPECT_TRUE(r.has(RingDownFlag::coarse_sampling));
  EXPECT_NEAR(r.zeta, 0.02, 1e-4);
}

TEST(RingDown, GapsOfATrackerAreBridgedAndReported) {
  Signal s = decay(5, 0.02, 4, 0.005);
  for (std::size_t i = 200; i < 206; ++i) s.x[i] = std::nan("");
  const RingDown r = measure_ring_down(s.t, s.x);
  EXPECT_TRUE(r.has(RingDownFlag::gaps));
  EXPECT_NEAR(r.zeta, 0.02, 2e-5);
}

TEST(RingDown, UnusableInputIsRefusedWithAReason) {
  const std::vector<double> t{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, flat(10, 3.0), short_x(9, 1.0);
  std::vector<double> back = t;
  back[5] = 2;
  EXPECT_THROW(measure_ring_down(t, flat), Error);
  EXPECT_THROW(measure_ring_down(t, short_x), Error);
  EXPECT_THROW(measure_ring_down(back, t), Error);
  EXPECT_THROW(measure_ring_down({}, {}), Error);
  RingDownOptions options;
  options.max_modes = 0;
  EXPECT_THROW(measure_ring_down(t, t, options), Error);
  for (int flag = 0; flag <= static_cast<int>(RingDownFlag::poor_fit); ++flag) {
    EXPECT_FALSE(flag_text(static_cast<RingDownFlag>(flag)).empty());
    EXPECT_FALSE(flag_name(static_cast<RingDownFlag>(flag)).empty());
  }
}

}  // namespace
}  // namespace dashpot::analysis::test_ring_down
