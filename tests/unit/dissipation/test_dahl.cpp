// Dahl's hysteresis of the strain of tets and triangles: closed form, losses, tangents, a cycle from theory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/bouc_wen.hpp"
#include "dashpot/dissipation/formula/hysteresis.hpp"
#include "support/bar16.hpp"
#include "support/derivative_slope.hpp"
#include "support/given_moduli.hpp"
#include "support/memory_laws.hpp"
#include "support/noise_vector.hpp"
#include "support/remembering_body.hpp"

namespace dashpot::testing::test_dahl {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr MemoryElement tensors[] = {MemoryElement::triangles, MemoryElement::solids, MemoryElement::wide_solids,
                                     MemoryElement::woody_solids};

RememberingBody::MakeDamping dahl(double share, double yield, bool exact = false) {
  return [=](const ModuliSource& source) {
    return std::make_unique<BoucWen>("bouc_wen", "body", source, BoucWenOptions{share, yield, 1, 1, exact});
  };
}

TEST(Dahl, TheClosedFormSolvesItsEquationAlongAStraightWay) {
  const Vec3 way(0.3, -0.5, 0.7);
  Vec3 xi(0.2, 0.6, -0.1);  // |xi| < 1 = z_0
  const formula::DahlStep step = formula::dahl_step(way.norm());
  const Vec3 closed = step.keep * xi + step.take * way;
  constexpr int steps = 4000;
  const auto rate = [&](const Vec3& x) { return Vec3((way - x * way.norm()) / steps); };
  for (int i = 0; i < steps; ++i) {
    const Vec3 a = rate(xi), b = rate(xi + a / 2), c = rate(xi + b / 2), d = rate(xi + c);
    xi += (a + 2 * b + 2 * c + d) / 6;
  }
  EXPECT_LT((closed - xi).norm(), 1e-13);
  for (const double s : {1e-12, 9.9e-6, 1.1e-5, 1.0})  // the series meets the quotient
    EXPECT_NEAR(formula::dahl_step(s).take * s, -std::expm1(-s), 1e-15 * s);
  // Of one number it is Bouc and Wen's law with exponent 1 and delta 1.
  for (const double y : {-0.8, 0.1, 0.9})
    for (const double u : {-1.3, 0.4}) {
      const formula::DahlStep one = formula::dahl_step(std::abs(u));
      EXPECT_NEAR(one.keep * y + one.take * u, formula::follow_hysteresis(y, u, 1, 1).y, 1e-15);
    }
}

TEST(Dahl, TenThousandRandomStepsOfBackwardEulerLose) {
  // Work with the stress at the end of the step, C >= 0: (1/t - 1/2) xi^2 - (k/t) xi.xi_n + xi_n^2/2 >= 0 because
  // k^2 + (1 - t)^2 <= 1.
  int drawn = 0;
  Eigen::Matrix<double, 6, 1> xi = Eigen::Matrix<double, 6, 1>::Zero(), C;
  for (int c = 0; c < 6; ++c) C[c] = 1 + rnd(++drawn);
  for (int i = 0; i < 10000; ++i) {
    Eigen::Matrix<double, 6, 1> change;
    for (int c = 0; c < 6; ++c) change[c] = (i % 3 == 0 ? 3 : 0.1) * rnd(++drawn);
    const formula::DahlStep step = formula::dahl_step(change.norm());
    const Eigen::Matrix<double, 6, 1> next = step.keep * xi + step.take * change;
    const double work = next.dot(C.cwiseProduct(change)),
                 stored = 0.5 * (next.dot(C.cwiseProduct(next)) - xi.dot(C.cwiseProduct(xi)));
    ASSERT_GE(work - stored, 0);
    ASSERT_LE(next.norm(), 1 + 1e-14);
    xi = next;
  }
}

TEST(Dahl, LawsHoldOnTetsOfFourAndTenNodes) {
  for (const bool exact : {false, true})
    for (const bool mid_nodes : {false, true}) {
      SCOPED_TRACE(fmt::format("{} tangent, {} nodes", exact ? "exact" : "symmetric", mid_nodes ? 10 : 4));
      Bar16::Options options;
      options.mid_nodes = mid_nodes;
      std::unique_ptr<GivenModuli> moduli;
      options.damping = [&](const Bar16::Parts& parts) {
        moduli = std::make_unique<GivenModuli>(parts.batch, 80, 150);
        return std::make_unique<BoucWen>("bouc_wen", "bar", *moduli, BoucWenOptions{0.7, 0.03, 1, 1, exact});
      };
      expect_memory_laws(*Bar16(options).system, 0, {30});
    }
}

TEST(Dahl, ExactTangentsAreTheDerivativesAndTheOthersSymmetricStandIns) {
  for (const MemoryElement element : tensors) {
    RememberingBody exact(element, dahl(0.6, 0.05, true)), stand_in(element, dahl(0.6, 0.05));
    for (RememberingBody* body : {&exact, &stand_in}) body->advance(body->q + body->direction, 0.02);
    const Vector here = exact.q + 0.4 * exact.direction.reverse(), d = exact.direction;
    const Matrix K = exact.tangent(here, 0.03), S = stand_in.tangent(here, 0.03);
    ASSERT_LT((exact.force(here, 0.03) - stand_in.force(here, 0.03)).norm(), 1e-15 * S.norm());
    const SlopeResult slope =
        derivative_slope([&](const Vector& q) { return exact.force(q, 0.03); }, here, d, K * d, 1e-3);
    EXPECT_TRUE(slope.ok()) << slope.slope << " " << slope.relative_remainder;
    EXPECT_GT((K - K.transpose()).norm(), 1e-3 * K.norm()) << "or the other form would be the derivative too";
    EXPECT_LT((S - S.transpose()).norm(), 1e-12 * S.norm());
    EXPECT_LT((S - K).norm(), 0.6 * K.norm());
    // Nothing has moved yet: both are the elastic tangent of the branch.
    const Matrix still = stand_in.tangent(stand_in.state.q, 0.03), instant = stand_in.tangent(stand_in.state.q, 0);
    EXPECT_LT((still - instant).norm(), 1e-13 * still.norm());
  }
}

TEST(Dahl, StandInsArePositiveSemidefiniteWhereThereIsNoStress) {
  // From rest, over one step: what is left of the geometric part is as small as the step.
  for (const MemoryElement element : tensors) {
    RememberingBody body(element, dahl(0.6, 0.3));
    body.begin(body.rest, Vector::Zero(body.rest.size()));
    const Matrix K = body.tangent(body.rest + 1e-9 * body.direction, 0.01);
    const double largest = K.norm();
    ASSERT_GT(largest, 0);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0], -1e-8 * largest);
  }
}

TEST(Dahl, TheSameWhateverTheSpeed) {
  for (const MemoryElement element : tensors) {
    RememberingBody slow(element, dahl(0.6, 0.02)), fast(element, dahl(0.6, 0.02));
    for (int i = 1; i <= 5; ++i) {
      const Vector there = slow.q + rnd(i) * slow.direction;
      const Vector f = slow.advance(there, 10), g = fast.advance(there, 1e-3);
      ASSERT_GT(f.norm(), 0);
      EXPECT_LT((f - g).norm(), 1e-13 * f.norm());
    }
    EXPECT_NEAR(slow.stored(), fast.stored(), 1e-13 * slow.stored());
  }
}

/// A bar in simple shear: x moves by amount * y.
Vector sheared(const Vector& rest, double amount) {
  Vector q = rest;
  for (Eigen::Index i = 0; i < q.size(); i += 3) q[i] += amount * rest[i + 1];
  return q;
}

TEST(Dahl, ACycleOfShearLosesWhatTheorySays) {
  // E12 = gamma/2, |E| = gamma/sqrt(2), E:C:E = mu gamma^2, to first order in gamma: with z_0 that small, too,
  // the loss is g 2 mu V 4 z_0 (A - z_0 tanh(A/z_0)), A = gamma/sqrt(2).
  const double gamma = 1e-4, A = gamma / std::sqrt(2.0), z0 = A / 3, share = 0.6, mu = 2000 / 2.6,
               volume = 2 * std::pow(0.3, 3);
  RememberingBody body(MemoryElement::solids, dahl(share, z0));
  body.begin(body.rest, Vector::Zero(body.rest.size()));
  double lost = 0, before = 0;
  constexpr int points = 800, cycles = 3;
  Vector last = body.rest, force = Vector::Zero(last.size());
  for (int i = 1; i <= cycles * points; ++i) {
    const Vector next = sheared(body.rest, gamma * std::sin(2 * pi * i / points));
    const Vector f = body.advance(next, 0.01);
    const double work = 0.5 * (f + force).dot(next - last);
    if (i > (cycles - 1) * points) lost += work - (body.stored() - before);
    before = body.stored();
    force = f;
    last = next;
  }
  EXPECT_NEAR(lost / (share * 2 * mu * volume * 4 * z0 * (A - z0 * std::tanh(A / z0))), 1, 1e-3);
}

TEST(Dahl, CyclesMeetTheFirstHarmonicThatModesAreTold) {
  for (const MemoryElement element : {MemoryElement::solids, MemoryElement::triangles}) {
    const double a = 0.01;
    RememberingBody body(element, dahl(0.6, 3e-4));
    const OscillationResponse& told = *body.damping->capabilities().oscillation;
    const std::complex<double> wide = told.oscillation_work(body.rest, body.direction, {0, 1}, a);
    const double small = told.oscillation_work(body.rest, body.direction, {0, 1}, 0).real(),
                 K = body.direction.dot(body.stiffness(body.rest) * body.direction);
    EXPECT_NEAR(small / (0.6 * K), 1, 1e-9) << "an elastic body for vanishing motions";
    body.begin(body.rest, Vector::Zero(body.rest.size()));
    std::complex<double> sum = 0;
    constexpr int points = 600;
    for (int i = 1; i <= 3 * points; ++i) {
      const double phase = 2 * pi * i / points;
      const double along = body.advance(body.rest + a * std::sin(phase) * body.direction, 0.1).dot(body.direction);
      if (i > 2 * points) sum += along * std::complex<double>(std::sin(phase), std::cos(phase)) * (2.0 / points / a);
    }
    ASSERT_GT(wide.imag(), 0.02 * K);
    EXPECT_NEAR(sum.imag() / wide.imag(), 1, 0.02);
    EXPECT_NEAR(sum.real() / wide.real(), 1, 0.02);
  }
}

TEST(Dahl, OfABodyThatWasTurnedTheSameIsTurned) {
  // Isotropic: what is remembered does not depend on how the body lies in its rest coordinates.
  const auto force = [](const Mat3& R) {
    const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.3);
    std::vector<Vec3> X = mesh.X;
    for (Vec3& x : X) x = R * x;
    const auto tets = std::make_shared<TetBatch>(X, mesh.nodes, 4, 0);
    const auto energy = make_isotropic("body", tets, IsotropicLaw::stvk, {{2000, 0.3}});
    BoucWen damping("bouc_wen", "body", *energy->capabilities().moduli, {0.6, 0.02, 1, 1});
    State state;
    state.q.resize(3 * static_cast<Eigen::Index>(X.size()));
    for (std::size_t i = 0; i < X.size(); ++i) state.q.segment<3>(3 * static_cast<Eigen::Index>(i)) = X[i];
    state.v = Vector::Zero(state.q.size());
    Vector xi = Vector::Zero(damping.num_internal_variables()), f;
    const auto scratch = damping.make_scratch();
    for (int i = 1; i <= 3; ++i) {
      damping.begin_step(state, scratch.get());
      Vector next = state.q;
      for (Eigen::Index k = 0; k < next.size(); k += 3)
        next.segment<3>(k) += 0.02 * R * Vec3(noise(3, 100 * i + static_cast<int>(k)));
      const Vector start = xi, v = Vector::Zero(next.size());
      f = Vector::Zero(next.size());
      DissipationRequest request{next, v, start, 0.01, scratch.get()};
      request.force = &f;
      request.new_internal_variables = &xi;
      damping.evaluate(request);
      state.q = next;
    }
    for (Eigen::Index k = 0; k < f.size(); k += 3) f.segment<3>(k) = (R.transpose() * f.segment<3>(k)).eval();
    return f;
  };
  const Vector plain = force(Mat3::Identity()),
               turned = force(Eigen::AngleAxisd(0.8, Vec3(1, -2, 0.5).normalized()).toRotationMatrix());
  ASSERT_GT(plain.norm(), 0);
  EXPECT_LT((plain - turned).norm(), 1e-12 * plain.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_dahl
