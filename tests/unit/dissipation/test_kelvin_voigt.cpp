#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/kelvin_voigt.hpp"
#include "dashpot/energy/materials.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "support/tiny_tets.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_kelvin_voigt {
namespace {

Bar16::Damping kelvin_voigt(double viscosity, double second) {
  return [=](const Bar16::Parts& parts) {
    const auto count = static_cast<std::size_t>(parts.batch->num_tets());
    return std::make_unique<KelvinVoigt>("bar", parts.batch, std::vector<double>(count, viscosity),
                                         std::vector<double>(count, second));
  };
}

TEST(KelvinVoigtLaws, ObjectivePassiveAndKeepsBothMomenta) {
  expect_dissipation_laws(*Bar16(kelvin_voigt(0.4, 0.3)).system, 0, {300});
  expect_dissipation_laws(*Bar16(kelvin_voigt(0.3, -0.2)).system, 0, {300});
  Bar16::Options ten;
  ten.mid_nodes = true;
  ten.damping = kelvin_voigt(0.4, 0.3);
  expect_dissipation_laws(*Bar16(ten).system, 0, {30});
}

/// Fixture TET1 of the reference (ABCE, table B1): the unit corner tet, deformed, with lambda_d = 30, mu_d = 20.
TEST(KelvinVoigt, OneTetHasTheForcesPowerAndTracesOfTheReference) {
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  KelvinVoigt term("tet", batch, PartwiseValue(20.0), PartwiseValue(30.0));
  PatternBuilder couplings;
  term.couple(couplings);
  const auto pattern = couplings.build(3, 4);
  term.bind(*pattern);
  Vector q(12), v(12), expected(12);
  q << 0, 0, 0, 1.2, 0.1, 0, 0.1, 0.9, 0.2, -0.1, 0.05, 1.3;
  v << 0.5, -0.2, 0.1, 0.3, 0.4, -0.6, -0.7, 0.2, 0.9, 0.1, -0.5, 0.3;
  expected << -7.776666666667, 3.822916666667, 4.724166666667, -1.706666666667, 3.155833333333, 6.616666666667,
      3.864166666667, -4.484166666667, -4.981666666667, 5.619166666667, -2.494583333333, -6.359166666667;
  Vector f = Vector::Zero(12);
  const Vector xi;
  BlockMatrix C(pattern), K(pattern);
  DissipationRequest request{q, v, xi, 0.01, nullptr};
  request.force = &f;
  request.tangent = &C;
  request.dv_scale = 1;
  EXPECT_NEAR(term.evaluate(request), 2 * 7.791979166667, 1e-10);
  EXPECT_LT((f + expected).norm(), 1e-10);  // damping stands on the left-hand side
  EXPECT_NEAR(C.dense().trace(), 153.625, 1e-10);
  request.tangent = &K;
  request.dv_scale = 0;
  request.dq_scale = 1;
  term.evaluate(request);
  EXPECT_NEAR(K.dense().trace(), 42.233333333333, 1e-10);
  EXPECT_GT((K.dense() - K.dense().transpose()).norm(), 1);
}

TEST(KelvinVoigt, AtRestItIsRayleighDampingOfTheStiffness) {
  const TinyMesh mesh = with_mid_nodes(kuhn_bar(2, 1, 1, 0.3));
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 10, 0);
  constexpr double beta = 0.02, lambda = 3000, mu = 2000;
  const auto elastic = make_isotropic("bar", batch, IsotropicLaw::stvk, {Isotropic::from_lame(lambda, mu)});
  const auto count = static_cast<std::size_t>(batch->num_tets());
  KelvinVoigt term("bar", batch, std::vector<double>(count, beta * mu), std::vector<double>(count, beta * lambda));
  PatternBuilder couplings;
  term.couple(couplings);
  const auto pattern = couplings.build(3, static_cast<int>(mesh.X.size()));
  term.bind(*pattern);
  const Vector X = mesh.rest(), v = Vector::Zero(X.size()), xi;
  BlockMatrix C(pattern), K(pattern);
  DissipationRequest request{X, v, xi, 0.01, nullptr};
  request.tangent = &C;
  request.dv_scale = 1;
  request.dq_scale = 1;  // zero here, as v is
  term.evaluate(request);
  EnergyRequest energy{X};
  energy.hessian = &K;
  elastic->evaluate(energy);
  ASSERT_GT(K.dense().norm(), 1);
  EXPECT_LT((C.dense() - beta * K.dense()).norm(), 1e-13 * beta * K.dense().norm());
}

TEST(KelvinVoigt, ASpinningBodyKeepsItsAngularMomentumAndComesToRestInItself) {
  const Bar16 bar(kelvin_voigt(2, 1)), undamped;
  const Vector q = bar.system->rest(), v = bar.spinning_v();
  State state = start_at(*bar.system, q, v), free = start_at(*undamped.system, q, v);
  ASSERT_TRUE(run_steps(*bar.system, *stepper_named("IM", 1e-12), state, Bar16::h, 50));
  ASSERT_TRUE(run_steps(*undamped.system, *stepper_named("IM", 1e-12), free, Bar16::h, 50));
  EXPECT_LT((bar.angular_momentum(state.q, state.v) - bar.angular_momentum(q, v)).norm(), 1e-9);
  EXPECT_LT(energies(*bar.system, state).total(), 0.995 * energies(*undamped.system, free).total());
}

TEST(KelvinVoigt, ViscositiesThatCouldCreateEnergyAreRefused) {
  EXPECT_THROW(Bar16(kelvin_voigt(-1, 1)), Error);
  EXPECT_THROW(Bar16(kelvin_voigt(0.3, -0.21)), Error);
  EXPECT_THROW(Bar16(kelvin_voigt(std::nan(""), 0)), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_kelvin_voigt
