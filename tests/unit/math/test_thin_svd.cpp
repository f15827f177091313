#include <gtest/gtest.h>

#include "dashpot/math/thin_svd.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_thin_svd {
namespace {

void expect_decomposed(const math::Mat32& F) {
  const math::ThinSvd svd = math::thin_svd(F);
  EXPECT_LT((svd.U.leftCols<2>() * svd.s.asDiagonal() * svd.V.transpose() - F).norm(), 4e-15 * F.norm()) << F;
  EXPECT_LT((svd.U.transpose() * svd.U - Mat3::Identity()).norm(), 4e-15) << F;
  EXPECT_LT((svd.V.transpose() * svd.V - Eigen::Matrix2d::Identity()).norm(), 4e-15) << F;
  EXPECT_GE(svd.s[0], svd.s[1]);
  EXPECT_GE(svd.s[1], 0);
  EXPECT_GT(svd.V(0, 0) * svd.V(1, 1) - svd.V(0, 1) * svd.V(1, 0), 0.5);
}

TEST(ThinSvd, ReconstructsRandomNearlySingularAndScaledMatrices) {
  for (int k = 0; k < 3000; ++k) {
    math::Mat32 F;
    for (int i = 0; i < 6; ++i) F(i % 3, i / 3) = rnd(6 * k + i);
    if (k % 3 == 1) F.col(1) = F.col(0) * rnd(k) + std::pow(10.0, -(k % 17)) * F.col(1);
    if (k % 3 == 2) F *= std::pow(10.0, k % 100 - 50);
    expect_decomposed(F);
  }
}

TEST(ThinSvd, SpecialMatricesAreFinite) {
  math::Mat32 F = math::Mat32::Zero();
  EXPECT_EQ(math::thin_svd(F).s.norm(), 0);
  EXPECT_TRUE(math::thin_svd(F).U.isIdentity());
  F(0, 0) = 1;
  expect_decomposed(F);
  F << 1, 2, 1, 2, 1, 2;
  expect_decomposed(F);
  F << 1, 0, 0, 1, 0, 0;
  expect_decomposed(F);
  EXPECT_EQ(math::thin_svd(F).s, Eigen::Vector2d(1, 1));
  for (const double shear : {1e-100, 1e-161, 1e-200, 1e-310}) {  // squares underflow where the stretches are equal
    F(0, 1) = shear;
    expect_decomposed(F);
    EXPECT_TRUE(math::thin_svd(F).V.allFinite()) << shear;
  }
}

}  // namespace
}  // namespace dashpot::testing::test_thin_svd
