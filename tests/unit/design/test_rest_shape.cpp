// Inverse equilibrium: the rest shape of a body that is known sagged.
#include <gtest/gtest.h>

#include <filesystem>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/design/scene_fit.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/write.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::testing::test_rest_shape {
namespace {

using namespace design;

StaticOptions precise() {
  StaticOptions options;
  options.tolerance = 1e-12;
  return options;
}

/// A shelf, held at one end, whose mesh is taken for the sagged pose.
SceneSpec shelf(double young, const std::string& law = "stable_neo_hookean") {
  return parse_scene(R"({"dashpot": 1, "time": {"dt": 0.01, "end": 0.05}, "gravity": [0, -9.81, 0], "bodies": [{
    "mesh": {"bar": {"size": [0.4, 0.04, 0.06], "cells": [10, 2, 2]}},
    "material": {"model": ")" +
                     law + R"(", "young": )" + std::to_string(young) +
                     R"(, "poisson": 0.35, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
    "record": {"probes": [{"name": "tip", "where": {"nearest": [0.4, 0, 0]}}]},
    "fit": {"rest_shape": true}})");
}

double highest_rise(const FitTask& task, const RestShape& shape) {
  double highest = 0;
  for (std::size_t i = 0; i < task.pose.size(); ++i) highest = std::max(highest, shape.rest[i].y() - task.pose[i].y());
  return highest;
}

TEST(RestShape, TheShapeFoundSagsIntoThePose) {
  for (const char* law : {"stable_neo_hookean", "stvk", "spline"})
    for (const double young : {3e6, 3e5}) {  // sags of 1 % and 13 % of the length
      const FitTask task = make_fit_task(shelf(young, law));
      const RestShape shape = rest_shape_from_sag(posed_body(task, nullptr), task.sag);
      ASSERT_TRUE(shape.found) << law << " " << young << ": " << shape.explanation;
      EXPECT_LT(shape.forward_error, 1e-6 * shape.size);
      EXPECT_GT(highest_rise(task, shape), young > 1e6 ? 0.003 : 0.03);
      for (std::size_t i = 0; i < task.pose.size(); ++i)
        if (task.pose[i].x() < 1e-6) EXPECT_EQ(shape.rest[i], task.pose[i]);  // held nodes stay
    }
}

TEST(RestShape, AKnownRestShapeIsFoundAgainFromItsLargeSag) {
  FitTask task = make_fit_task(shelf(6e4));
  const auto system = fit_body(task, nullptr, {}).system;
  State state = system->initial_state();
  ASSERT_TRUE(solve_static(*system, state, {}, precise()).converged);
  const std::vector<Vec3> truth = task.pose;
  for (std::size_t i = 0; i < truth.size(); ++i) task.pose[i] = state.q.segment<3>(static_cast<Eigen::Index>(3 * i));
  double sag = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) sag = std::max(sag, (truth[i] - task.pose[i]).norm());
  EXPECT_GT(sag, 0.15);  // a bar of 0.4 m
  const RestShape shape = rest_shape_from_sag(posed_body(task, nullptr), task.sag);
  ASSERT_TRUE(shape.found) << shape.explanation;
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_LT((shape.rest[i] - truth[i]).norm(), 1e-6) << i;
}

TEST(RestShape, ABodyTooSoftForItsPoseHasNoneAndThatIsSaid) {
  const FitTask task = make_fit_task(shelf(2e3));
  const FitOutcome outcome = run_fit(task);
  EXPECT_FALSE(outcome.reached);
  EXPECT_LT(outcome.rest->share, 1);
  EXPECT_NE(outcome.rest->explanation.find("too soft"), std::string::npos) << outcome.rest->explanation;
}

TEST(RestShape, TheSceneWrittenBackStaysInThePose) {
  const FitTask task = make_fit_task(shelf(3e5));
  const FitOutcome outcome = run_fit(task);
  ASSERT_TRUE(outcome.reached);
  const std::string folder = ::testing::TempDir() + "rest_shape_scene";
  std::filesystem::create_directories(folder);
  write_mesh(folder + "/rest.msh", rest_mesh(task, outcome.rest->rest));
  write_file_atomically(folder + "/scene.json", fitted_scene(task, outcome, folder));
  const CompiledScene scene = compile(load_scene(folder + "/scene.json"));
  double off = 0, moved = 0;
  for (std::size_t i = 0; i < task.pose.size(); ++i) {
    const Vec3 x = scene.start.q.segment<3>(static_cast<Eigen::Index>(3 * i));
    off = std::max(off, (x - task.pose[i]).norm());
    moved = std::max(moved, (x - scene.bodies[0].mesh.nodes[i]).norm());
  }
  EXPECT_GT(moved, 0.03);
  EXPECT_LT(off, 1e-5);
}

TEST(RestShape, APoseWithTetsInsideOutIsRefused) {
  FitTask task = make_fit_task(shelf(3e5));
  task.pose[task.pose.size() / 2] += Vec3(1, 0, 0);
  EXPECT_THROW(rest_shape_from_sag(posed_body(task, nullptr), task.sag), Error);
}

TEST(RestShape, ElasticityAndRestShapeAreFoundTogether) {
  // Truth: a straight shelf of 2e5 Pa. Known: its sagged pose, and how far the tip goes under more load.
  FitTask truth = make_fit_task(shelf(2e5, "spline"));
  const auto system = fit_body(truth, nullptr, {}).system;
  State sagged = system->initial_state();
  ASSERT_TRUE(solve_static(*system, sagged, {}, precise()).converged);
  FitTask task = make_fit_task(shelf(4e5, "spline"));  // a wrong guess
  const std::vector<Vec3> straight = task.pose;
  for (std::size_t i = 0; i < straight.size(); ++i)
    task.pose[i] = sagged.q.segment<3>(static_cast<Eigen::Index>(3 * i));
  task.start.rest = task.identify.start = {4e5, 0.35};
  LoadCase load{"tip", Vector::Zero(sagged.q.size()), {}, {}};
  for (std::size_t i = 0; i < straight.size(); ++i)
    if (straight[i].x() > 0.399) load.pattern[static_cast<Eigen::Index>(3 * i + 1)] = -1.0 / 9;
  load.probe = -load.pattern;
  for (const double f : {0.5, 1.0, 2.0}) {
    State loaded = sagged;
    ASSERT_TRUE(solve_static(*system, loaded, f * load.pattern, precise()).converged);
    load.points.push_back({f, load.probe.dot(loaded.q - sagged.q), f == 2});
  }
  EXPECT_GT(std::abs(load.points[2].displacement), 0.02);
  task.cases = {load};
  const FitOutcome outcome = run_fit(task);
  ASSERT_TRUE(outcome.reached) << outcome.elasticity->explanation << outcome.rest->explanation;
  EXPECT_GT(outcome.sweeps, 1);
  EXPECT_NEAR(outcome.elasticity->curve.rest.young / 2e5, 1, 0.01);
  double off = 0;
  for (std::size_t i = 0; i < straight.size(); ++i) off = std::max(off, (outcome.rest->rest[i] - straight[i]).norm());
  EXPECT_LT(off, 1e-3);
  EXPECT_GT(outcome.rest->sag, 0.05);
}

}  // namespace
}  // namespace dashpot::testing::test_rest_shape
