// Searches without derivatives: known minima, bounds, budgets, and parameters recovered from a motion.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/cma.hpp"
#include "dashpot/learn/fit_plain.hpp"
#include "dashpot/learn/nelder_mead.hpp"
#include "unit/learn/paths.hpp"
#include "unit/learn/rubber_bar.hpp"

namespace dashpot::test_derivative_free {
namespace {

using learn::BoxedFunction;
using learn::SearchBudget;
using learn::SearchOutcome;

double rosenbrock(const Vector& x) {
  double sum = 0;
  for (Eigen::Index k = 0; k + 1 < x.size(); ++k)
    sum += 100 * std::pow(x[k + 1] - x[k] * x[k], 2) + std::pow(1 - x[k], 2);
  return sum;
}

BoxedFunction boxed(double (*value)(const Vector&), Eigen::Index n, double low = -5, double high = 5) {
  return {value, Vector::Constant(n, low), Vector::Constant(n, high)};
}

SearchBudget budget(int evaluations) {
  SearchBudget b;
  b.max_evaluations = evaluations;
  b.least_decrease = 1e-14;
  b.least_size = 1e-9;
  return b;
}

TEST(DerivativeFree, TheSimplexGoesDownTheBendOfRosenbrock) {
  const SearchOutcome found = learn::nelder_mead(boxed(rosenbrock, 3), Vector::Constant(3, -1.2), budget(3000));
  EXPECT_LT((found.x - Vector::Ones(3)).norm(), 1e-5);
  EXPECT_LT(found.num_evaluations, 3000);
}

TEST(DerivativeFree, TheEvolutionStrategyAdaptsToAnIllConditionedQuadratic) {
  const auto ellipsoid = [](const Vector& x) {
    double sum = 0;
    for (Eigen::Index k = 0; k < x.size(); ++k)
      sum += std::pow(10.0, 6.0 * static_cast<double>(k) / static_cast<double>(x.size() - 1)) * x[k] * x[k];
    return sum;
  };
  const Vector start = Vector::Constant(6, 1.5);
  const SearchOutcome found = learn::cma(boxed(ellipsoid, 6), start, budget(4000));
  EXPECT_GT(ellipsoid(start), 1e6);
  EXPECT_LT(found.value, 1e-8);
  const SearchOutcome again = learn::cma(boxed(ellipsoid, 6), start, budget(4000));
  EXPECT_EQ(found.num_evaluations, again.num_evaluations);
  EXPECT_EQ(found.x, again.x);
}

TEST(DerivativeFree, TheEvolutionStrategyLeavesLocalMinimaThatHoldTheSimplex) {
  const auto rastrigin = [](const Vector& x) {
    double sum = 10.0 * static_cast<double>(x.size());
    for (const double xi : x) sum += xi * xi - 10 * std::cos(2 * M_PI * xi);
    return sum;
  };
  SearchBudget b = budget(40000);
  b.first_size = 2;
  b.max_restarts = 6;
  const SearchOutcome found = learn::cma(boxed(rastrigin, 3), Vector::Constant(3, 2.8), b);
  EXPECT_LT(found.value, 1e-6);
}

TEST(DerivativeFree, MinimaOnTheBorderAreFoundThereAndNothingOutsideIsAsked) {
  for (const auto search : {learn::nelder_mead, learn::cma}) {
    BoxedFunction function = boxed(
        [](const Vector& x) { return (x.array() >= 1).all() ? (x.array() - 0.5).square().sum() : -1e9; }, 2, 1, 4);
    const SearchOutcome found = search(function, Vector::Constant(2, 3), budget(2000));
    EXPECT_LT((found.x - Vector::Ones(2)).norm(), 1e-4) << found.value;
  }
}

TEST(DerivativeFree, BudgetsAndStopsAreKept) {
  for (const auto search : {learn::nelder_mead, learn::cma}) {
    const SearchOutcome spent = search(boxed(rosenbrock, 4), Vector::Constant(4, -1.2), budget(37));
    EXPECT_EQ(spent.num_evaluations, 37);
    EXPECT_EQ(spent.end, SearchOutcome::End::out_of_budget);
    EXPECT_EQ(rosenbrock(spent.x), spent.value);
    SearchBudget stopping = budget(1000);
    int asked = 0;
    stopping.should_stop = [&] { return ++asked > 20; };
    EXPECT_EQ(search(boxed(rosenbrock, 4), Vector::Constant(4, -1.2), stopping).end, SearchOutcome::End::stopped);
    EXPECT_LT(asked, 40);
  }
}

TEST(DerivativeFree, ValuesThatAreNoNumberAreTheWorst) {
  for (const auto search : {learn::nelder_mead, learn::cma}) {
    BoxedFunction function = boxed(
        [](const Vector& x) { return x[0] < 0.4 ? std::nan("") : (x - Vector::Constant(2, 0.5)).squaredNorm(); }, 2);
    const SearchOutcome found = search(function, Vector::Constant(2, 2), budget(2000));
    EXPECT_LT(found.value, 1e-6);
  }
}

TEST(DerivativeFree, EmptyBoxesAreRefused) {
  BoxedFunction function = boxed(rosenbrock, 2, 1, 1);
  EXPECT_THROW(learn::nelder_mead(function, Vector::Ones(2), {}), Error);
  EXPECT_THROW(learn::cma(boxed(rosenbrock, 3), Vector::Ones(2), {}), Error);
}

TEST(DerivativeFree, BothRecoverYoungsModulusAndPoissonsRatioFromAMotion) {
  using test_support::instants;
  using test_support::measured;
  const test_support::RubberBar bar{.end = 0.06};
  const auto truth = bar.truth();
  for (const auto search : {learn::PlainSearch::nelder_mead, learn::PlainSearch::cma}) {
    learn::FitProblem problem;
    problem.runs.push_back({"bar",
                            bar.made_of(R"("model": "neo_hookean", "young": 3e4)"),
                            {measured(truth, instants(0.005, 0.005, 12), 1e-4)}});
    problem.unknowns = {{"/bodies/0/material/young", 0, learn::Unknown::Map::logarithmic, 3e4, 1},
                        {"/bodies/0/material/poisson", 0, learn::Unknown::Map::linear, 0.3, 0.1}};
    learn::PlainFitOptions options;
    options.search = search;
    options.budget.max_evaluations = 250;
    options.budget.least_decrease = 1e-3;
    double last = HUGE_VAL;
    learn::FitOptions hooks;
    hooks.on_iteration = [&](const learn::FitIteration& step, const Vector&) {
      EXPECT_LT(step.chi2, last);
      last = step.chi2;
    };
    const learn::FitResult found = learn::fit_plain(problem, options, hooks);
    EXPECT_NEAR(found.values[0], 2e4, 100);
    EXPECT_NEAR(found.values[1], 0.43, 0.005);
    EXPECT_LE(found.num_simulations, 250);
    EXPECT_GT(found.JtJ(0, 0), 1);
  }
}

TEST(DerivativeFree, ExplicitSteppersCanBeFittedThough) {
  using test_support::instants;
  using test_support::measured;
  const test_support::RubberBar bar{.end = 0.01, .stepper = "symplectic_euler", .dt = 1e-4};
  learn::FitProblem problem;
  problem.runs.push_back({"bar",
                          bar.made_of(R"("model": "neo_hookean", "young": 3e4, "mass": "lumped")"),
                          {measured(bar.made_of(R"("model": "neo_hookean", "young": 2e4, "mass": "lumped")"),
                                    instants(0.002, 0.002, 5), 1e-6)}});
  problem.unknowns = {{"/bodies/0/material/young", 0, learn::Unknown::Map::logarithmic, 3e4, 1}};
  learn::PlainFitOptions options;
  options.budget.max_evaluations = 40;
  const learn::FitResult found = learn::fit_plain(problem, options, {});
  EXPECT_NEAR(found.values[0], 2e4, 100);
  EXPECT_NE(found.explanation.find("no errors are known"), std::string::npos) << found.explanation;
}

}  // namespace
}  // namespace dashpot::test_derivative_free
