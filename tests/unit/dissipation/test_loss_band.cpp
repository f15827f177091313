#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/loss_band.hpp"

namespace dashpot::test_loss_band {
namespace {

TEST(LossBand, ZenersLossFactorPeaksWhereAndAsHighAsAskedFor) {
  for (const double eta : {0.01, 0.2, 1.5}) {
    const std::vector<LossBranch> one{zener_branch(eta, 7)};
    EXPECT_NEAR(modulus_factor(one, 7).loss_factor() / eta, 1, 1e-12);
    EXPECT_LT(modulus_factor(one, 7.1).loss_factor(), eta);
    EXPECT_LT(modulus_factor(one, 6.9).loss_factor(), eta);
  }
}

TEST(LossBand, TwoBranchesADecadeHoldOneLossFactorOverTwoDecades) {
  // The figures of the reference: 0.15 %, and 6, 34 and 138 % of stiffening.
  const double stiffening[] = {0.06, 0.34, 1.38};
  int i = 0;
  for (const double eta : {0.02, 0.1, 0.3}) {
    const LossBand band = constant_loss_factor(eta, 1, 100);
    EXPECT_EQ(band.branches.size(), 7U) << eta;
    EXPECT_GT(band.worst_error, 1e-5) << "nothing is exact";
    EXPECT_LT(band.worst_error, 0.0015) << eta;
    EXPECT_NEAR(band.stiffening - 1, stiffening[i++], 0.01) << eta;
    for (const LossBranch& branch : band.branches) EXPECT_GT(branch.share, 0);
  }
}

TEST(LossBand, TheStiffeningIsThatOfCausality) {
  // Kramers-Kronig: d ln m' / d ln omega is about 2 eta / pi.
  const LossBand band = constant_loss_factor(0.02, 1, 1000);
  EXPECT_NEAR(std::log(band.stiffening) / std::log(1000), 2 * 0.02 / 3.14159, 0.1 * 2 * 0.02 / 3.14159);
}

TEST(LossBand, NonsenseIsRefused) {
  EXPECT_THROW(constant_loss_factor(-0.1, 1, 10), Error);
  EXPECT_THROW(constant_loss_factor(1, 1, 10), Error);
  EXPECT_THROW(constant_loss_factor(0.1, 10, 10), Error);
  EXPECT_THROW(constant_loss_factor(0.1, 10, 1), Error);
  EXPECT_THROW(constant_loss_factor(0.1, 0, 1), Error);
  EXPECT_THROW(zener_branch(-1, 1), Error);
  EXPECT_THROW(zener_branch(1, 0), Error);
  EXPECT_TRUE(constant_loss_factor(0, 1, 10).branches.empty());
}

}  // namespace
}  // namespace dashpot::test_loss_band
