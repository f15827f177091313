// Section 4.1 of reference ABCE: a force of damping evaluated at each stage's own velocity. Two particles of 2 kg on a
// line have the reduced mass 1 kg, so their distance moves as the reference's particle and oscillator; the edge between
// them carries the Laplacian.
#include <gtest/gtest.h>

#include <numbers>

#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "support/laplacian_sources.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_laplacian_steps {
namespace {

constexpr double length = 5, d = 0.7;

std::shared_ptr<const System> pair_of_particles(double k, bool conserving = false) {
  const Vector rest = vec({0, 0, 0, length, 0, 0});
  SystemBuilder builder(3, rest);
  const auto mass = std::make_shared<ElementMass>(1, std::vector<int>{0, 1}, std::vector<double>{2, 2}, true);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(2));
  builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<Springs>(
      "pair", std::vector<Spring>{{0, 1, k, length}}, std::vector<Vec3>{rest.head<3>(), rest.tail<3>()}, 0)));
  const auto edge = std::make_shared<EdgeLaplacian>(10.0);
  builder.keep(edge);
  LaplacianParts parts;
  parts.laplacian = edge.get();
  parts.beta = PartwiseValue(d / 10);
  if (conserving)
    builder.add(std::unique_ptr<DissipationTerm>(
        std::make_unique<ConservingLaplacianDamping>("pair", std::move(parts), FreeRotation::element)));
  else
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<LaplacianDamping>("pair", std::move(parts))));
  return builder.build();
}

/// Stretch and its rate after n steps of a second.
std::pair<double, double> stretch_after(const char* stepper, double k, double stretch, double rate, double h, int n) {
  const auto system = pair_of_particles(k);
  State state = start_at(*system, vec({0, 0, 0, length + stretch, 0, 0}), vec({-rate / 2, 0, 0, rate / 2, 0, 0}));
  EXPECT_TRUE(run_steps(*system, *stepper_named(stepper), state, h, n));
  return {state.q[3] - state.q[0] - length, state.v[3] - state.v[0]};
}

TEST(LaplacianSteps, AFreePairLosesItsRelativeVelocityAsTheReferenceSays) {
  EXPECT_NEAR(stretch_after("IM", 0, 0, 1, .05, 1).second, .965601965602, 1e-12);
  EXPECT_NEAR(stretch_after("BE", 0, 0, 1, .05, 1).second, .966183574879, 1e-12);
  EXPECT_NEAR(stretch_after("IM", 0, 0, 1, .05, 20).second, .496549813, 1e-9);
  EXPECT_NEAR(stretch_after("BE", 0, 0, 1, .05, 20).second, .502565884, 1e-9);
}

TEST(LaplacianSteps, TheOscillatorIsThatOfTheReferenceAndConvergesAtTheOrderOfTheScheme) {
  const double k = 4 * std::numbers::pi * std::numbers::pi, exact = .704271010093;
  struct Row {
    const char* stepper;
    double at_100;
    double order;
  };
  for (const Row& row : {Row{"IM", .704417506, 2}, Row{"BE", .578434457, 1}, Row{"BDF2", .704565076, 2}}) {
    SCOPED_TRACE(row.stepper);
    EXPECT_NEAR(stretch_after(row.stepper, k, 1, 0, .01, 100).first, row.at_100, 1e-9);
    const double coarse = stretch_after(row.stepper, k, 1, 0, 1. / 400, 400).first - exact;
    const double fine = stretch_after(row.stepper, k, 1, 0, 1. / 800, 800).first - exact;
    ASSERT_GT(std::abs(fine), 1e-8);
    EXPECT_NEAR(std::log2(coarse / fine), row.order, 0.1);
  }
}

TEST(LaplacianSteps, OfAnEdgeWhoseRotationIsFreeOnlyTheAxialVelocityIsDamped) {
  const auto system = pair_of_particles(0, true);
  const Vector q = vec({0, 0, 0, 3, 4, 0}), v = vec({0, 0, 0, 1, 2, 3}), xi;
  Vector f = Vector::Zero(6);
  DissipationRequest request{q, v, xi, 0, nullptr};
  request.force = &f;
  const double power = system->dissipations()[0]->evaluate(request);
  const Vec3 n(.6, .8, 0), expected = d * n * n.dot(v.tail<3>());
  ASSERT_GT(expected.norm(), 1);
  EXPECT_LT((f.tail<3>() - expected).norm(), 1e-14);
  EXPECT_LT((f.head<3>() + expected).norm(), 1e-14);
  EXPECT_NEAR(power, d * 2.2 * 2.2, 1e-13);
}

TEST(LaplacianSteps, APairWhoseRotationIsFreeKeepsItsSpinWhileItsStretchDies) {
  const auto system = pair_of_particles(100, true);
  State state = start_at(*system, vec({0, 0, 0, length, 0, 0}), vec({0, -1, 0, 0, 1, 0}));
  const Vec3 before = system->inertia().momentum(state.q, state.v).angular;
  ASSERT_TRUE(run_steps(*system, *stepper_named("IM"), state, .01, 200));
  EXPECT_LT((system->inertia().momentum(state.q, state.v).angular - before).norm(), 1e-9 * before.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_laplacian_steps
