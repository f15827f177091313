#include "least_damping.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dashpot::cli::test_least_damping {
namespace {

const DampingFamily drag{"ether drag", " % a step", 100, 0.64, R"({"gamma": {}})"};

double amount_in(const std::string& entry) { return std::stod(entry.substr(entry.find(':') + 1)); }

/// Stable from `border` on; the motion is named by its amount.
Attempting stable_from(double border) {
  return [border](const std::string&, const std::string& entry) {
    Attempt attempt;
    attempt.is_stable = amount_in(entry) >= border;
    attempt.motion.name = entry;
    attempt.outcome = attempt.is_stable ? "stands" : "fails";
    return attempt;
  };
}

TEST(LeastDamping, EntersAmountsInSiAndShowsThemInTheirUnit) {
  EXPECT_EQ(drag.entry(0.02), R"({"gamma": 0.02})");
  EXPECT_EQ(drag.text(0.02), "ether drag 2 % a step");
}

TEST(LeastDamping, IsEnclosedByHalvesAndThenByBisectionOfTheLogarithm) {
  for (const double border : {0.5, 0.11, 0.013}) {
    SCOPED_TRACE(border);
    for (const int refinements : {0, 1, 4}) {
      const LeastDamping found = find_least(drag, refinements, stable_from(border));
      const double width = std::pow(2, std::pow(2, -refinements));
      EXPECT_GE(found.amount, border);
      EXPECT_LE(found.amount, border * width * (1 + 1e-5));
      EXPECT_EQ(found.motion.name, drag.entry(found.amount));
      for (std::size_t i = 0; i < found.trials.size(); ++i) {
        EXPECT_EQ(found.trials[i].is_stable, found.trials[i].amount >= found.amount * (1 - 1e-9));
        if (i > 0) EXPECT_GT(found.trials[i].amount, found.trials[i - 1].amount);
      }
    }
  }
}

TEST(LeastDamping, IsNoneWhereEvenMuchFailsAndItsMotionIsShown) {
  const LeastDamping found = find_least(drag, 3, stable_from(1));
  EXPECT_EQ(found.amount, 0);
  ASSERT_EQ(found.trials.size(), 1u);
  EXPECT_FALSE(found.trials[0].is_stable);
  EXPECT_EQ(found.motion.name, drag.entry(drag.much));
}

TEST(LeastDamping, OfWhatNeedsNoneIsTheLeastThatWasTried) {
  const LeastDamping found = find_least(drag, 3, stable_from(0));
  EXPECT_EQ(found.amount, found.trials.front().amount);
  EXPECT_LT(found.amount, 2e-4 * drag.much);
  EXPECT_GT(found.amount, 1e-4 * drag.much);
}

TEST(LeastDamping, DoesNotLookBelowTheFirstThatFails) {
  // Stable again below 0.05: an accident, not what was asked for.
  const LeastDamping found = find_least(drag, 2, [](const std::string&, const std::string& entry) {
    Attempt attempt;
    attempt.is_stable = amount_in(entry) > 0.2 || amount_in(entry) < 0.05;
    return attempt;
  });
  EXPECT_GT(found.amount, 0.2);
}

TEST(LeastDamping, TablesTellEveryTrial) {
  const LeastDamping found = find_least(drag, 1, stable_from(0.11));
  const render::Table table = trial_table({found}, "what happens");
  ASSERT_EQ(table.rows.size(), found.trials.size());
  EXPECT_EQ(table.rows.front(), (std::vector<std::string>{"ether drag", "8 % a step", "fails", "unstable"}));
  EXPECT_EQ(table.rows.back(), (std::vector<std::string>{"ether drag", "64 % a step", "stands", "stable"}));
}

}  // namespace
}  // namespace dashpot::cli::test_least_damping
