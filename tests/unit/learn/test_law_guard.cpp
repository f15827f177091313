// Laws stay stiff while they are learned.
#include <gtest/gtest.h>

#include "dashpot/learn/law_guard.hpp"
#include "dashpot/learn/law_unknowns.hpp"
#include "support/portable_noise.hpp"
#include "unit/learn/rubber_bar.hpp"

namespace dashpot::learn::test_law_guard {
namespace {

using test_support::RubberBar;
using testing::rnd;

/// A bar of rubber, seen at three of its nodes with much noise, and a strong belief in a law whose curve dips where the
/// bar is pulled: what was measured says too little against it.
FitProblem little_seen() {
  const RubberBar bar{.end = 0.2};
  const std::vector<double> times = test_support::instants(0.01, 0.01, 20);
  FitProblem problem;
  problem.runs.push_back({"bar", bar.believed(), {test_support::measured(bar.truth(), times, 5e-3, 3, {60, 44, 38})}});
  add_law_unknowns(problem, {});
  const auto dip = std::find_if(problem.unknowns.begin(), problem.unknowns.end(), [](const Unknown& unknown) {
    return unknown.parameter == "/bodies/0/material/stretch" && unknown.number == 5;
  });
  const std::size_t k = static_cast<std::size_t>(dip - problem.unknowns.begin());
  problem.prior[static_cast<Eigen::Index>(k)] = -1.2;
  problem.add_ridge(k, 1, 1e5);
  return problem;
}

/// How stiff a law is over the strains that it visits.
Definiteness stiffness_of(const FitProblem& problem, const Vector& x) {
  const ObservedRun& run = problem.runs[0];
  const StrainWatch watch(*run.scene, {0});
  std::vector<VisitedStrains> visited(1);
  CompareOptions options;
  options.values = problem.values(run, x);
  options.on_instant = [&](std::size_t, int, const std::vector<Vec3>& points, const ResidualRows&) {
    watch.look(points, visited);
  };
  EXPECT_TRUE(compare(run, options).reached());
  return check_definiteness(law_with(*run.scene, 0, options.values).value(), region_around(visited[0]));
}

TEST(LawGuard, WhatTheDataDoNotDecideCannotMakeALawGiveWay) {
  const FitProblem problem = little_seen();
  const FitResult free = fit(problem, {});
  EXPECT_FALSE(stiffness_of(problem, free.x).is_definite()) << "nothing to guard against";
  LawGuard guard(problem, {0});
  FitOptions options;
  options.admissible = &guard;
  const FitResult guarded = fit(problem, options);
  EXPECT_EQ(guarded.end, FitResult::End::converged);
  const Definiteness found = stiffness_of(problem, guarded.x);
  EXPECT_TRUE(found.is_definite()) << found.text();
  // The true law is stiff: what was measured is met no worse.
  EXPECT_LT(guarded.chi2, 1.1 * free.chi2);
}

TEST(LawGuard, LawsThatAreStiffAnywayAreLeftAlone) {
  const RubberBar bar{.end = 0.2};
  FitProblem problem;
  problem.runs.push_back(
      {"bar", bar.believed(), {test_support::measured(bar.truth(), test_support::instants(0.0025, 0.0025, 80), 1e-5)}});
  add_law_unknowns(problem, {});
  const FitResult free = fit(problem, {});
  ASSERT_TRUE(stiffness_of(problem, free.x).is_definite());
  LawGuard guard(problem, {0});
  FitOptions options;
  options.admissible = &guard;
  const FitResult guarded = fit(problem, options);
  EXPECT_LT((guarded.x - free.x).norm(), 1e-2 * free.x.norm());
}

TEST(LawGuard, HalfSpacesHoldAllStiffLaws) {
  const FitProblem problem = little_seen();
  LawGuard guard(problem, {0});
  const ObservedRun& run = problem.runs[0];
  guard.begin_trial();
  CompareOptions options;
  options.on_instant = [&](std::size_t, int, const std::vector<Vec3>& points, const ResidualRows&) {
    guard.look(0, points);
  };
  ASSERT_TRUE(compare(run, options).reached());
  EXPECT_TRUE(guard.cuts(Vector::Random(16)).empty()) << "nothing was kept yet";
  guard.keep_trial(true);
  std::vector<Vector> stiff;
  std::vector<HalfSpace> cuts;
  for (int trial = 0; trial < 300; ++trial) {
    Vector x(16);
    for (int k = 0; k < 16; ++k) x[k] = (trial % 3 == 0 ? 0.3 : 2) * rnd(100 * trial + k);
    const std::vector<HalfSpace> found = guard.cuts(x);
    if (found.empty()) stiff.push_back(x);
    for (const HalfSpace& cut : found) {
      EXPECT_LT(cut.normal.dot(x), cut.bound);
      cuts.push_back(cut);
    }
  }
  EXPECT_GT(stiff.size(), 20u);
  EXPECT_GT(cuts.size(), 100u);
  for (const HalfSpace& cut : cuts)
    for (const Vector& x : stiff) EXPECT_GT(cut.normal.dot(x), cut.bound - 0.051);
}

}  // namespace
}  // namespace dashpot::learn::test_law_guard
