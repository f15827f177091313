// The search for the largest stable step, on answers that are known.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/analysis/largest_step.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_largest_step {
namespace {

LargestStepOptions from(double start) {
  LargestStepOptions options;
  options.start = start;
  options.shortest = 1e-6;
  options.longest = 10;
  return options;
}

TEST(LargestStep, ABorderIsEnclosedFromEitherSide) {
  for (const double start : {1e-4, 0.0123, 1.0}) {
    const LargestStep found = largest_stable_step([](double dt) { return dt < 0.0123; }, from(start));
    EXPECT_LE(found.dt, 0.0123);
    EXPECT_GE(found.unstable_dt, 0.0123);
    EXPECT_NEAR(found.unstable_dt / found.dt, 1, 0.02);
  }
}

TEST(LargestStep, AnUnstableBandBelowTheBorderIsFoundOut) {
  // Stable below 8 ms, unstable from 8 to 9 ms, stable again from there to 10 ms.
  const auto is_stable = [](double dt) { return dt < 0.008 || (dt > 0.009 && dt < 0.01); };
  LargestStepOptions options = from(0.0095);
  options.ladder = 1.04;
  const LargestStep found = largest_stable_step(is_stable, options);
  EXPECT_LT(found.dt, 0.008);
  EXPECT_GT(found.dt, 0.0078);
}

TEST(LargestStep, NoTrialBelowTheAnswerIsUnstable) {
  const auto is_stable = [](double dt) { return dt < 0.02 && std::fmod(dt * 1e4, 10) < 9; };  // bands of 0.1 ms
  const LargestStep found = largest_stable_step(is_stable, from(0.005));
  ASSERT_GT(found.dt, 0);
  for (const StepTrial& trial : found.trials) {
    if (trial.dt <= found.dt) {
      EXPECT_TRUE(trial.is_stable) << trial.dt;
    }
  }
}

TEST(LargestStep, WhereEverythingOrNothingIsStableItSaysSo) {
  const LargestStep all = largest_stable_step([](double) { return true; }, from(1e-3));
  EXPECT_EQ(all.dt, 10);
  EXPECT_EQ(all.unstable_dt, 0);
  const LargestStep none = largest_stable_step([](double) { return false; }, from(1e-3));
  EXPECT_EQ(none.dt, 0);
  EXPECT_EQ(none.unstable_dt, 1e-6);
}

TEST(LargestStep, NothingShorterThanTheShortestOrLongerThanTheLongestIsTried) {
  for (const double border : {1.03e-3, 1.2e-3, 0.97}) {
    LargestStepOptions options = from(0.1);
    options.shortest = 1e-3;
    options.longest = 1;
    const LargestStep found = largest_stable_step([&](double dt) { return dt < border; }, options);
    EXPECT_NEAR(found.dt, border, 0.021 * border);
    EXPECT_GE(found.trials.front().dt, options.shortest) << border;
    EXPECT_LE(found.trials.back().dt, options.longest) << border;
  }
}

TEST(LargestStep, EveryStepIsTriedOnce) {
  std::vector<double> asked;
  const LargestStep found = largest_stable_step(
      [&](double dt) {
        asked.push_back(dt);
        return dt < 0.5;
      },
      from(1e-3));
  EXPECT_EQ(asked.size(), found.trials.size());
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(std::adjacent_find(asked.begin(), asked.end()), asked.end());
}

TEST(LargestStep, AnInterruptedSearchEndsWithWhatItKnows) {
  int trials = 0;
  const LargestStep found =
      largest_stable_step([&](double) { return ++trials > 0; }, from(1e-3), [&] { return trials >= 3; });
  EXPECT_EQ(trials, 3);
  EXPECT_EQ(found.trials.size(), 3u);
}

TEST(LargestStep, OptionsThatMakeNoSenseAreRefused) {
  const auto yes = [](double) { return true; };
  LargestStepOptions options = from(1e-3);
  options.ladder = 1;
  EXPECT_THROW(largest_stable_step(yes, options), Error);
  options = from(1e-3);
  options.start = 0;
  EXPECT_THROW(largest_stable_step(yes, options), Error);
  options = from(1e-3);
  options.longest = 1e-4;
  EXPECT_THROW(largest_stable_step(yes, options), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_largest_step
