#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/math/gain_curve.hpp"

namespace dashpot::math::test_gain_curve {
namespace {

using Kind = GainCurve::Kind;

double ten(double s) { return std::pow(10.0, s); }

/// The knots of table A6: log10 gamma = -1, .3, .8 at 0, .5, 1.5.
std::vector<GainCurve::Point> reference_knots() { return {{0, ten(-1)}, {0.5, ten(0.3)}, {1.5, ten(0.8)}}; }

TEST(GainCurve, ReproducesTheReferenceValuesOfStraightAndMonotoneCurves) {
  const GainCurve straight = GainCurve::through(reference_knots(), Kind::linear);
  EXPECT_NEAR(straight.value(0.25), 0.446683592151, 1e-11);
  EXPECT_NEAR(straight.value(0.5), 1.995262314969, 1e-11);
  EXPECT_NEAR(straight.value(1), 3.548133892336, 1e-11);
  EXPECT_NEAR(straight.value(2), 6.309573444802, 1e-11);
  const GainCurve smooth = GainCurve::through(reference_knots(), Kind::monotone);
  EXPECT_NEAR(smooth.value(0.25), 0.630324159652, 1e-11);
  EXPECT_NEAR(smooth.value(1), 4.606510792751, 1e-11);
}

TEST(GainCurve, IsConstantOutsideItsKnots) {
  for (const Kind kind : {Kind::linear, Kind::monotone}) {
    const GainCurve curve = GainCurve::through({{0.2, 0.5}, {0.7, 8}}, kind);
    EXPECT_NEAR(curve.value(0), 0.5, 1e-15);
    EXPECT_NEAR(curve.value(99), 8, 1e-14);
    EXPECT_EQ(curve.derivative(0.1), 0);
    EXPECT_EQ(curve.derivative(2), 0);
  }
}

TEST(GainCurve, DerivativesAreThoseOfTheValuesForEveryKind) {
  const std::vector<GainCurve::Point> bezier = {{0, 0.1}, {0.1, 0.1}, {0.6, 50}, {1, 5}, {1.1, 2}, {1.7, 2}, {2, 40}};
  for (const GainCurve& curve :
       {GainCurve::through(reference_knots(), Kind::linear), GainCurve::through(reference_knots(), Kind::monotone),
        GainCurve::through(bezier, Kind::bezier), GainCurve::preset("sticky_middle", 0.7, 30)}) {
    for (const double x : {0.03, 0.31, 0.77, 1.21}) {
      const double h = 1e-6, slope = (curve.value(x + h) - curve.value(x - h)) / (2 * h);
      ASSERT_NE(slope, 0);
      EXPECT_NEAR(curve.derivative(x), slope, 1e-7 * std::abs(slope) + 1e-9) << to_string(curve.kind()) << " at " << x;
    }
  }
}

TEST(GainCurve, BezierWithHandlesAtThirdsAndMonotoneTangentsIsTheMonotoneCurve) {
  // Hermite slopes of the monotone cubic as handles y_j + d_j dx / 3.
  const GainCurve smooth = GainCurve::through(reference_knots(), Kind::monotone);
  const auto knots = reference_knots();
  const auto slope = [&](std::size_t i, double side) {
    const double x = knots[i].x + side * 1e-9;
    return smooth.derivative(x) / (smooth.value(x) * std::log(10.0));
  };
  std::vector<GainCurve::Point> points = {knots[0]};
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double dx = knots[i + 1].x - knots[i].x;
    const double s0 = std::log10(knots[i].gamma), s1 = std::log10(knots[i + 1].gamma);
    points.push_back({knots[i].x + dx / 3, ten(s0 + slope(i, 1) * dx / 3)});
    points.push_back({knots[i + 1].x - dx / 3, ten(s1 - slope(i + 1, -1) * dx / 3)});
    points.push_back(knots[i + 1]);
  }
  const GainCurve arcs = GainCurve::through(points, Kind::bezier);
  for (double x = 0.01; x < 1.6; x += 0.07) EXPECT_NEAR(arcs.value(x), smooth.value(x), 1e-7);
}

TEST(GainCurve, NamesEverythingWrongWithItsPointsAtOnce) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  try {
    GainCurve::through({{-1, 1}, {0.5, 0}, {0.5, -3}, {nan, 2}, {0.4, 1e4}}, Kind::bezier);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 7u) << error.what();  // x < 0, 0, x again, < 0, NaN, 1e4, 5 points for Bezier
  }
  EXPECT_THROW(GainCurve::through({}, Kind::linear), Error);
  EXPECT_THROW(GainCurve::through({{0, 1}, {0, 2}}, Kind::linear), Error);
  EXPECT_THROW(GainCurve::through({{1, 1}, {0.5, 2}}, Kind::monotone), Error);
  EXPECT_THROW(GainCurve::constant(-1), Error);
  EXPECT_THROW(GainCurve::constant(nan), Error);
  EXPECT_THROW(GainCurve::constant(1e-4), Error);
  EXPECT_EQ(GainCurve::constant(0).value(3), 0);
  EXPECT_EQ(GainCurve::through({{0, 1e-3}, {1, 1e3}}, Kind::linear).knots().size(), 2u);
}

TEST(GainCurve, PresetsDoWhatTheySayAndRefuseNonsense) {
  const GainCurve landing = GainCurve::preset("soft_landing", 0.1, 20);
  EXPECT_NEAR(landing.value(0), 1, 1e-14);
  EXPECT_NEAR(landing.value(0.1), 20, 1e-12);
  const GainCurve lively = GainCurve::preset("lively_when_small", 0.1, 20);
  EXPECT_NEAR(lively.value(0.005), 0.05, 1e-14);
  EXPECT_NEAR(lively.value(0.2), 1, 1e-14);
  for (const GainCurve::Preset& preset : GainCurve::presets()) {
    EXPECT_FALSE(preset.help.empty());
    const GainCurve curve = GainCurve::preset(preset.name, 2, 10);
    EXPECT_FALSE(curve.is_constant()) << preset.name;
  }
  try {
    GainCurve::preset("soft_handing", -1, 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
    EXPECT_NE(std::string(error.what()).find("soft_landing"), std::string::npos);
  }
}

}  // namespace
}  // namespace dashpot::math::test_gain_curve
