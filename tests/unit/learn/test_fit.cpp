// Fits through the simulator: gradients against differences, parameters recovered, what data cannot say is said.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/learn/fit.hpp"
#include "unit/learn/paths.hpp"

namespace dashpot::test_fit {
namespace {

using learn::Comparison;
using learn::FitProblem;
using learn::FitResult;
using learn::ObservedRun;
using learn::Unknown;
using test_support::instants;
using test_support::measured;
using test_support::Paths;

struct Material {
  double young = 60e3, poisson = 0.3, alpha = 0.4, beta = 4e-3;
};

std::shared_ptr<const CompiledScene> bar(const Material& m, const std::string& start = "rest",
                                         const std::string& stepper = "backward_euler") {
  return std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0, -9.81, 0], "time": {{"dt": "10 ms", "end": "0.4 s", "stepper": "{}"}},
    "solver": {{"newton": {{"tolerance": 1e-12}}}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}}},
      "material": {{"model": "neo_hookean", "young": {}, "poisson": {}, "density": 1000}},
      "damping": [{{"model": "rayleigh", "alpha": {}, "beta": {}}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}], "start": {{"from": "{}"}}}}]}})",
      stepper, m.young, m.poisson, m.alpha, m.beta, start))));
}

const std::vector<std::string> four = {"/bodies/0/material/young", "/bodies/0/material/poisson",
                                       "/bodies/0/damping/0/alpha", "/bodies/0/damping/0/beta"};

std::vector<int> indices(const System& system, const std::vector<std::string>& names) {
  std::vector<int> all;
  for (const std::string& name : names) all.push_back(system.parameters().at(name).first);
  return all;
}

void expect_gradient(const std::string& start, const std::string& stepper, double step, double tolerance) {
  const auto truth = bar({}, start, stepper);
  const auto scene = bar({50e3, 0.25, 0.5, 3e-3}, start, stepper);
  const ObservedRun run{"bar", scene, {measured(truth, instants(0.03, step, 12), 1e-3)}};
  learn::CompareOptions options;
  options.parameters = indices(*scene->system, four);
  const Comparison found = learn::compare(run, options);
  ASSERT_TRUE(found.reached()) << found.explanation;
  ASSERT_GT(found.chi2, 1);
  for (std::size_t k = 0; k < four.size(); ++k) {
    learn::CompareOptions moved;
    const auto at = static_cast<std::size_t>(options.parameters[k]);
    const double h = 1e-5 * scene->system->parameter_values()[at];
    double chi2[2];
    for (const int side : {0, 1}) {
      moved.values = scene->system->parameter_values();
      moved.values[at] += side == 0 ? -h : h;
      const Comparison other = learn::compare(run, moved);
      ASSERT_TRUE(other.reached());
      chi2[side] = other.chi2;
    }
    const double slope = (chi2[1] - chi2[0]) / (2 * h), gradient = 2 * found.Jtr[static_cast<Eigen::Index>(k)];
    ASSERT_GT(std::abs(slope * h), 1e-9 * found.chi2) << four[k] << " has no effect";
    EXPECT_NEAR(gradient / slope, 1, tolerance) << four[k] << ", " << start << ", " << stepper;
  }
}

TEST(FitToMotion, GradientIsTheSlopeOfChiSquareAtAndBetweenSteps) {
  expect_gradient("rest", "backward_euler", 0.02, 1e-5);
  expect_gradient("rest", "bathe", 0.0137, 1e-5);
}

std::shared_ptr<const CompiledScene> stretchy(const std::string& curve) {
  return std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0, 0, -9.81], "time": {{"dt": "5 ms", "end": "0.3 s", "stepper": "backward_euler"}},
    "solver": {{"newton": {{"tolerance": 1e-11}}}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.12, 0.04, 0.04], "cells": [4, 1, 1]}}}},
      "material": {{"model": "corotational", "young": "40 kPa", "poisson": 0.43, "density": 1000}},
      "damping": [{{"model": "stretch_rayleigh", "beta": "10 ms", "beta_curve": {}}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
      curve))));
}

TEST(FitToMotion, GradientIsThatOfTheValuesAskedForNotOfThoseOfTheScene) {
  const auto truth = stretchy("[-0.8, -0.8, -0.3, 0.2, 0.7, 1.2, 1.7, 2.2]"),
             scene = stretchy("[0, 0, 0, 0, 0, 0, 0, 0]");
  const ObservedRun run{"bar", scene, {measured(truth, instants(0, 0.005, 60), 1e-5)}};
  const std::string name = "/bodies/0/damping/0/beta_curve";
  const int first = scene->system->parameters().at(name).first;
  const double near[] = {-0.02, -0.886, -0.388, 0.057, -0.116, 1.9, 4.6, 7.2};
  learn::CompareOptions options;
  options.values = scene->system->parameter_values();
  for (int k = 0; k < 8; ++k) options.values[static_cast<std::size_t>(first + k)] = near[k];
  for (int k = 0; k < 4; ++k) options.parameters.push_back(first + k);
  const Comparison found = learn::compare(run, options);
  ASSERT_TRUE(found.reached());
  for (int k = 0; k < 4; ++k) {
    double chi2[2];
    const double h = 1e-4;
    for (const int side : {0, 1}) {
      learn::CompareOptions moved;
      moved.values = options.values;
      moved.values[static_cast<std::size_t>(first + k)] += side == 0 ? -h : h;
      chi2[side] = learn::compare(run, moved).chi2;
    }
    EXPECT_NEAR(2 * found.Jtr[k] / ((chi2[1] - chi2[0]) / (2 * h)), 1, 1e-5) << k;
  }
}

TEST(FitToMotion, PositionsBetweenStepsAreThoseOfTheMotion) {
  // A body in free fall: a parabola, of which a cubic through positions and velocities leaves nothing out.
  const auto scene = std::make_shared<CompiledScene>(compile(parse_scene(
      R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "20 ms", "end": "0.2 s", "stepper": "trapezoid"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}},
      "material": {"model": "stvk", "young": 1e5, "poisson": 0.3, "density": 1000}}]})")));
  const std::vector<double> times = {0, 0.004, 0.0133, 0.02, 0.117, 0.2};
  const auto positions = test_support::positions_at(scene, times);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t p = 0; p < positions[i].size(); ++p) {
      const double fall = positions[0][p].y() - positions[i][p].y();
      EXPECT_NEAR(fall, 0.5 * 9.81 * times[i] * times[i], 1e-10) << times[i];
    }
}

TEST(FitToMotion, GradientKnowsThatTheEquilibriumMovesWithTheMaterial) {
  // Let go at t = 0 the body stays where it hangs: what is measured is the sag alone.
  const auto truth = bar({}, "equilibrium"), scene = bar({50e3, 0.25, 0.5, 3e-3}, "equilibrium");
  const ObservedRun run{"bar", scene, {measured(truth, {0.0, 0.1}, 1e-3)}};
  learn::CompareOptions options;
  options.parameters = indices(*scene->system, {four[0], four[1]});
  const Comparison found = learn::compare(run, options);
  ASSERT_TRUE(found.reached()) << found.explanation;
  for (std::size_t k = 0; k < 2; ++k) {
    learn::CompareOptions moved;
    const auto at = static_cast<std::size_t>(options.parameters[k]);
    const double h = 1e-4 * scene->system->parameter_values()[at];
    double chi2[2];
    for (const int side : {0, 1}) {
      moved.values = scene->system->parameter_values();
      moved.values[at] += side == 0 ? -h : h;
      chi2[side] = learn::compare(run, moved).chi2;
    }
    const double slope = (chi2[1] - chi2[0]) / (2 * h);
    ASSERT_GT(std::abs(slope * h), 1e-7 * found.chi2);
    EXPECT_NEAR(2 * found.Jtr[static_cast<Eigen::Index>(k)] / slope, 1, 1e-3) << four[k];
  }
}

FitProblem four_unknowns(const std::shared_ptr<const Paths>& paths) {
  const Material guess{45e3, 0.2, 0.2, 2e-3};
  FitProblem problem;
  problem.runs.push_back({"bar", bar(guess), {paths}});
  problem.unknowns = {{four[0], 0, Unknown::Map::logarithmic, guess.young, 1},
                      {four[1], 0, Unknown::Map::linear, guess.poisson, 0.1},
                      {four[2], 0, Unknown::Map::logarithmic, guess.alpha, 1},
                      {four[3], 0, Unknown::Map::logarithmic, guess.beta, 1}};
  return problem;
}

TEST(FitToMotion, RecoversElasticityAndDampingFromAFreeMotion) {
  const Material truth;
  const FitProblem problem = four_unknowns(measured(bar(truth), instants(0, 0.01, 41), 1e-4));
  learn::FitOptions options;
  options.least_decrease = 1e-8;
  const FitResult found = learn::fit(problem, options);
  EXPECT_EQ(found.end, FitResult::End::converged) << found.explanation;
  EXPECT_NEAR(found.values[0] / truth.young, 1, 1e-6);
  EXPECT_NEAR(found.values[1] / truth.poisson, 1, 1e-6);
  EXPECT_NEAR(found.values[2] / truth.alpha, 1, 1e-5);
  EXPECT_NEAR(found.values[3] / truth.beta, 1, 1e-5);
}

TEST(FitToMotion, ErrorsAreThoseThatTheCovarianceTells) {
  const Material truth;
  const double expected[4] = {std::log(truth.young / 45e3), (truth.poisson - 0.2) / 0.1, std::log(truth.alpha / 0.2),
                              std::log(truth.beta / 2e-3)};
  double sum = 0;
  int count = 0;
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const FitProblem problem = four_unknowns(measured(bar(truth), instants(0, 0.01, 41), 1e-3, seed));
    const FitResult found = learn::fit(problem, {});
    EXPECT_NEAR(found.chi2 / found.num_residuals, 1, 0.1);
    const Matrix covariance = found.covariance(problem);
    for (Eigen::Index k = 0; k < 4; ++k) {
      const double error = (found.x[k] - expected[k]) / std::sqrt(covariance(k, k));
      EXPECT_LT(std::abs(error), 4.5);
      sum += error * error;
      ++count;
    }
  }
  EXPECT_GT(sum / count, 0.2);  // sixteen squares of mean one: neither all too small ...
  EXPECT_LT(sum / count, 2.5);  // ... nor too large
}

TEST(FitToMotion, SaysWhichUnknownsTheMeasurementsDecide) {
  FitProblem problem = four_unknowns(measured(bar({}), instants(0, 0.01, 41), 1e-4));
  problem.add_ridge(0, 4, 1e-3);
  problem.add_ridge(3, 1, 1e12);  // of this one the prior knows better
  const FitResult found = learn::fit(problem, {});
  const Vector share = found.determined(problem);
  EXPECT_GT(share[0], 0.999);
  EXPECT_LT(share[3], 1e-3);
  EXPECT_NEAR(found.x[3], 0, 1e-3);
}

TEST(FitToMotion, NumbersWithinAnIntervalStayThereAndKnowTheirSlopes) {
  learn::Unknown ratio{"poisson", 0, learn::Unknown::Map::interval, 0.43};
  ratio.low = -1, ratio.high = 0.5;
  EXPECT_NEAR(ratio.value(0), 0.43, 1e-15);
  for (const double x : {-6.0, -1.0, 0.0, 0.7, 4.0, 9.0}) {
    EXPECT_GT(ratio.value(x), -1);
    EXPECT_LT(ratio.value(x), 0.5);
    EXPECT_NEAR(ratio.x_of(ratio.value(x)), x, 1e-9);
    const double e = 1e-5, slope = (ratio.value(x + e) - ratio.value(x - e)) / (2 * e);
    EXPECT_NEAR(ratio.slope(x), slope, 1e-5 * slope);
  }
  // A unit of x near the end is a factor e of what is left to it: of 1/(0.5 - theta), the bulk modulus.
  EXPECT_NEAR((0.5 - ratio.value(5)) / (0.5 - ratio.value(6)), std::exp(1), 1e-2);
  EXPECT_EQ(ratio.x_of(0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ratio.x_of(-1), -std::numeric_limits<double>::infinity());
}

TEST(FitToMotion, StaysWithinTheRangeOfAParameter) {
  // Truth at the border of what is allowed: alpha = 0.
  const FitProblem base = four_unknowns(measured(bar({60e3, 0.3, 0, 4e-3}), instants(0, 0.01, 41), 1e-4));
  FitProblem problem = base;
  problem.unknowns[2] = {four[2], 0, Unknown::Map::linear, 0.2, 0.2};
  const FitResult found = learn::fit(problem, {});
  EXPECT_GE(found.values[2], 0);
  EXPECT_LT(found.values[2], 1e-3);
  EXPECT_NEAR(found.values[0] / 60e3, 1, 1e-4);
}

TEST(FitToMotion, SecondDifferencesAreThePriorOfCurves) {
  FitProblem problem;
  problem.unknowns.resize(6);
  problem.add_smoothness(1, 4, 2.0);
  Vector straight(6), bent(6);
  straight << 7, 1, 2, 3, 4, -5;
  bent << 0, 1, 0, 0, 0, 0;
  EXPECT_NEAR(straight.dot(problem.precision * straight), 0, 1e-12);
  EXPECT_NEAR(bent.dot(problem.precision * bent), 2.0, 1e-12);
}

TEST(FitToMotion, RefusesWhatDoesNotFitTogether) {
  FitProblem problem = four_unknowns(measured(bar({}), {0.1}, 1e-4));
  problem.unknowns[0].parameter = "/bodies/0/material/yung";
  problem.unknowns[1].number = 3;
  problem.runs[0].observations.clear();
  try {
    learn::fit(problem, {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
}

}  // namespace
}  // namespace dashpot::test_fit
