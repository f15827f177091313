// Captures of a simulated body in a frame and on a clock of their own: what comes back is the body's motion.
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/marker_observation.hpp"
#include "dashpot/learn/time_offset.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_marker_observation {
namespace {

using learn::AlignmentKind;
using learn::BaseMotion;
using learn::MarkerObservation;
using learn::MarkerRequest;
using learn::PlacedMarkers;
using learn::RigidAlignment;

/// A bar that is clamped, held bent and let go.
const CompiledScene& bar() {
  static const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {"dt": "5 ms", "end": "0.5 s", "stepper": "bathe"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [4, 2, 2]}},
      "material": {"model": "stvk", "young": "60 kPa", "poisson": 0.3, "density": 1000},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})"));
  return scene;
}

const RunResult& run_of_bar() {
  static const RunResult run = simulate(bar());
  return run;
}

std::vector<std::vector<Vec3>> truth() {
  std::vector<std::vector<Vec3>> frames;
  for (const Frame& frame : run_of_bar().recording.frames) frames.push_back(frame.points);
  return frames;
}

/// Where markers sit on the bar at rest; the last ones stand off it a little.
const std::vector<learn::Marker>& places() {
  static const std::vector<learn::Marker> all = {{"Tip1", Vec3(0.4, 0.03, 0.02)},
                                                 {"Tip2", Vec3(0.4, 0.07, 0.09)},
                                                 {"Top", Vec3(0.23, 0.105, 0.04)},
                                                 {"Side", Vec3(0.31, 0.05, 0.104)}};
  return all;
}

RigidAlignment to_capture() {
  return {Eigen::AngleAxisd(1.9, Vec3(1, 2, -1).normalized()).toRotationMatrix(), Vec3(0.5, 2, -0.3)};
}

struct CaptureChoice {
  double scale = 1, noise = 0, offset = 0;
  bool has_base = false, shakes = false;
  std::string unit = "";
};

/// What a laboratory would deliver of the simulated bar, and a base that may shake.
Table capture(const CaptureChoice& choice = {}) {
  Table table;
  table.name = "capture.csv";
  table.add_column("time", "s");
  std::vector<learn::Marker> markers = places();
  if (choice.has_base)
    for (const auto& [name, at] : {std::pair("Base1", Vec3(-0.1, 0, 0)), std::pair("Base2", Vec3(-0.1, 0.2, 0)),
                                   std::pair("Base3", Vec3(-0.1, 0, 0.2))})
      markers.push_back({name, at});
  for (const auto& marker : markers)
    for (const char* axis : {"_x", "_y", "_z"}) table.add_column(marker.name + axis, choice.unit);
  const learn::Attachments attached =
      learn::attach_to(bar().bodies[0].mesh, 0, {*places()[0].at, *places()[1].at, *places()[2].at, *places()[3].at});
  testing::Noise noise(11);
  for (const Frame& frame : run_of_bar().recording.frames) {
    std::vector<double> row = {frame.time - choice.offset};
    RigidAlignment shaken = to_capture();
    if (choice.shakes) {
      const double angle = 0.02 * std::sin(40 * frame.time);
      shaken = RigidAlignment{Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix(),
                              Vec3(0.01 * std::sin(30 * frame.time), 0, 0)} *
               shaken;
    }
    for (std::size_t k = 0; k < markers.size(); ++k) {
      const Vec3 in_scene = k < 4 ? attached.points[k].at(frame.points) : *markers[k].at;
      const Vec3 x = choice.scale * (shaken(in_scene) + choice.noise * noise.vector());
      row.insert(row.end(), {x[0], x[1], x[2]});
    }
    table.add_row(row);
  }
  return table;
}

MarkerRequest request_with(const std::vector<std::string>& known) {
  MarkerRequest request;
  for (const learn::Marker& marker : places()) {
    request.markers.push_back({marker.name, {}});
    if (std::ranges::find(known, marker.name) != known.end()) request.markers.back().at = marker.at;
  }
  return request;
}

const std::vector<std::string> all_known = {"Tip1", "Tip2", "Top", "Side"};

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

MarkerObservation observe(const Table& table, const MarkerRequest& request, double sigma = 1e-3) {
  return MarkerObservation(bar(), place_markers(bar(), table, request), {}, sigma);
}

TEST(MarkerObservation, WithoutNoiseTheTrueMotionLeavesNothing) {
  const MarkerObservation seen = observe(capture(), request_with(all_known));
  EXPECT_EQ(seen.times().size(), 101U);
  EXPECT_LT(testing::mean_square(seen, truth()), 1e-20);
  const RigidAlignment back = seen.markers().alignment.alignment * to_capture();
  EXPECT_LT((back.rotation - Mat3::Identity()).norm(), 1e-9);
  EXPECT_LT(back.translation.norm(), 1e-9);
  EXPECT_NEAR(seen.markers().standoff[0], 0, 1e-12);
  EXPECT_NEAR(seen.markers().standoff[2], 5e-3, 1e-9);  // 5 mm above the skin
}

TEST(MarkerObservation, WithNoiseTheSquaresAreOneInTheMean) {
  const double sigma = 5e-4;
  MarkerRequest request = request_with(all_known);
  request.base = {{"Base1", Vec3(-0.1, 0, 0)}, {"Base2", Vec3(-0.1, 0.2, 0)}, {"Base3", Vec3(-0.1, 0, 0.2)}};
  // Averaging would blur the frame of a body that moves: one frame, whose noise tilts all others a little.
  const MarkerObservation seen = observe(capture({.noise = sigma, .has_base = true}), request, sigma);
  EXPECT_NEAR(testing::mean_square(seen, truth()), 1, 0.5);
  EXPECT_GT(testing::mean_square(seen, truth()), 0.8);
  MarkerRequest exact = request_with(all_known);  // the frame is known: the statistics of the markers alone
  exact.alignment = AlignmentKind::given;
  const RigidAlignment there = to_capture();
  exact.given = {there.rotation.transpose(), -(there.rotation.transpose() * there.translation)};
  EXPECT_NEAR(testing::mean_square(observe(capture({.noise = sigma}), exact, sigma), truth()), 1, 0.12);
}

TEST(MarkerObservation, ItsSlopesAreThoseOfTheResiduals) {
  int checked = 0;
  const MarkerObservation seen = observe(capture({.noise = 1e-3}), request_with(all_known));
  EXPECT_LT(testing::slope_error(seen, 9, truth()[20], 1, 1e-4, &checked), 1e-9);
  EXPECT_GT(checked, 100);
}

TEST(MarkerObservation, MarkersWithoutAPlaceSitWhereTheyAreFirstSeen) {
  const MarkerObservation seen = observe(capture(), request_with({"Tip1", "Tip2", "Top"}));
  EXPECT_LT(testing::mean_square(seen, truth()), 1e-16);
  EXPECT_NEAR(seen.markers().standoff[3], 4e-3, 1e-9);
}

TEST(MarkerObservation, AShakingBaseIsTakenBack) {
  MarkerRequest request = request_with(all_known);
  request.base = {{"Base1", Vec3(-0.1, 0, 0)}, {"Base2", Vec3(-0.1, 0.2, 0)}, {"Base3", Vec3(-0.1, 0, 0.2)}};
  const Table table = capture({.has_base = true, .shakes = true});
  EXPECT_GT(testing::mean_square(observe(table, request), truth()), 1);
  request.base_motion = BaseMotion::rigid;
  EXPECT_LT(testing::mean_square(observe(table, request), truth()), 1e-16);
  // The base alone fixes the frame; then every marker may be one without a place.
  MarkerRequest base_only = request_with({});
  base_only.base = request.base;
  base_only.base_motion = BaseMotion::rigid;
  EXPECT_LT(testing::mean_square(observe(table, base_only), truth()), 1e-16);
}

TEST(MarkerObservation, UnitsAreFoundByTheSizeOfTheBody) {
  const MarkerObservation seen = observe(capture({.scale = 1000}), request_with(all_known));
  EXPECT_LT(testing::mean_square(seen, truth()), 1e-20);
  ASSERT_FALSE(seen.markers().notes.empty());
  EXPECT_NE(seen.markers().notes[0].find("mm fits"), std::string::npos) << seen.markers().notes[0];
  const std::string said = problem_of([] { observe(capture({.scale = 1000, .unit = "m"}), request_with(all_known)); });
  EXPECT_NE(said.find("\"unit\": \"mm\""), std::string::npos) << said;
  const std::string small = problem_of([] { observe(capture({.unit = "mm"}), request_with(all_known)); });
  EXPECT_NE(small.find("\"unit\": \"m\""), std::string::npos) << small;
  // Without known places the sizes alone tell.
  MarkerRequest unplaced = request_with({});
  unplaced.alignment = AlignmentKind::given;
  const std::string tiny = problem_of([&] { observe(capture({.unit = "mm"}), unplaced); });
  EXPECT_NE(tiny.find("seem to be in m:"), std::string::npos) << tiny;
  const std::string huge = problem_of([&] { observe(capture({.scale = 1000, .unit = "m"}), unplaced); });
  EXPECT_NE(huge.find("seem to be in mm:"), std::string::npos) << huge;
  EXPECT_LT(testing::mean_square(observe(capture({.scale = 100, .unit = "cm"}), request_with(all_known)), truth()),
            1e-20);
}

TEST(MarkerObservation, SwappedAxesAreExplained) {
  Table table = capture();
  for (const char* name : {"Tip1", "Tip2", "Top", "Side"})
    std::swap(table.values[table.find(std::string(name) + "_y")], table.values[table.find(std::string(name) + "_z")]);
  const std::string text = problem_of([&] { observe(table, request_with(all_known)); });
  EXPECT_NE(text.find("left-handed"), std::string::npos) << text;
}

TEST(MarkerObservation, TooFewMarkersUnknownOnesAndOnesElsewhereAreExplained) {
  const std::string few = problem_of([] { observe(capture(), request_with({"Tip1", "Top"})); });
  EXPECT_NE(few.find("2 points known"), std::string::npos) << few;
  MarkerRequest request = request_with(all_known);
  request.markers.push_back({"Tip3", {}});
  EXPECT_NE(problem_of([&] { observe(capture(), request); }).find("no point 'Tip3'"), std::string::npos);
  request = request_with(all_known);
  request.body = "beam";
  EXPECT_NE(problem_of([&] { observe(capture(), request); }).find("no body 'beam'"), std::string::npos);
  request = request_with({});
  request.alignment = AlignmentKind::given;
  const std::string elsewhere = problem_of([&] { observe(capture(), request); });
  EXPECT_NE(elsewhere.find("away from 'bar'"), std::string::npos) << elsewhere;
  EXPECT_NE(elsewhere.find("Side"), std::string::npos) << elsewhere;  // all at once
}

TEST(MarkerObservation, GapsAreLeftOutAndTold) {
  Table table = capture();
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t c = 1; c < table.values.size(); ++c) table.values[c][5] = gap;
  for (const char* axis : {"_x", "_y", "_z"}) table.values[table.find(std::string("Top") + axis)][8] = gap;
  const MarkerObservation seen = observe(table, request_with(all_known));
  EXPECT_EQ(seen.trajectory().num_residuals(), 3 * (4 * 101 - 4 - 1));
  ASSERT_EQ(seen.markers().notes.size(), 3U);
  EXPECT_EQ(seen.markers().notes[0], "1 of 101 frames are empty");
  EXPECT_EQ(seen.markers().notes[1], "'Top' is missing in 2 of 101 frames");
}

TEST(TimeOffset, IsFoundByTheMotion) {
  const PlacedMarkers placed = place_markers(bar(), capture({.offset = 0.1234}), request_with(all_known));
  const learn::OffsetFit fit = fit_time_offset(placed.tracks, placed.points, run_of_bar().recording);
  EXPECT_NEAR(fit.offset, 0.1234, 1e-6);
  EXPECT_LT(fit.misfit, 1e-9);
  EXPECT_EQ(fit.rate_factor, 1);
  // Frames between those of the run, with noise.
  PlacedMarkers sparse = place_markers(bar(), capture({.noise = 1e-3, .offset = -2.5}), request_with(all_known));
  learn::put_on_clock(sparse.tracks, {.every = 0.0123}, -100, 100);
  const learn::OffsetFit noisy = fit_time_offset(sparse.tracks, sparse.points, run_of_bar().recording);
  EXPECT_NEAR(noisy.offset, -2.5, 1e-3);
}

TEST(TimeOffset, AWrongFrameRateIsTold) {
  PlacedMarkers placed = place_markers(bar(), capture(), request_with(all_known));
  for (double& t : placed.tracks.times) t *= 2;  // taken at twice the rate that was given
  const learn::OffsetFit fit = fit_time_offset(placed.tracks, placed.points, run_of_bar().recording);
  EXPECT_EQ(fit.rate_factor, 2);
  EXPECT_GT(fit.misfit, 0.1);
}

TEST(TimeOffset, RefusesMotionsThatCannotOverlap) {
  const PlacedMarkers placed = place_markers(bar(), capture(), request_with(all_known));
  const auto fit = [&] { fit_time_offset(placed.tracks, placed.points, run_of_bar().recording, {.from = 3, .to = 4}); };
  EXPECT_NE(problem_of(fit).find("overlap"), std::string::npos);
  learn::Tracks still = placed.tracks;
  still.times.resize(3), still.positions.resize(3);
  EXPECT_NE(problem_of([&] { fit_time_offset(still, placed.points, run_of_bar().recording); }).find("at least 4"),
            std::string::npos);
}

TEST(TimeOffset, AReleaseIsSeen) {
  learn::Tracks tracks{"t", {"a"}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    tracks.times.push_back(0.01 * i);
    const double t = std::max(0.0, 0.01 * i - 0.3);
    tracks.positions.push_back({Vec3(std::cos(20 * t), 1e-4 * std::sin(i), 0)});
  }
  EXPECT_NEAR(learn::release_time(tracks), 0.3, 0.021);
  learn::Tracks moving = tracks;
  moving.times.erase(moving.times.begin(), moving.times.begin() + 40);
  moving.positions.erase(moving.positions.begin(), moving.positions.begin() + 40);
  EXPECT_NE(problem_of([&] { learn::release_time(moving); }).find("from the first frame on"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_marker_observation
