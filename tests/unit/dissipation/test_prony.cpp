// Prony series on every kind of element: slopes, relaxation, complex moduli, passivity.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <complex>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/formula/relaxation.hpp"
#include "dashpot/dissipation/prony.hpp"
#include "support/derivative_slope.hpp"
#include "support/remembering_body.hpp"

namespace dashpot::testing::test_prony {
namespace {

constexpr double g[] = {0.7, 0.3}, tau[] = {0.05, 0.6};

std::unique_ptr<DissipationTerm> two_branches(const ModuliSource& source) {
  std::vector<PronyBranch> branches;
  for (int k = 0; k < 2; ++k) branches.push_back({PartwiseValue(g[k]), tau[k], fmt::format("share{}", k)});
  return std::make_unique<PronySeries>("prony", "body", source, std::move(branches));
}

template <class Check>
void for_each_body(const Check& check) {
  for (const MemoryElement element : all_memory_elements) {
    SCOPED_TRACE(fmt::format("element {}", static_cast<int>(element)));
    check(RememberingBody(element, two_branches));
  }
}

TEST(Prony, TheTangentIsTheDerivativeOfTheForceAndSymmetric) {
  for_each_body([](RememberingBody body) {
    body.advance(body.q + body.direction, 0.02);
    const Vector here = body.q + 0.4 * body.direction.reverse();
    const Matrix K = body.tangent(here, 0.03);
    const Vector d = body.direction;
    const SlopeResult slope =
        derivative_slope([&](const Vector& q) { return body.force(q, 0.03); }, here, d, K * d, 1e-2);
    EXPECT_TRUE(slope.ok()) << slope.slope << " " << slope.relative_remainder;
    EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
  });
}

TEST(Prony, AtOnceItIsTheShareOfTheBodysOwnStiffness) {
  for_each_body([](RememberingBody body) {
    body.begin(body.rest, Vector::Zero(body.rest.size()));
    const Matrix K = body.stiffness(body.rest), at_once = body.tangent(body.rest, 1e-12);
    ASSERT_GT(K.norm(), 1e-3);
    EXPECT_LT((at_once - (g[0] + g[1]) * K).norm(), 1e-9 * K.norm());
    EXPECT_LT((body.tangent(body.rest, 0) - at_once).norm(), 1e-9 * K.norm()) << "what explicit steppers must resolve";
  });
}

TEST(Prony, HeldStrainRelaxesWithTheSumOfItsExponentialsWhateverTheStep) {
  for_each_body([](RememberingBody body) {
    for (const double dt : {0.003, 0.11, 0.9}) {
      body.state.internal_variables[0].setZero();
      body.begin(body.q, Vector::Zero(body.q.size()));
      const Vector held = body.q + 0.1 * body.direction, instant = body.advance(held, 1e-12);
      ASSERT_GT(instant.norm(), 1e-6);
      for (int n = 1; n <= 8; ++n) {
        const double t = n * dt, left = (g[0] * std::exp(-t / tau[0]) + g[1] * std::exp(-t / tau[1])) / (g[0] + g[1]);
        EXPECT_LT((body.advance(held, dt) - left * instant).norm(), 1e-9 * instant.norm()) << n << " steps of " << dt;
      }
    }
  });
}

TEST(Prony, TheRelaxationOfOneStepIsExactToRoundOff) {
  for (const double r : {1e-9, 1e-4, 0.0999, 0.1001, 0.4999, 0.5001, 3.0, 200.0}) {
    const formula::Relaxation even = formula::relaxation(r * tau[0], tau[0]);
    EXPECT_NEAR(even.keep / std::exp(-r), 1, 1e-14) << r;
    EXPECT_NEAR(even.take / (-std::expm1(-r) / r), 1, 1e-14) << r;
    // E = t^3 over one step: xi' = 3 t^2 - r xi has this solution.
    const formula::RateRelaxation cubic = formula::rate_relaxation(r * tau[0], tau[0]);
    if (r < 0.4 || r > 100) continue;
    const double exact = 3 * (1 / r - 2 / (r * r) + 2 / (r * r * r) - 2 * std::exp(-r) / (r * r * r));
    EXPECT_NEAR(cubic.take + 3 * cubic.end, exact, 1e-12) << r;
    EXPECT_NEAR(cubic.take + cubic.start + cubic.end, even.take, 1e-13) << "even motion";
  }
}

/// Steady cycles of the size 1e-5 along the direction: the complex stiffness along it.
std::complex<double> stiffness_of_cycles(RememberingBody& body, double omega) {
  constexpr int points = 1200;
  const double a = 1e-4, dt = 2 * std::numbers::pi / omega / points;
  const int settling = points * (1 + static_cast<int>(std::ceil(16 * tau[1] * omega / (2 * std::numbers::pi))));
  std::complex<double> sum = 0;
  for (int i = 1; i <= settling + points; ++i) {
    const double phase = omega * i * dt;
    const double along = body.advance(body.rest + a * std::sin(phase) * body.direction, dt).dot(body.direction);
    if (i > settling) sum += along * std::complex<double>(std::sin(phase), std::cos(phase)) * (2.0 / points / a);
  }
  return sum;
}

TEST(Prony, OscillationsMeetTheComplexModulus) {
  for (const MemoryElement element : {MemoryElement::hinges, MemoryElement::solids}) {
    for (const double omega : {2.0, 9.0}) {
      RememberingBody body(element, two_branches);
      body.begin(body.rest, Vector::Zero(body.rest.size()));
      std::complex<double> factor = 0;
      for (int k = 0; k < 2; ++k) {
        const std::complex<double> z(0, omega * tau[k]);
        factor += g[k] * z / (1.0 + z);
      }
      const double K = body.direction.dot(body.stiffness(body.rest) * body.direction);
      const std::complex<double> told =
          body.damping->capabilities().oscillation->oscillation_work(body.rest, body.direction, {0, omega}, 0);
      EXPECT_LT(std::abs(told - K * factor), 1e-9 * K) << "what modes are told";
      const std::complex<double> met = stiffness_of_cycles(body, omega);
      EXPECT_NEAR(met.real() / (K * factor.real()), 1, 1e-4) << omega;
      EXPECT_NEAR(met.imag() / (K * factor.imag()), 1, 1e-4) << omega;
    }
  }
}

TEST(Prony, ARigidMotionChangesNoStressAndRaisesNoneAtRest) {
  for_each_body([](RememberingBody body) {
    const Vector strained = body.q + body.direction;
    const double before = body.advance(strained, 0.01).norm();
    ASSERT_GT(before, 1e-6);
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    Vector turned = strained, wanted = body.force(strained, 0.01);
    for (Eigen::Index i = 0; i < turned.size(); i += 3) {
      turned.segment<3>(i) = R * strained.segment<3>(i) + Vec3(1, -2, 0.5);
      wanted.segment<3>(i) = (R * wanted.segment<3>(i)).eval();
    }
    EXPECT_LT((body.force(turned, 0.01) - wanted).norm(), 1e-9 * before);
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < wanted.size(); i += 3) sum += wanted.segment<3>(i);
    EXPECT_LT(sum.norm(), 1e-11 * before);
  });
}

TEST(Prony, RandomPathsLoseEnergyAndNeverLessThanNothing) {
  for_each_body([](RememberingBody body) {
    int drawn = 0;
    for (int path = 0; path < 20; ++path) {
      body.state.internal_variables[0].setZero();
      body.begin(body.rest, Vector::Zero(body.rest.size()));
      double lost = 0, stored = 0;
      Vector before = Vector::Zero(body.rest.size());
      for (int leg = 0; leg < 6; ++leg) {
        const Vector from = body.state.q;
        Vector to = body.rest;
        for (Eigen::Index i = body.first; i < to.size(); ++i) to[i] += 0.01 * rnd(++drawn);
        for (int k = 1; k <= 8; ++k) {
          const Vector last = body.state.q, f = body.advance(from + k / 8.0 * (to - from), 0.01 * (1 + leg));
          lost += 0.5 * (before + f).dot(body.state.q - last) - (body.stored() - stored);
          stored = body.stored();
          before = f;
          ASSERT_GE(stored, 0);
          ASSERT_GE(lost, -1e-9 * stored);
        }
      }
      ASSERT_GT(lost, 0);
    }
  });
}

TEST(Prony, WhatIsOutOfRangeIsRefusedByName) {
  const auto with = [](double share, double time) {
    return [=](const ModuliSource& source) -> std::unique_ptr<DissipationTerm> {
      return std::make_unique<PronySeries>("prony", "body", source,
                                           std::vector<PronyBranch>{{PartwiseValue(share), time}});
    };
  };
  EXPECT_NO_THROW(RememberingBody(MemoryElement::springs, with(0.1, 1)));
  EXPECT_THROW(RememberingBody(MemoryElement::springs, with(-0.1, 1)), Error);
  EXPECT_THROW(RememberingBody(MemoryElement::springs, with(0.1, 0)), Error);
  EXPECT_THROW(RememberingBody(MemoryElement::springs, with(0.1, -1)), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_prony
