#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/modal.hpp"
#include "unit/dissipation/example_chain.hpp"

namespace dashpot::testing::test_modal {
namespace {

struct ChainModes {
  Vector omega;
  Matrix Phi;
  ChainModes() {
    const Chain ch5 = chain_ch5();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(ch5.K, ch5.M);
    omega = modes.eigenvalues().cwiseSqrt();
    Phi = modes.eigenvectors();
  }
};

std::shared_ptr<const System> modal_chain(const std::vector<DampedMode>& modes, std::unique_ptr<DenseDamping> base) {
  const Chain ch5 = chain_ch5();
  const auto mass = std::make_shared<DenseMass>(ch5.M);
  const DenseDamping* C = base.get();
  return linear_system(
      ch5.M, std::make_unique<ModalDamping>("chain", std::move(base), C, *mass, Vector::Zero(5), modes), ch5.K, mass);
}

Matrix damping_matrix(const System& system) {
  const DissipationTerm& term = *system.dissipations()[0];
  const auto scratch = term.make_scratch();
  term.begin_step(system.initial_state(), scratch.get());
  BlockMatrix matrix(system.pattern());
  std::vector<LowRank> parts;
  const Vector zero = Vector::Zero(5), xi;
  DissipationRequest request{zero, zero, xi, 0, scratch.get()};
  request.tangent = &matrix;
  request.low_rank = &parts;
  request.dv_scale = 1;
  term.evaluate(request);
  Matrix dense = matrix.dense();
  for (const LowRank& part : parts) dense += *part.U * part.S * part.V->transpose();
  return dense;
}

std::vector<DampedMode> with_ratios(const ChainModes& modes, const Vector& zeta) {
  std::vector<DampedMode> result;
  for (Eigen::Index i = 0; i < zeta.size(); ++i) result.push_back({modes.Phi.col(i), modes.omega[i], zeta[i]});
  return result;
}

std::unique_ptr<DenseDamping> rayleigh() { return std::make_unique<DenseDamping>(chain_ch5().C); }

TEST(DampingsThatWrapOthers, HandTheScratchOfEnergiesOn) {
  // Without it a reduced body evaluates its polynomials once more a step.
  const std::vector<EnergyScratch> energies(2);
  const Chain ch5 = chain_ch5();
  auto of_examples = std::make_unique<DenseDamping>(ch5.C), of_modes = std::make_unique<DenseDamping>(ch5.C);
  const DenseDamping *under_examples = of_examples.get(), *under_modes = of_modes.get();
  const ExampleChain chain(chain_examples(), constant_gains({0.1, 3, 10}), {}, std::move(of_examples));
  chain.term->make_scratch_beside(energies);
  EXPECT_EQ(under_examples->num_energies_offered(), 2u);
  const auto system = modal_chain({}, std::move(of_modes));
  system->dissipations()[0]->make_scratch_beside(energies);
  EXPECT_EQ(under_modes->num_energies_offered(), 2u);
}

TEST(ModalDamping, GivesTheRatiosAskedForAndLeavesOtherModesToTheBase) {
  const ChainModes modes;
  const Vector zeta = numbers({0.2, 0.01, 0.3});  // the second is less than the base gives, and still passive
  for (const bool over_base : {false, true}) {
    const auto system = modal_chain(with_ratios(modes, zeta), over_base ? rayleigh() : nullptr);
    const Matrix C = damping_matrix(*system);
    const Matrix modal = modes.Phi.transpose() * C * modes.Phi;
    for (int i = 0; i < 5; ++i) {
      const double base = over_base ? 0.5 * (0.1 / modes.omega[i] + 0.02 * modes.omega[i]) : 0;
      EXPECT_NEAR(modal(i, i) / (2 * modes.omega[i]), i < 3 ? zeta[i] : base, 1e-12);
    }
    EXPECT_LT((modal - Matrix(modal.diagonal().asDiagonal())).norm(), 1e-11);
    EXPECT_TRUE(system->has_constant_tangent());
  }
}

TEST(ModalDamping, ItsForceAndOperatorAreThoseOfItsMatrix) {
  const ChainModes modes;
  const auto system = modal_chain(with_ratios(modes, numbers({0.2, 0.4})), rayleigh());
  const Matrix C = damping_matrix(*system);
  const auto& term = dynamic_cast<const ModalDamping&>(*system->dissipations()[0]);
  const auto scratch = term.make_scratch();
  term.begin_step(system->initial_state(), scratch.get());
  const Vector v = numbers({1, -1, 2, .5, -.25}), zero = Vector::Zero(5), xi;
  Vector f = zero;
  DissipationRequest request{zero, v, xi, 0, scratch.get()};
  request.force = &f;
  const double power = term.evaluate(request);
  ASSERT_GT(power, 0);
  EXPECT_NEAR(power, v.dot(f), 1e-12 * power);
  EXPECT_LT((f - C * v).norm(), 1e-12 * f.norm());
  Matrix CX;
  term.apply(scratch.get(), chain_examples(), CX);
  EXPECT_LT((CX - C * chain_examples()).norm(), 1e-12 * CX.norm());
}

TEST(ModalDamping, CaugheySeriesWithAllModesIsTheMatrixPolynomial) {
  const ChainModes modes;
  const Chain ch5 = chain_ch5();
  const std::vector<double> a = {0.1, 0.02, 1e-4, -2e-7};
  const Matrix MinvK = ch5.M.inverse() * ch5.K;
  const Matrix expected =
      ch5.M * (a[0] * Matrix::Identity(5, 5) + a[1] * MinvK + a[2] * MinvK * MinvK + a[3] * MinvK * MinvK * MinvK);
  const Vector zeta = caughey_ratios(a, {0, 1, 2, 3}, modes.omega);
  const Matrix C = damping_matrix(*modal_chain(with_ratios(modes, zeta), nullptr));
  EXPECT_LT((C - expected).norm(), 1e-11 * expected.norm());
  // And back: four ratios determine the four coefficients.
  std::vector<double> omega(modes.omega.data(), modes.omega.data() + 4), ratios(zeta.data(), zeta.data() + 4);
  const std::vector<double> found = caughey_coefficients({0, 1, 2, 3}, omega, ratios);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(found[j], a[j], 1e-9 * std::abs(a[j]));
  EXPECT_THROW(caughey_coefficients({0, 1}, {3, 3}, {0.1, 0.1}), Error);
  EXPECT_THROW(caughey_coefficients({0, 1}, {3, -3}, {0.1}), Error);
}

TEST(ModalDamping, FlatRatiosHoldInsideTheBandOnly) {
  const Vector zeta = flat_ratios(numbers({1, 2, 3, 4}), 2, 3, 0.05, 0.01);
  EXPECT_EQ(zeta, numbers({0.01, 0.05, 0.05, 0.01}));
}

TEST(ModalDamping, RefusesRatiosThatWouldCreateEnergyAndModesOfAnotherBody) {
  const ChainModes modes;
  const std::vector<DampedMode> less = with_ratios(modes, numbers({0}));
  EXPECT_NO_THROW(modal_chain(less, rayleigh()));
  // A lagged base may become softer than at rest.
  EXPECT_THROW(modal_chain(less, std::make_unique<DenseDamping>([](const Vector&) { return chain_ch5().C; })), Error);
  // A base that couples the modes: taking one away leaves an indefinite matrix.
  Matrix dashpot = Matrix::Zero(5, 5);
  dashpot(4, 4) = 3;
  EXPECT_THROW(modal_chain(with_ratios(modes, numbers({0, 0.1})), std::make_unique<DenseDamping>(dashpot)), Error);
  EXPECT_THROW(modal_chain({{2 * modes.Phi.col(0), modes.omega[0], 0.1}}, nullptr), Error);
  try {
    modal_chain({{Vector::Zero(4), 0, -1}}, nullptr);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_modal
