#include "dashpot/analysis/modal_damping.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include <numbers>

#include "dashpot/core/error.hpp"
#include "support/quadratic_drag.hpp"
#include "support/small_systems.hpp"

namespace dashpot::analysis::test_modal_damping {
namespace {

TEST(ModalDamping, RayleighDampingOfTheChainGivesItsClosedFormForEveryMode) {
  const testing::Chain chain = testing::chain_ch5();
  const auto system = testing::linear_system(chain.M, chain.C, chain.K);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(chain.K, chain.M);
  for (int i = 0; i < 5; ++i) {
    const double omega = std::sqrt(modes.eigenvalues()[i]);
    const auto ratios = modal_damping(*system, system->initial_state(), modes.eigenvectors().col(i), omega, 0.01);
    ASSERT_EQ(ratios.size(), 1U);
    ASSERT_GT(ratios[0].zeta, 0.01);
    EXPECT_NEAR(ratios[0].zeta, 0.1 / (2 * omega) + 0.02 * omega / 2, 1e-12);
  }
}

TEST(ModalDamping, OfADragQuadraticInVelocityGrowsWithTheAmplitudeAsTheoryHasIt) {
  // Mean of |cos|^3 over a cycle is 4 / (3 pi): zeta = 4 c a / (3 pi m).
  const double c = 0.7, m = 2;
  const auto system = testing::linear_system(Matrix::Constant(1, 1, m), std::make_unique<testing::QuadraticDrag>(c),
                                             Matrix::Constant(1, 1, 200));
  EXPECT_TRUE(depends_on_amplitude(*system));
  EXPECT_FALSE(depends_on_amplitude(*testing::oscillator(10, 0.05)));
  const State rest = system->initial_state();
  for (const double a : {0.01, 0.1})
    EXPECT_NEAR(modal_damping(*system, rest, Vector::Ones(1), 10, 0.01, a).at(0).zeta,
                4 * c * a / (3 * std::numbers::pi * m), 2e-3 * c * a / m);
  EXPECT_LT(modal_damping(*system, rest, Vector::Ones(1), 10, 0.01).at(0).zeta, 1e-6) << "vanishing amplitude";
  EXPECT_THROW(modal_damping(*system, rest, Vector::Ones(1), 10, 0.01, -1), Error);
}

TEST(ModalDamping, AShapeThatDoesNotFitIsRefused) {
  const auto system = testing::oscillator(10, 0.05);
  EXPECT_NEAR(modal_damping(*system, system->initial_state(), Vector::Ones(1), 10, 0.01).at(0).zeta, 0.05, 1e-14);
  EXPECT_THROW(modal_damping(*system, system->initial_state(), Vector::Ones(2), 10, 0.01), Error);
  EXPECT_THROW(modal_damping(*system, system->initial_state(), Vector::Ones(1), 0, 0.01), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_modal_damping
