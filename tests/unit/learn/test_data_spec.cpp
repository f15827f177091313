// Data as a user names them: every kind of file becomes residuals of a scene that vanish at its own motion.
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/learn/data_spec.hpp"
#include "dashpot/learn/scan.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_data_spec {
namespace {

using learn::DataKind;
using learn::DataSpec;
using learn::LoadedData;
using learn::OffsetKind;

CompiledScene bar(const std::string& start = "rest", double young = 60e3) {
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "5 ms", "end": "0.3 s", "stepper": "bathe"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.4, 0.1, 0.1], "cells": [4, 2, 2]}}}},
      "material": {{"model": "stvk", "young": {}, "poisson": 0.3, "density": 1000}}, "start": {{"from": "{}"}},
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}],
    "record": {{"probes": [{{"name": "tip", "body": "bar", "where": {{"nearest": [0.4, 0.1, 0.1]}}}},
                           {{"name": "mid", "body": "bar", "where": {{"nearest": [0.2, 0.1, 0.0]}}}},
                           {{"name": "low", "body": "bar", "where": {{"nearest": [0.3, 0.0, 0.1]}}}}]}}}})",
                                         young, start)));
}

/// Files that exist in a test only.
struct Files {
  std::map<std::string, std::string> content;
  FileReader reader() const {
    return [this](const std::string& path) {
      const auto it = content.find(path);
      if (it == content.end()) throw Error(Problem{path, "no such file", "a file", ""});
      return it->second;
    };
  }
};

std::string csv_of(const Table& table, double shift = 0) {
  std::string text = csv_line(table.columns);
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    std::vector<double> row;
    for (std::size_t c = 0; c < table.columns.size(); ++c) row.push_back(table.values[c][i] + (c == 0 ? shift : 0));
    text += csv_line(row);
  }
  return text;
}

double left_over(const LoadedData& data, const RunResult& run) {
  std::vector<std::vector<Vec3>> at_times;
  for (const double time : data.observation->times())
    for (const Frame& frame : run.recording.frames)
      if (std::abs(frame.time - time) < 1e-7) at_times.push_back(frame.points);
  EXPECT_EQ(at_times.size(), data.observation->times().size());
  return testing::mean_square(*data.observation, at_times);
}

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(DataSpec, ProbesOfATableAndTheirOffsetAreFound) {
  const CompiledScene scene = bar();
  const RunResult run = simulate(scene);
  const Files files{{{"probes.csv", csv_of(run.probes, 4.5)}}};
  DataSpec spec;
  spec.file = "probes.csv";
  spec.sigma = 1e-3;
  spec.clock.offset = -4.5;
  const LoadedData given = load_data(scene, spec, files.reader());
  EXPECT_LT(left_over(given, run), 1e-16);
  EXPECT_TRUE(given.notes.empty());
  spec.clock.offset = 0;
  EXPECT_NE(problem_of([&] { load_data(scene, spec, files.reader()); }).find("offset"), std::string::npos);
  spec.offset = OffsetKind::fit;
  const LoadedData fitted = load_data(scene, spec, files.reader());
  ASSERT_EQ(fitted.notes.size(), 1U);
  EXPECT_NE(fitted.notes[0].find("4.5"), std::string::npos) << fitted.notes[0];
  ASSERT_GT(fitted.observation->times().size(), 50U);
  EXPECT_NEAR(fitted.observation->times()[1], 5e-3, 2e-6);
}

TEST(DataSpec, MarkersAndCloudsAreLoaded) {
  const CompiledScene scene = bar();
  const RunResult run = simulate(scene);
  Files files{{{"capture.csv", csv_of(run.probes)}}};
  DataSpec markers;
  markers.kind = DataKind::markers;
  markers.file = "capture.csv";
  markers.markers.markers = {{"tip", Vec3(0.4, 0.1, 0.1)}, {"mid", Vec3(0.2, 0.1, 0)}, {"low", Vec3(0.3, 0, 0.1)}};
  const LoadedData seen = load_data(scene, markers, files.reader());
  EXPECT_LT(left_over(seen, run), 1e-12);
  ASSERT_EQ(seen.notes.size(), 2U);  // unit and noise were guessed
  EXPECT_NE(seen.notes[0].find("m fits the size"), std::string::npos) << seen.notes[0];
  EXPECT_NE(seen.notes[1].find("no noise"), std::string::npos) << seen.notes[1];

  learn::CloudSequence clouds = learn::scan_run(
      run.recording, {.cameras = {{"a", {}, Vec3(0, 0.6, 0.8)}}, .points = 200, .every = 10, .noise = 1e-4});
  // In a frame of its own: turned about x and moved.
  const Mat3 turn = (Mat3() << 1, 0, 0, 0, 0, -1, 0, 1, 0).finished();
  std::vector<std::vector<std::string>> names;
  for (std::size_t i = 0; i < clouds.frames.size(); ++i) {
    for (Vec3& x : clouds.frames[i].points[0]) x = turn * x + Vec3(1, 2, 3);
    names.push_back({fmt::format("{}.ply", i)});
    files.content[names.back()[0]] = learn::ply_bytes(clouds.frames[i].points[0]);
  }
  clouds.cameras[0].direction = turn * clouds.cameras[0].direction;
  files.content["scan.json"] = learn::cloud_index(clouds, names);
  DataSpec spec;
  spec.kind = DataKind::clouds;
  spec.file = "scan.json";
  spec.cloud_alignment = {turn.transpose(), -(turn.transpose() * Vec3(1, 2, 3))};
  spec.cloud.facing =
      0;  // the end of the bar is seen under a small angle, and its points are far above the other faces
  const LoadedData cloud = load_data(scene, spec, files.reader());
  EXPECT_EQ(cloud.observation->times().size(), 7U);
  EXPECT_NEAR(left_over(cloud, run), 1, 0.15);
  EXPECT_TRUE(cloud.observation->is_robust());
  spec.offset = OffsetKind::fit;
  EXPECT_NE(problem_of([&] { load_data(scene, spec, files.reader()); }).find("offset that is given"),
            std::string::npos);
}

TEST(DataSpec, AStaticPoseIsComparedWithTheStart) {
  const CompiledScene hanging = bar("equilibrium"), stiffer = bar("equilibrium", 90e3);
  std::vector<Vec3> points, other;
  hanging.system->kinematics().positions(hanging.start.q, points);
  stiffer.system->kinematics().positions(stiffer.start.q, other);
  testing::Noise noise(8);
  Table table;
  for (const char* name : {"time", "tip.x", "tip.y", "tip.z", "mid.x", "mid.y", "mid.z"}) table.add_column(name, "");
  const auto node = [&](const char* probe) {
    return std::ranges::find(hanging.run.probes, probe, &Probe::name)->points[0];
  };
  for (int i = 0; i < 400; ++i) {
    std::vector<double> row = {100 + 0.01 * i};
    for (const char* probe : {"tip", "mid"}) {
      const Vec3 x = points[at(node(probe))] + 1e-3 * noise.vector();
      row.insert(row.end(), {x[0], x[1], x[2]});
    }
    table.add_row(row);
  }
  const Files files{{{"pose.csv", csv_of(table)}}};
  DataSpec spec;
  spec.file = "pose.csv";
  spec.is_pose = true;
  spec.sigma = 5e-5;  // of a mean of 400
  const LoadedData pose = load_data(hanging, spec, files.reader());
  EXPECT_EQ(pose.observation->times(), std::vector<double>{hanging.start.time});
  EXPECT_LT(testing::mean_square(*pose.observation, {points}), 3);
  EXPECT_GT(testing::mean_square(*pose.observation, {other}), 1e4);
  EXPECT_NE(problem_of([&] { load_data(bar(), spec, files.reader()); }).find("equilibrium"), std::string::npos);
}

TEST(DataSpec, AllProblemsOfAllFilesAreReported) {
  const CompiledScene scene = bar();
  const Files files{{{"bad.csv", "t,height\n0,1\n"}}};
  DataSpec bad, gone;
  bad.file = "bad.csv";
  gone.file = "gone.csv";
  gone.kind = DataKind::clouds;
  const std::string text = problem_of([&] { learn::load_all_data(scene, {bad, gone}, files.reader()); });
  EXPECT_NE(text.find("bad.csv: no points"), std::string::npos) << text;
  EXPECT_NE(text.find("gone.csv"), std::string::npos) << text;
  EXPECT_NE(problem_of([&] { learn::surface_of(scene, "beam"); }).find("no body 'beam'"), std::string::npos);
  EXPECT_FALSE(learn::surface_of(scene, "bar").empty());
}

}  // namespace
}  // namespace dashpot::test_data_spec
