#include "dashpot/modes/system_modes.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include "support/small_systems.hpp"

namespace dashpot::test_system_modes {
namespace {

TEST(SystemModes, TheDampedChainHasTheFrequenciesOfItsMassAndStiffness) {
  const testing::Chain chain = testing::chain_ch5();
  const auto system = testing::linear_system(chain.M, chain.C, chain.K);
  const ModesResult modes = system_modes(*system, system->initial_state(), {.num_modes = 3});
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> exact(chain.K, chain.M);
  ASSERT_GE(modes.size(), 3);
  ASSERT_EQ(modes.num_rigid, 0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(modes.lambda[i], exact.eigenvalues()[i], 1e-9 * exact.eigenvalues()[i]);
}

TEST(SystemModes, PinnedMassesStayAtRestInEveryShape) {
  const testing::Chain chain = testing::chain_ch5();
  const auto system = testing::linear_system(chain.M, chain.C, chain.K, std::vector<int>{0});
  const ModesResult modes = system_modes(*system, system->initial_state(), {.num_modes = 2});
  EXPECT_EQ(modes.shapes.row(0).norm(), 0);
  EXPECT_GT(modes.shapes.norm(), 0.1);
}

}  // namespace
}  // namespace dashpot::test_system_modes
