// Searches and measures by which elastic imitations are found before they are judged.
#include <gtest/gtest.h>

#include <cmath>

#include "bent_beam.hpp"

namespace dashpot::cli::test_imitations {
namespace {

TEST(CompassSearch, FindsTheLowestPointInLogarithms) {
  const Lowest found = compass_search(
      [](const std::vector<double>& x) {
        return std::pow(std::log10(x[0] / 30), 2) + std::pow(std::log10(x[1] / 0.2), 2);
      },
      {1, 1}, 0.4, 0.005);
  EXPECT_NEAR(std::log10(found.x[0] / 30), 0, 0.02);
  EXPECT_NEAR(std::log10(found.x[1] / 0.2), 0, 0.02);
  EXPECT_GT(found.evaluations, 10);
}

TEST(CompassSearch, PassesOverWhatIsNotANumber) {
  const Lowest found =
      compass_search([](const std::vector<double>& x) { return x[0] > 2 ? std::nan("") : std::abs(std::log10(x[0])); },
                     {0.1}, 0.4, 0.01);
  EXPECT_NEAR(found.x[0], 1, 0.05);
}

RecordedRun decaying(double rate, double end) {
  RecordedRun motion;
  motion.scene.run.end = 2;
  for (int i = 0; 0.01 * i <= end + 1e-9; ++i) {
    motion.time.push_back(0.01 * i);
    motion.energy.push_back(3 * std::exp(-2 * rate * 0.01 * i));
  }
  return motion;
}

TEST(DecayDifference, IsThatOfAmplitudesOverTime) {
  EXPECT_NEAR(beam::decay_difference(decaying(1, 2), decaying(1, 2)), 0, 1e-12);
  EXPECT_NEAR(beam::decay_difference(decaying(1, 2), decaying(1, 3)), 0, 1e-12);
  // rms of 1 - exp(-t) over 2 s: sqrt(int (1 - e^-t)^2 dt / 2).
  const double exact = std::sqrt((2 - 2 * (1 - std::exp(-2)) + 0.5 * (1 - std::exp(-4))) / 2);
  EXPECT_NEAR(beam::decay_difference(decaying(0, 2), decaying(1, 2)), exact, 0.01);
  EXPECT_TRUE(std::isnan(beam::decay_difference(decaying(1, 2), decaying(1, 1.5))));
  EXPECT_TRUE(std::isnan(beam::decay_difference(decaying(1, 1.5), decaying(1, 2))));
}

}  // namespace
}  // namespace dashpot::cli::test_imitations
