#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/bouc_wen.hpp"
#include "dashpot/dissipation/formula/hysteresis.hpp"
#include "support/derivative_slope.hpp"
#include "support/remembering_body.hpp"

namespace dashpot::testing::test_bouc_wen {
namespace {

RememberingBody::MakeDamping hysteresis(const BoucWenOptions& options) {
  return [=](const ModuliSource& source) { return std::make_unique<BoucWen>("bouc_wen", "body", source, options); };
}

template <class Check>
void for_each_shape(const Check& check) {
  for (const int exponent : {1, 2})
    for (const double delta : {0.0, 0.3, 1.0}) {
      SCOPED_TRACE(fmt::format("exponent {}, delta {}", exponent, delta));
      check(exponent, delta);
    }
}

TEST(BoucWen, TheClosedFormSolvesItsEquation) {
  for_each_shape([](int n, double delta) {
    for (const double y : {-0.95, -0.2, 0.0, 0.4, 0.99})
      for (const double u : {-2.5, -0.3, 0.7, 3.0}) {
        // Classical Runge-Kutta; its steps see the kink at y = 0, whence the tolerance.
        const double way = u < 0 ? -1 : 1;
        const auto rate = [&](double x) {
          const double size = std::pow(std::abs(x), n);
          return x * way >= 0 ? way * (1 - size) : way * (1 + delta * size);
        };
        constexpr int steps = 4000;
        const double h = std::abs(u) / steps;
        double x = y;
        for (int i = 0; i < steps; ++i) {
          const double a = rate(x), b = rate(x + h * a / 2), c = rate(x + h * b / 2), d = rate(x + h * c);
          x += h / 6 * (a + 2 * b + 2 * c + d);
        }
        const formula::Hysteresis found = formula::follow_hysteresis(y, u, n, delta);
        EXPECT_NEAR(found.y, x, 1e-6) << y << " " << u;
        EXPECT_NEAR(found.slope, way * rate(found.y), 1e-12);
        const formula::Hysteresis half = formula::follow_hysteresis(y, 0.4 * u, n, delta),
                                  rest = formula::follow_hysteresis(half.y, 0.6 * u, n, delta);
        EXPECT_NEAR(rest.y, found.y, 1e-13) << "whatever the steps";
      }
  });
}

TEST(BoucWen, TenThousandRandomPathsLoseAndStoreNoLessThanNothing) {
  for_each_shape([](int n, double delta) {
    int drawn = 0;
    for (int path = 0; path < 1700; ++path) {
      double y = 0, lost = 0;
      for (int leg = 0; leg < 12; ++leg) {
        const double u = 2 * rnd(++drawn);
        constexpr int pieces = 64;
        double work = 0;
        const double start = y;
        for (int k = 0; k < pieces; ++k) {
          const double next = formula::follow_hysteresis(y, u / pieces, n, delta).y;
          work += 0.5 * (y + next) * u / pieces;
          y = next;
        }
        const double loss = work - (y * y - start * start) / 2;
        ASSERT_GE(loss, -1e-4 * std::abs(work));
        ASSERT_LE(std::abs(y), 1 + 1e-15);
        lost += loss;
      }
      ASSERT_GT(lost, 0);
    }
  });
}

TEST(BoucWen, WideCyclesLoseFourTimesYieldForceTimesAmplitude) {
  // Of Dahl's model exactly, where y turns round at nearly 1: the area is 4 (A - tanh A) in units of c z_0^2.
  const double A = 6;
  double y = 0, area = 0;
  constexpr int points = 20000;
  for (int i = 1; i <= 3 * points; ++i) {
    const double before = A * std::sin(2 * 3.14159265358979 * (i - 1) / points),
                 after = A * std::sin(2 * 3.14159265358979 * i / points),
                 next = formula::follow_hysteresis(y, after - before, 1, 1).y;
    if (i > 2 * points) area += 0.5 * (y + next) * (after - before);
    y = next;
  }
  EXPECT_NEAR(area / (4 * (A - std::tanh(A))), 1, 1e-5);
}

TEST(BoucWen, TangentsAreTheDerivativesAndSymmetricOnSpringsAndHinges) {
  for (const MemoryElement element : {MemoryElement::springs, MemoryElement::hinges})
    for_each_shape([&](int n, double delta) {
      RememberingBody body(element, hysteresis({0.6, 0.1, n, delta}));
      body.advance(body.q + body.direction, 0.02);
      const Vector here = body.q + 0.4 * body.direction.reverse(), d = body.direction;
      const Matrix K = body.tangent(here, 0.03);
      const SlopeResult slope =
          derivative_slope([&](const Vector& q) { return body.force(q, 0.03); }, here, d, K * d, 1e-3);
      EXPECT_TRUE(slope.ok()) << slope.slope << " " << slope.relative_remainder;
      EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
    });
}

TEST(BoucWen, TheSameWhateverTheSpeed) {
  for (const MemoryElement element : {MemoryElement::springs, MemoryElement::hinges}) {
    RememberingBody slow(element, hysteresis({0.6, 0.1, 1, 1})), fast(element, hysteresis({0.6, 0.1, 1, 1}));
    for (int i = 1; i <= 5; ++i) {
      const Vector there = slow.q + rnd(i) * slow.direction;
      const Vector f = slow.advance(there, 10), g = fast.advance(there, 1e-3);
      ASSERT_GT(f.norm(), 0);
      EXPECT_LT((f - g).norm(), 1e-13 * f.norm());
    }
    EXPECT_NEAR(slow.stored(), fast.stored(), 1e-13 * slow.stored());
  }
}

TEST(BoucWen, CyclesMeetTheFirstHarmonicThatModesAreTold) {
  const double a = 0.4;
  RememberingBody body(MemoryElement::springs, hysteresis({0.6, 0.02, 1, 1}));
  const std::complex<double> told =
      body.damping->capabilities().oscillation->oscillation_work(body.rest, body.direction, {0, 1}, a);
  const double
      small = body.damping->capabilities().oscillation->oscillation_work(body.rest, body.direction, {0, 1}, 0).real(),
      K = body.direction.dot(body.stiffness(body.rest) * body.direction);
  EXPECT_NEAR(small / (0.6 * K), 1, 1e-9) << "an elastic spring for vanishing motions";
  body.begin(body.rest, Vector::Zero(body.rest.size()));
  std::complex<double> sum = 0;
  constexpr int points = 600;
  for (int i = 1; i <= 3 * points; ++i) {
    const double phase = 2 * 3.14159265358979 * i / points;
    const double along = body.advance(body.rest + a * std::sin(phase) * body.direction, 0.1).dot(body.direction);
    if (i > 2 * points) sum += along * std::complex<double>(std::sin(phase), std::cos(phase)) * (2.0 / points / a);
  }
  ASSERT_GT(told.imag(), 0.05 * K);
  EXPECT_NEAR(sum.imag() / told.imag(), 1, 0.02) << "but for the curvature of finite motions";
  EXPECT_NEAR(sum.real() / told.real(), 1, 0.02);
}

TEST(BoucWen, WhatIsOutOfRangeIsRefusedByName) {
  EXPECT_NO_THROW(RememberingBody(MemoryElement::springs, hysteresis({0.1, 0.1, 1, 1})));
  for (const BoucWenOptions& bad : {BoucWenOptions{-0.1, 0.1, 1, 1}, BoucWenOptions{0.1, 0, 1, 1},
                                    BoucWenOptions{0.1, 0.1, 3, 1}, BoucWenOptions{0.1, 0.1, 1, 1.5}})
    EXPECT_THROW(RememberingBody(MemoryElement::springs, hysteresis(bad)), Error);
  // A strain follows Dahl's model only.
  EXPECT_NO_THROW(RememberingBody(MemoryElement::solids, hysteresis({0.1, 0.1, 1, 1})));
  EXPECT_THROW(RememberingBody(MemoryElement::solids, hysteresis({0.1, 0.1, 2, 1})), Error);
  EXPECT_THROW(RememberingBody(MemoryElement::triangles, hysteresis({0.1, 0.1, 1, 0.5})), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_bouc_wen
