#include "dashpot/dissipation/filter_gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::testing::test_filter_gain {
namespace {

TEST(FilterGain, ARateRemovesTheSameInASecondWhateverTheStep) {
  const FilterGain gain = FilterGain::rate(3);
  EXPECT_NEAR(std::pow(1 - gain.over(0.1), 10), std::exp(-3.0), 1e-14);
  EXPECT_NEAR(std::pow(1 - gain.over(0.001), 1000), std::exp(-3.0), 1e-13);
  EXPECT_EQ(FilterGain::per_step(0.3).over(0.1), FilterGain::per_step(0.3).over(0.001));
}

TEST(FilterGain, RefusesWhatIsNoDamping) {
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) EXPECT_THROW(FilterGain::rate(bad), Error);
  for (const double bad : {-0.1, 1.1, std::nan("")}) EXPECT_THROW(FilterGain::per_step(bad), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_filter_gain
