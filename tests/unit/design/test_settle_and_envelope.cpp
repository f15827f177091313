#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/design/envelope.hpp"
#include "dashpot/design/settle.hpp"
#include "unit/design/one_dof_body.hpp"

namespace dashpot::testing::test_settle_and_envelope {
namespace {

using namespace design;

TEST(SettleDesign, FindsTheWeakestGainThatSettlesInTime) {
  const SettleTarget target{0, 1, 2.0, 0.05};
  UnloadingOptions options;
  const SettleDesign design = design_settle(one_dof_body(), constant_gain(1), target, options);
  ASSERT_TRUE(design.reached) << design.explanation;
  EXPECT_LE(design.settled_after, 2.0);
  const SettleDesign weaker = design_settle(one_dof_body(), constant_gain(1), {0, 1, 2.0 * 1.5, 0.05}, options);
  EXPECT_LT(weaker.gain, design.gain);
  // The envelope exp(-zeta omega t) meets 5 % at t = 3 / (zeta omega); crossings come at most half a period earlier.
  const double omega = 2 * std::numbers::pi, zeta = 0.05 * design.gain;
  EXPECT_LT(zeta, 3 / (omega * 2.0) * 1.02);
  EXPECT_GT(zeta, 3 / (omega * 2.5) * 0.98);
}

TEST(SettleDesign, NoDampingSettlesFasterThanABodyCanMove) {
  const SettleDesign design = design_settle(one_dof_body(), constant_gain(1), {0, 1, 0.1, 0.05}, {});
  EXPECT_FALSE(design.reached);
  EXPECT_NE(design.explanation.find("unreachable"), std::string::npos);
}

/// A body's own decay under a gain that grows with amplitude.
EnvelopeTarget decay_under(const Designable& body) {
  const Gains truth = {math::GainCurve::through({{0.1, 0.3}, {0.5, 2}, {1, 4}}, math::GainCurve::Kind::linear)};
  const Swing swing = release(body, truth, {0, 1, 4.0, {}});
  EnvelopeTarget target;
  target.knots = {0.1, 0.5, 1};
  for (std::size_t i = 0; i < swing.peak.size(); ++i) target.points.push_back({swing.peak_time[i], swing.peak[i]});
  return target;
}

TEST(EnvelopeFit, RecoversTheCurveThatMadeTheDecay) {
  const Designable body = one_dof_body();
  const EnvelopeTarget target = decay_under(body);
  ASSERT_GT(target.points.size(), 6U);
  const EnvelopeFit fit = fit_envelope(body, constant_gain(1), target, {});
  EXPECT_LT(fit.rms_error, 2e-3);
  EXPECT_NEAR(fit.knot_gains[0], 0.3, 0.03);
  EXPECT_NEAR(fit.knot_gains[1], 2, 0.1);
  EXPECT_NEAR(fit.knot_gains[2], 4, 0.4);
}

TEST(EnvelopeFit, AToleranceEndsTheSearchAsSoonAsItIsMet) {
  const Designable body = one_dof_body();
  EnvelopeTarget target = decay_under(body);
  const EnvelopeFit best = fit_envelope(body, constant_gain(1), target, {});
  target.tolerance = 0.02;
  const EnvelopeFit content = fit_envelope(body, constant_gain(1), target, {});
  EXPECT_LT(content.rms_error, target.tolerance);
  EXPECT_GT(content.rms_error, best.rms_error);
  EXPECT_LT(content.simulations, best.simulations);
}

TEST(EnvelopeFit, ReadsTheEnvelopeOfALinearOscillatorAsAnExponential) {
  const Swing swing = release(one_dof_body(), constant_gain(1), {0, 1, 3.0, {}});
  const std::vector<EnvelopePoint> points = {{0.25, 1}, {1.1, 1}, {2.6, 1}};
  const std::vector<double> read = envelope_of(swing, 1, points);
  const double rate = 0.05 * 2 * std::numbers::pi;
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(read[i], std::exp(-rate * points[i].time), 0.005) << points[i].time;
}

TEST(EnvelopeFit, UselessDataAreRefusedWithEveryReason) {
  EnvelopeTarget target;
  target.points = {{1, 0.5}, {0.5, -0.2}};
  try {
    fit_envelope(one_dof_body(), constant_gain(1), target, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2U);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_settle_and_envelope
