// Static identification: the stress curve of a material from load tests.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "dashpot/core/error.hpp"
#include "dashpot/design/scene_fit.hpp"
#include "dashpot/scene/read_scene.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::testing::test_identification {
namespace {

using namespace design;

/// A block, held at one end and pulled or pressed at the other, which is guided; `fit` is the content of its section.
SceneSpec pulled_bar(const std::string& fit, const std::string& material = R"("model": "spline", "young": "60 kPa")") {
  return parse_scene(R"({"dashpot": 1, "time": {"dt": 0.01, "end": 1}, "bodies": [{
    "mesh": {"bar": {"size": [0.3, 0.3, 0.3], "cells": [2, 2, 2]}},
    "material": {)" + material +
                     R"(, "poisson": 0.3, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}},
             {"where": {"box": [[0.299, -1, -1], [1, 1, 1]]}, "axes": ["y", "z"]}]}],
    "fit": )" + fit + "}");
}
std::string pull(const std::string& points) {
  return R"({"cases": [{"name": "pull", "where": {"box": [[0.299, -1, -1], [1, 1, 1]]}, "direction": [2, 0, 0],
             "points": [)" +
         points + "]}]}";
}
std::string row(double load, double displacement, bool held_out = false) {
  return "{\"load\": " + std::to_string(load) + ", \"displacement\": " + std::to_string(displacement) +
         (held_out ? ", \"held_out\": true}" : "}");
}
const std::string any_rows = row(100, 0.01) + "," + row(-100, -0.01);

/// Displacements of the pulled bar under loads, of a given curve.
std::vector<double> measure(const ElasticPoints& truth, const std::vector<double>& loads) {
  FitTask task = make_fit_task(pulled_bar(pull(any_rows)));
  LoadCase load = task.cases[0];
  load.points.clear();
  for (const double f : loads) load.points.push_back({f, 1, false});
  LoadTest test(tested_body(task, {}), {load});
  const LoadTest::Answer answer = test.solve(truth);
  EXPECT_TRUE(answer.found) << answer.explanation;
  return {answer.displacement.data(), answer.displacement.data() + answer.displacement.size()};
}

TEST(ElasticCurve, WhateverTheParametersTheCurveRisesEverywhereAndRestKeepsItsStiffness) {
  const ElasticCurve curve(0.3, {1.05, 1.1, 1.4}, {0.6, 0.95, 0.8});
  for (int k = 0; k < 500; ++k) {
    Vector theta(curve.num_parameters());
    for (int i = 0; i < theta.size(); ++i) theta[i] = 5 * std::sin(1.7 * k * k + 0.3 * i * k + i);
    theta[0] += 10;
    curve.clamp(theta);
    const ElasticPoints points = curve.points(theta);
    const math::Curve stress = points.material().stretch;
    EXPECT_NEAR(stress.derivative(1), 2 * points.rest.mu(), 1e-12 * points.rest.mu());
    for (double s = 0.3; s < 2; s += 0.01) ASSERT_GT(stress.derivative(s), 1e-4 * points.rest.mu()) << k << " " << s;
  }
}

TEST(ElasticCurve, AStraightCurveIsTheLinearMaterial) {
  const ElasticCurve curve(0.25, {1.1, 1.2}, {0.8, 0.9});
  const math::Curve stress = curve.points(curve.straight(2e5)).material().stretch;
  const Isotropic material{2e5, 0.25};
  for (const double s : {0.5, 0.85, 1.05, 1.3}) EXPECT_NEAR(stress.value(s), 2 * material.mu() * (s - 1), 1e-6);
}

TEST(ElasticCurve, KnotsThatMakeNoSenseAreNamedAllAtOnce) {
  try {
    ElasticCurve(0.6, {0.9, 1.3}, {0.5, 0.5, 0.7});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
  EXPECT_THROW(ElasticCurve(0.3, {1.2}, {}), Error);
}

TEST(LoadTest, SensitivitiesToTheCurveAreDerivativesOfTheDisplacements) {
  FitTask task = make_fit_task(pulled_bar(pull(row(2700, 0.1) + "," + row(-1800, -0.1))));
  task.spec.gravity = Vec3(0, -9.81, 0);  // so that the unloaded body depends on the curve too
  task.cases[0].probe.setConstant(0.01);
  const ElasticCurve curve(0.3, {1.1, 1.3}, {0.7, 0.9});
  Vector theta = curve.straight(8e4);
  theta << theta[0], 0.4, 0.3, -0.2, 0.5;
  for (const bool pose_is_known : {false, true}) {
    TestedBody body = tested_body(task, {});
    if (pose_is_known) {  // strained and out of balance
      body.unloaded = body.with_material(curve.points(theta))->rest();
      for (Eigen::Index i = 0; i < body.unloaded.size(); i += 3) body.unloaded[i] *= 1.05;
    }
    LoadTest test(body, task.cases);
    ASSERT_TRUE(test.solve(curve.points(theta)).found);
    const Matrix J = test.sensitivities(curve, theta);
    for (int j = 0; j < theta.size(); ++j) {
      EXPECT_GT(J.col(j).norm(), 1e-6) << j;
      const SlopeResult slope =
          derivative_slope([&](const Vector& t) { return test.solve(curve.points(t)).displacement; }, theta,
                           Vector::Unit(theta.size(), j), J.col(j), 5e-2);
      EXPECT_TRUE(slope.ok()) << j << ": slope " << slope.slope << ", remainder " << slope.relative_remainder;
    }
  }
}

TEST(Identification, ACurveWithKnownKnotsIsFoundAgainFromItsOwnDisplacements) {
  const ElasticCurve curve(0.3, {1.15, 1.3}, {0.75, 0.9});
  Vector theta = curve.straight(1e5);
  theta << theta[0], 0.5, 0.7, 0.3, 0.6;
  const ElasticPoints truth = curve.points(theta);
  const std::vector<double> loads = {400, 1200, 2200, 3500, -400, -1200, -2200, -3500};
  const std::vector<double> moved = measure(truth, loads);
  EXPECT_GT(moved[3], 0.04);
  FitTask task = make_fit_task(pulled_bar(pull(any_rows)));
  task.cases[0].points.clear();
  for (std::size_t i = 0; i < loads.size(); ++i) task.cases[0].points.push_back({loads[i], moved[i], i == 2});
  task.identify.tension = {1.15, 1.3};
  task.identify.compression = {0.75, 0.9};
  task.identify.prior = 1e-6;
  const FitOutcome outcome = run_fit(task);
  ASSERT_TRUE(outcome.reached) << outcome.elasticity->explanation;
  const Identified& found = *outcome.elasticity;
  EXPECT_GT(found.straight_error, 0.05);  // a straight curve does not do
  EXPECT_LT(found.fitted_error, 1e-4);
  EXPECT_LT(found.held_out_error, 1e-3);
  EXPECT_NEAR(found.curve.rest.young / 1e5, 1, 0.01);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(found.curve.tension[i].second / truth.tension[i].second, 1, 0.02) << i;
    EXPECT_NEAR(found.curve.compression[i].second / truth.compression[i].second, 1, 0.02) << i;
  }
}

TEST(Identification, KnotsThatNoLoadReachesFollowTheirNeighborAndAreSaidToBeUnknown) {
  const ElasticCurve curve(0.3, {1.05, 1.1}, {});
  Vector theta = curve.straight(1e5);
  theta << theta[0], 0.5, 0.5;
  const std::vector<double> loads = {90, 225, 360};  // stretches of up to about 1.04
  const std::vector<double> moved = measure(curve.points(theta), loads);
  FitTask task = make_fit_task(pulled_bar(pull(any_rows)));
  task.cases[0].points.clear();
  for (std::size_t i = 0; i < loads.size(); ++i) task.cases[0].points.push_back({loads[i], moved[i], false});
  task.identify.tension = {1.05, 1.5, 2};
  const FitOutcome outcome = run_fit(task);
  ASSERT_TRUE(outcome.reached);
  const std::vector<IdentifiedParameter>& parameters = outcome.elasticity->parameters;
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_GT(parameters[0].resolution, 0.9);
  EXPECT_LT(parameters[3].resolution, 0.01);
  EXPECT_NEAR(parameters[3].value / parameters[2].value, 1, 0.01);
}

TEST(Identification, WhatIsHeldOutDoesNotChangeTheFit) {
  const std::string fitted = row(540, 0.012) + "," + row(1080, 0.022);
  const auto young = [&](const std::string& more) {
    return run_fit(make_fit_task(pulled_bar(pull(fitted + more)))).elasticity->straight_young;
  };
  const double alone = young("");
  EXPECT_GT(alone, 1e4);
  EXPECT_NEAR(young("," + row(1800, 0.08, true)) / alone, 1, 1e-6);
  EXPECT_GT(std::abs(young("," + row(1800, 0.08)) / alone - 1), 0.05);
}

TEST(Identification, AMissedToleranceIsSaidWithTheReason) {
  const FitOutcome outcome = run_fit(make_fit_task(pulled_bar(pull(row(450, 0.02) + "," + row(900, 0.01)))));
  EXPECT_FALSE(outcome.reached);  // less displacement under more load: no rising curve does that
  EXPECT_NE(outcome.elasticity->explanation.find("off by"), std::string::npos);
}

TEST(Identification, TheFitCanBeStopped) {
  FitTask task = make_fit_task(pulled_bar(pull(any_rows)));
  task.identify.should_stop = [] { return true; };
  EXPECT_TRUE(run_fit(task).stopped);
}

TEST(Identification, BadSectionsAreRefusedWithAllProblems) {
  const auto problems = [](const SceneSpec& spec) {
    try {
      make_fit_task(spec);
    } catch (const Error& error) {
      return error.problems();
    }
    return std::vector<Problem>{};
  };
  EXPECT_EQ(problems(pulled_bar(pull(row(0, 0.1) + "," + row(1, 0)))).size(), 2u);
  EXPECT_NE(problems(pulled_bar(pull(any_rows), R"("model": "stvk", "young": 1e5)")).at(0).text().find("spline"),
            std::string::npos);
  EXPECT_EQ(problems(pulled_bar("{}")).size(), 1u);
  EXPECT_EQ(problems(pulled_bar(R"({"rest_shape": true})")).size(), 1u);
}

TEST(LoadTables, UnitsInTheHeaderAreUnderstood) {
  const std::string path = ::testing::TempDir() + "loads.csv";
  std::ofstream(path) << "load [g],displacement [mm],held_out\n100,2.5,0\n200,4,1\n";
  const std::vector<LoadPoint> points = read_load_table(path);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(points[0].load, 0.980665, 1e-9);
  EXPECT_NEAR(points[0].displacement, 0.0025, 1e-12);
  EXPECT_FALSE(points[0].held_out);
  EXPECT_TRUE(points[1].held_out);
}

}  // namespace
}  // namespace dashpot::testing::test_identification
