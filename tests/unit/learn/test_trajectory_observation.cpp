// Nodes followed over time: rows, statistics at the truth, other meshes, clocks, and everything that can be wrong with
// a file.
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/learn/trajectory_observation.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_trajectory_observation {
namespace {

using learn::ResidualRows;
using learn::Tracks;
using learn::TrajectoryObservation;
using testing::Noise;

CompiledScene bar(const std::string& cells = "[4, 2, 2]") {
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "10 ms", "end": "0.2 s"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.4, 0.1, 0.1], "cells": {}}}}},
      "material": {{"model": "stvk", "young": "60 kPa", "poisson": 0.3, "density": 1000}},
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}],
    "record": {{"every": "10 ms",
      "probes": [{{"name": "tip", "body": "bar", "where": {{"nearest": [0.4, 0.05, 0.05]}}}}]}}}})",
                                         cells)));
}

std::vector<std::vector<Vec3>> frames_of(const RunResult& run) {
  std::vector<std::vector<Vec3>> frames;
  for (const Frame& frame : run.recording.frames) frames.push_back(frame.points);
  return frames;
}

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(TrajectoryObservation, AtTheTrueMotionTheSquaresOfTheResidualsAreOneInTheMean) {
  const CompiledScene scene = bar();
  RunResult run = simulate(scene);
  const auto truth = frames_of(run);
  Noise noise(7);
  const double sigma = 2e-3;
  for (Frame& frame : run.recording.frames)
    for (Vec3& x : frame.points) x += sigma * noise.vector();
  const TrajectoryObservation seen = learn::observe_run(scene, run.recording, "run", {}, {}, sigma);
  ASSERT_EQ(seen.times().size(), 21U);
  ASSERT_EQ(seen.points().size(), 42U);  // of 45 nodes 3 are inside
  ASSERT_EQ(seen.num_residuals(), 21 * 42 * 3);
  // Deviation of the mean of n squares: sqrt(2 / n) = 0.027.
  EXPECT_NEAR(testing::mean_square(seen, truth), 1, 0.08);
  const TrajectoryObservation doubtful = learn::observe_run(scene, run.recording, "run", {}, {}, 2 * sigma);
  EXPECT_NEAR(testing::mean_square(doubtful, truth), 0.25, 0.02);
}

TEST(TrajectoryObservation, ItsSlopesAreThoseOfTheResiduals) {
  const CompiledScene scene = bar();
  const RunResult run = simulate(scene);
  const CompiledScene coarse = bar("[2, 1, 1]");
  const RunResult other = simulate(coarse);
  for (const bool is_coarse : {false, true}) {
    const TrajectoryObservation seen =
        learn::observe_run(is_coarse ? coarse : scene, run.recording, "run", {.share = 0.2}, {}, 1e-3);
    int checked = 0;
    const auto& points = (is_coarse ? other : run).recording.frames[7].points;
    EXPECT_LT(testing::slope_error(seen, 5, points, 1, 1e-4, &checked), 1e-9);
    EXPECT_GT(checked, 100);
  }
}

TEST(TrajectoryObservation, WhatWasNotSeenHasNoResiduals) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Tracks tracks{
      "t", {"a", "b"}, {0, 1}, {{Vec3(1, 2, 3), Vec3(gap, 0, 0)}, {Vec3::Constant(gap), Vec3(4, 5, 6)}}};
  const TrajectoryObservation seen(tracks, {learn::MaterialPoint::node(0), learn::MaterialPoint::node(1)}, 0.5);
  EXPECT_EQ(seen.num_residuals(), 6);
  ResidualRows rows;
  seen.add_residuals(1, {Vec3::Zero(), Vec3(5, 5, 5)}, 1, rows);
  EXPECT_EQ(rows.values, (std::vector<double>{2, 0, -2}));
  ASSERT_EQ(rows.entries.size(), 3U);
  EXPECT_EQ(rows.entries[0].point, 1);
  EXPECT_EQ(rows.entries[0].slope, Vec3(2, 0, 0));
}

TEST(TrajectoryObservation, AFinerMeshMovesACoarserOneAsLongAsTheMotionIsLinear) {
  const CompiledScene fine = bar("[8, 4, 4]"), coarse = bar("[4, 2, 2]");
  Mat3 stretch = Mat3::Identity();
  stretch(0, 1) = 0.3, stretch(1, 1) = 1.2;
  const auto deformed = [&](const Mesh& mesh) {
    std::vector<Vec3> x;
    for (const Vec3& X : mesh.nodes) x.push_back(stretch * X + Vec3(1, 2, 3));
    return x;
  };
  Recording run = fine.recording;
  run.frames.push_back({0, deformed(fine.bodies[0].mesh), {}, {}});
  const TrajectoryObservation seen = learn::observe_run(coarse, run, "run", {}, {}, 1);
  EXPECT_GT(seen.points().size(), 100U);
  EXPECT_LT(testing::mean_square(seen, {deformed(coarse.bodies[0].mesh)}), 1e-24);
}

TEST(TrajectoryObservation, SparseNodesAreSpreadEvenly) {
  const CompiledScene scene = bar("[8, 2, 2]");
  const RunResult run = simulate(scene);
  const TrajectoryObservation seen =
      learn::observe_run(scene, run.recording, "run", {.share = 0.1}, {.every = 0.05}, 1);
  ASSERT_EQ(seen.points().size(), 7U);
  EXPECT_EQ(seen.times().size(), 5U);
  double nearest = 1;
  for (std::size_t a = 0; a < 7; ++a)
    for (std::size_t b = 0; b < a; ++b)
      nearest = std::min(nearest, (scene.bodies[0].mesh.nodes[at(seen.points()[a].points[0])] -
                                   scene.bodies[0].mesh.nodes[at(seen.points()[b].points[0])])
                                      .norm());
  EXPECT_GT(nearest, 0.09);  // neighboring nodes are 0.05 m apart
  const TrajectoryObservation two = learn::observe_run(scene, run.recording, "run", {.nodes = {3, 9}}, {}, 1);
  EXPECT_EQ(two.points()[1].points, std::vector<int>{9});
}

TEST(TrajectoryObservation, ProbesAndNodesOfATableAreFound) {
  const CompiledScene scene = bar();
  const RunResult run = simulate(scene);
  Table table = run.probes;
  table.name = "probes.csv";
  const TrajectoryObservation seen = observe_table(scene, learn::tracks_of_table(table), {}, 1e-3);
  ASSERT_EQ(seen.points().size(), 1U);
  EXPECT_LT(testing::mean_square(seen, frames_of(run)), 1e-20);
  const Table nodes = parse_csv("time,bar.4.x,bar.4.y,bar.4.z,7_x,7_y,7_z\n0,1,2,3,4,5,6\n", "nodes.csv");
  const TrajectoryObservation named = observe_table(scene, learn::tracks_of_table(nodes), {}, 1);
  EXPECT_EQ(named.points()[0].points, std::vector<int>{4});
  EXPECT_EQ(named.points()[1].points, std::vector<int>{7});
  const Table unknown = parse_csv("time,bar.99.x,bar.99.y,bar.99.z,Top_x,Top_y,Top_z\n0,1,2,3,4,5,6\n", "nodes.csv");
  const std::string text = problem_of([&] { observe_table(scene, learn::tracks_of_table(unknown), {}, 1); });
  EXPECT_NE(text.find("bar.99"), std::string::npos) << text;
  EXPECT_NE(text.find("Top"), std::string::npos) << text;  // all problems at once
}

TEST(TrajectoryObservation, InstantsArePutOnTheClockOfTheRun) {
  Tracks tracks{"t",
                {"a"},
                {10, 10.1, 10.2, 10.3, 10.4},
                {{Vec3(0, 0, 0)}, {Vec3(1, 0, 0)}, {Vec3(2, 0, 0)}, {Vec3(3, 0, 0)}, {Vec3(4, 0, 0)}}};
  Tracks shifted = tracks;
  put_on_clock(shifted, {.offset = -10.1, .every = 0.15}, 0, 0.25);
  ASSERT_EQ(shifted.times.size(), 2U);
  EXPECT_NEAR(shifted.times[0], 0, 1e-12);
  EXPECT_NEAR(shifted.times[1], 0.2, 1e-12);
  EXPECT_EQ(shifted.positions[1][0].x(), 3);
  const std::string text = problem_of([&] { put_on_clock(tracks, {}, 0, 1); });
  EXPECT_NE(text.find("10.4 s"), std::string::npos) << text;
  EXPECT_NE(text.find("offset"), std::string::npos) << text;
}

TEST(Tracks, UnitsBecomeMetersAndContradictionsAreReported) {
  const Tracks tracks = learn::tracks_of_table(parse_csv("t,a_x [mm],a_y [mm],a_z [mm]\n0,1,2,3\n", "f.csv"));
  EXPECT_EQ(tracks.unit, "m");
  EXPECT_NEAR((tracks.positions[0][0] - Vec3(1e-3, 2e-3, 3e-3)).norm(), 0, 1e-18);
  const Table plain = parse_csv("t,a_x,a_y,a_z\n0,1,2,3\n", "f.csv");
  EXPECT_EQ(learn::tracks_of_table(plain).unit, "");
  EXPECT_NEAR(learn::tracks_of_table(plain, {.unit = "cm"}).positions[0][0].z(), 0.03, 1e-18);
  const Table mixed = parse_csv("t,a_x [mm],a_y [mm],a_z [m]\n0,1,2,3\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(mixed); }).find("one unit"), std::string::npos);
  const Table said = parse_csv("t,a_x [mm],a_y [mm],a_z [mm]\n0,1,2,3\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(said, {.unit = "m"}); }).find("file says 'mm'"), std::string::npos);
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(plain, {.unit = "kg"}); }).find("length"), std::string::npos);
}

TEST(Tracks, AWrongFrameRateIsToldByTheClockOfTheFile) {
  const Table table = parse_csv("frame,t_s,a_x,a_y,a_z\n0,0,1,2,3\n1,0.01,1,2,3\n2,0.02,1,2,3\n", "f.csv");
  const std::string text = problem_of([&] { learn::tracks_of_table(table, {.rate = 200}); });
  EXPECT_NE(text.find("200 Hz"), std::string::npos) << text;
  EXPECT_NE(text.find("it is 100 Hz"), std::string::npos) << text;
  EXPECT_EQ(learn::tracks_of_table(table, {.rate = 100}).times[2], 0.02);
  const Table counted = parse_csv("frame,a_x,a_y,a_z\n5,1,2,3\n6,1,2,3\n", "f.csv");
  EXPECT_NEAR(learn::tracks_of_table(counted, {.rate = 50}).times[1], 0.12, 1e-15);
}

TEST(Tracks, EmptyFramesBadClocksAndMissingPointsAreReported) {
  const Table empty = parse_csv("t,a_x,a_y,a_z\n0,,,\n1,,,\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(empty); }).find("2 frames are empty"), std::string::npos);
  const Table back = parse_csv("t,a_x,a_y,a_z\n0,1,1,1\n2,1,1,1\n1,1,1,1\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(back); }).find("row 3"), std::string::npos);
  const Table fine = parse_csv("t,tip_x,tip_y,tip_z\n0,1,1,1\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(fine, {.names = {"top"}}); }).find("'tip'"), std::string::npos);
  const Table none = parse_csv("t,height\n0,1\n", "f.csv");
  EXPECT_NE(problem_of([&] { learn::tracks_of_table(none); }).find("no points"), std::string::npos);
}

TEST(TrajectoryObservation, RefusesARunOfSomethingElse) {
  const CompiledScene scene = bar();
  RunResult run = simulate(scene);
  const auto refused = [&](const learn::NodeChoice& choice) {
    return problem_of([&] { learn::observe_run(scene, run.recording, "run", choice, {}, 1); });
  };
  EXPECT_NE(refused({.body = "beam"}).find("no body 'beam'"), std::string::npos);
  EXPECT_NE(refused({.nodes = {45}}).find("0 to 44"), std::string::npos);
  EXPECT_NE(problem_of([&] { learn::observe_run(scene, run.recording, "run", {}, {}, 0); }).find("sigma"),
            std::string::npos);
  for (Vec3& x : run.recording.bodies[0].mesh.nodes) x += Vec3(0, 1, 0);
  EXPECT_NE(refused({}).find("away from the scene's body"), std::string::npos);
  run.recording.bodies[0].name = "other";
  EXPECT_NE(refused({}).find("a run of other"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_trajectory_observation
