#include "dashpot/contact/default_stiffness.hpp"

#include <gtest/gtest.h>

namespace dashpot::contact::test_default_stiffness {
namespace {

TEST(DefaultStiffness, PressesABodyInByAThousandthOfItsSize) {
  // A cube of 0.1 m and 1 kg lies on a face of 0.01 m^2.
  const double k = default_pressure_stiffness(0, 9.81, 0.1);
  EXPECT_NEAR(9.81 / (k * 0.01), 1e-3 * 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(default_pressure_stiffness(1e6, 9.81, 0.1), 1e8) << "ten times as stiff as the body";
  EXPECT_EQ(default_pressure_stiffness(0, 0, 0.1), 0) << "no default";
}

TEST(DefaultStiffness, OfPointsComesFromTheirWeightOrTheirSprings) {
  EXPECT_DOUBLE_EQ(default_node_stiffness(0.5, 0), 500);
  EXPECT_DOUBLE_EQ(default_node_stiffness(0.5, 80), 800);
  EXPECT_DOUBLE_EQ(default_onset(0), 1e-3);
  EXPECT_DOUBLE_EQ(default_onset(2), 4e-3);
}

TEST(DefaultStiffness, BetweenBodiesFollowsTheSofterModulusAndTheirDepth) {
  EXPECT_DOUBLE_EQ(default_pair_stiffness(1e5, 0, 0.1), 4e6);
  EXPECT_NEAR(default_pair_stiffness(0, 2, 0.1), 2 / (0.1 * 0.1 * 0.04 * 0.1), 1e-9);
  EXPECT_DOUBLE_EQ(default_thickness(0.1), 0.004);
  EXPECT_DOUBLE_EQ(default_pair_onset(0.01, 0.1), 0.01);
}

}  // namespace
}  // namespace dashpot::contact::test_default_stiffness
