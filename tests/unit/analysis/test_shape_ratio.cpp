#include "dashpot/analysis/shape_ratio.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/small_systems.hpp"

namespace dashpot::analysis::test_shape_ratio {
namespace {

TEST(ShapeRatio, OfAModeIsItsFrequencyAndItsRatioWhateverItsSize) {
  const testing::Chain chain = testing::chain_ch5();
  const auto system = testing::linear_system(chain.M, chain.C, chain.K);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(chain.K, chain.M);
  for (int i = 0; i < 5; ++i) {
    const double omega = std::sqrt(modes.eigenvalues()[i]);
    const ShapeRatio ratio = shape_ratio(*system, *system->dissipations()[0], 3 * modes.eigenvectors().col(i));
    ASSERT_GT(ratio.zeta, 0.01);
    EXPECT_NEAR(ratio.frequency, omega / (2 * std::numbers::pi), 1e-12 * omega);
    EXPECT_NEAR(ratio.zeta, 0.1 / (2 * omega) + 0.02 * omega / 2, 1e-12);
  }
}

TEST(ShapeRatio, OfAShapeWithoutStiffnessIsNoNumber) {
  const auto system = testing::linear_system(Matrix::Identity(1, 1), Matrix::Constant(1, 1, 0.5), Matrix::Zero(1, 1));
  const ShapeRatio ratio = shape_ratio(*system, *system->dissipations()[0], Vector::Ones(1));
  EXPECT_TRUE(std::isnan(ratio.frequency));
  EXPECT_TRUE(std::isnan(ratio.zeta));
}

}  // namespace
}  // namespace dashpot::analysis::test_shape_ratio
