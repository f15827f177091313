#include "dashpot/analysis/forced.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "dashpot/analysis/frf.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_forced {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi, two_pi = 2 * pi;

/// m x'' + c x' + k x = F.
struct Oscillator {
  double m = 2, c = 3, k = 5000;
  Complex receptance(double f) const {
    const double w = two_pi * f;
    return 1.0 / Complex(k - m * w * w, c * w);
  }
  double f0() const { return std::sqrt(k / m) / two_pi; }
  double zeta() const { return c / (2 * std::sqrt(k * m)); }
};

std::vector<FrfPoint> sweep(const Oscillator& o, double from, double to, int n, Complex residual = 0) {
  std::vector<FrfPoint> points;
  for (int i = 0; i < n; ++i) {
    const double f = from + (to - from) * i / (n - 1);
    points.push_back({f, o.receptance(f) + residual});
  }
  return points;
}

TEST(Forced, AKelvinVoigtSpecimenShowsItsStiffnessLossAngleAndLoopArea) {
  const double k = 800, c = 4, f = 3, w = two_pi * f, amplitude = 0.01;
  std::vector<double> t, force, x;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(5.0 + 0.0021 * i);
    x.push_back(0.3 + amplitude * std::cos(w * t.back() - 0.4));
    force.push_back(7.0 + k * amplitude * std::cos(w * t.back() - 0.4) -
                    c * w * amplitude * std::sin(w * t.back() - 0.4));
  }
  const ForcedResponse r = measure_forced(t, force, x, f);
  EXPECT_NEAR(r.storage_stiffness, k, 1e-8 * k);
  EXPECT_NEAR(r.loss_stiffness, c * w, 1e-8 * k);
  EXPECT_NEAR(r.loss_factor, c * w / k, 1e-10);
  EXPECT_NEAR(r.loss_angle, std::atan(c * w / k), 1e-10);
  EXPECT_NEAR(r.energy_lost_per_cycle, pi * c * w * amplitude * amplitude, 1e-12);
  EXPECT_NEAR(r.equivalent_dashpot, c, 1e-8);
  EXPECT_NEAR(r.displacement_amplitude, amplitude, 1e-12);
  EXPECT_LT(r.distortion, 1e-9);
  EXPECT_NEAR(find_drive_frequency(t, force), f, 1e-7);
}

TEST(Forced, DryFrictionLosesFourTimesForceTimesAmplitudePerCycle) {
  const double friction = 2, k = 100, amplitude = 0.05, f = 1, w = two_pi * f;
  std::vector<double> t, force, x;
  for (int i = 0; i < 20000; ++i) {
    t.push_back(5.0 * i / 20000);
    x.push_back(amplitude * std::sin(w * t.back()));
    force.push_back(k * x.back() + friction * (std::cos(w * t.back()) > 0 ? 1 : -1));
  }
  const ForcedResponse r = measure_forced(t, force, x, f);
  EXPECT_NEAR(r.energy_lost_per_cycle, 4 * friction * amplitude, 1e-3 * 4 * friction * amplitude);
}

TEST(Forced, HigherHarmonicsAreReportedAsDistortion) {
  std::vector<double> t, force, x;
  for (int i = 0; i < 2000; ++i) {
    t.push_back(0.001 * i);
    force.push_back(std::cos(two_pi * 5 * t.back()));
    x.push_back(0.1 * std::cos(two_pi * 5 * t.back() - 0.2) + 0.01 * std::cos(two_pi * 15 * t.back()));
  }
  EXPECT_NEAR(measure_forced(t, force, x, 5).distortion, 0.1, 1e-9);
}

TEST(Forced, SteppedSweepAndKnockGiveTheReceptanceOfAnOscillator) {
  const Oscillator o;
  const double w0 = two_pi * o.f0(), sigma = o.zeta() * w0, wd = w0 * std::sqrt(1 - o.zeta() * o.zeta());
  // Knock: force a short half-sine, response by its closed convolution in small pieces (trapezoid is exact enough at 20
  // us).
  std::vector<double> t, force, x;
  std::vector<SweepSegment> segments;
  for (int step = 0; step < 4; ++step) {
    const double f = 6 + step, start = step * 4.0;
    segments.push_back({start, start + 4, f});
    for (int i = 0; i < 4000; ++i) {
      t.push_back(start + 0.001 * i);
      force.push_back(std::cos(two_pi * f * t.back()));
      const Complex h = o.receptance(f);
      x.push_back(std::abs(h) * std::cos(two_pi * f * t.back() + std::arg(h)));
    }
  }
  for (const FrfPoint& p : frf_from_steps(t, force, x, segments))
    EXPECT_LT(std::abs(p.response / o.receptance(p.frequency) - 1.0), 1e-8);
  // Impulse response: a force of unit impulse in the first sample.
  const double h = 2e-4;
  std::vector<double> time, knock, ring;
  for (int i = 0; i < 100000; ++i) {
    const double s = h * i;
    time.push_back(s);
    knock.push_back(i == 0 ? 2 / h : 0);  // the trapezoidal rule counts the first sample half
    ring.push_back(std::exp(-sigma * s) * std::sin(wd * s) / (o.m * wd));
  }
  const std::vector<double> frequencies{5, o.f0(), 10};
  for (const FrfPoint& p : frf_from_transient(time, knock, ring, frequencies))
    EXPECT_LT(std::abs(p.response / o.receptance(p.frequency) - 1.0), 2e-4);
}

TEST(Frf, AllThreeMethodsAreExactForAViscousOscillator) {
  for (const double zeta : {0.002, 0.02, 0.1, 0.3}) {
    Oscillator o;
    o.c = 2 * zeta * std::sqrt(o.k * o.m);
    const double f0 = o.f0(), reach = std::min(0.9, std::max(8 * zeta, 0.05));
    const ResonanceFit fit = fit_resonance(sweep(o, f0 * (1 - reach), f0 * (1 + reach), 61));
    EXPECT_NEAR(fit.zeta_half_power, zeta, 1e-7 * zeta);
    EXPECT_NEAR(fit.zeta_fit, zeta, 1e-8 * zeta);
    EXPECT_NEAR(fit.zeta_circle, zeta, 1e-8 * zeta);
    EXPECT_NEAR(fit.resonance_frequency, f0 * std::sqrt(1 - 2 * zeta * zeta), 1e-8 * f0);
    EXPECT_NEAR(fit.natural_frequency, f0, 1e-8 * f0);
    EXPECT_NEAR(fit.circle_natural_frequency, f0, 1e-8 * f0);
    EXPECT_NEAR(fit.peak_response, 1 / (2 * zeta * std::sqrt(1 - zeta * zeta) * o.k), 1e-9 * fit.peak_response);
    EXPECT_NEAR(fit.mass, o.m, 1e-7);
    EXPECT_NEAR(fit.stiffness, o.k, 1e-4);
    EXPECT_TRUE(fit.methods_agree);
  }
}

TEST(Frf, TheTextbookBandwidthIsRightForSmallDampingOnly) {
  Oscillator o;
  o.c = 2 * 0.3 * std::sqrt(o.k * o.m);
  const ResonanceFit strong = fit_resonance(sweep(o, 1, 16, 200));
  EXPECT_GT(std::abs(strong.zeta_bandwidth / 0.3 - 1), 0.05);
  o.c = 2 * 0.005 * std::sqrt(o.k * o.m);
  const ResonanceFit weak = fit_resonance(sweep(o, 7, 9, 400));
  EXPECT_NEAR(weak.zeta_bandwidth, 0.005, 1e-6);
}

TEST(Frf, TheCircleToleratesWhatNeighboringModesAdd) {
  Oscillator o;
  o.c = 2 * 0.02 * std::sqrt(o.k * o.m);
  Oscillator other{1, 5, 60000};
  std::vector<FrfPoint> points;
  for (int i = 0; i < 81; ++i) {
    const double f = 7 + 0.025 * i;
    points.push_back({f, o.receptance(f) + other.receptance(f)});
  }
  const ResonanceFit fit = fit_resonance(points);
  EXPECT_NEAR(fit.zeta_circle, 0.02, 0.02 * 0.02);
  EXPECT_NEAR(fit.circle_natural_frequency, o.f0(), 2e-3 * o.f0());
}

TEST(Frf, MissingHalfPowerPointsAndBadInputAreToldNotGuessed) {
  const Oscillator o;
  const ResonanceFit cut = fit_resonance(sweep(o, o.f0(), o.f0() * 1.5, 50));
  EXPECT_TRUE(std::isnan(cut.half_power_low));
  EXPECT_TRUE(std::isnan(cut.zeta_half_power));
  EXPECT_FALSE(cut.methods_agree);
  EXPECT_THROW(fit_resonance(sweep(o, 5, 9, 4)), Error);
  std::vector<FrfPoint> twice = sweep(o, 5, 9, 10);
  twice[3].frequency = twice[2].frequency;
  EXPECT_THROW(fit_resonance(twice), Error);
  const std::vector<double> t{0, 1, 2}, x{0, 1, 2};
  EXPECT_THROW(fit_harmonics(t, x, 1), Error);
  EXPECT_THROW(measure_forced(t, x, std::vector<double>{1, 2}, 1), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_forced
