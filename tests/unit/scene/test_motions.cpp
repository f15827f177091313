// Motions as a scene asks for them: exact at every stage, booked as external work, refused when they cannot be
// followed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/mesh/point_cache.hpp"
#include "dashpot/scene/assembly/formula_motion.hpp"
#include "dashpot/scene/compile.hpp"
#include "scene_text.hpp"
#include "support/motion_laws.hpp"
#include "support/source_folder.hpp"

namespace dashpot::test_motions {
namespace {

/// A small beam whose end at x = 0 moves as told.
std::string driven_beam(const std::string& motion) {
  return R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "1 s", "stepper": "trapezoid"},
  "bodies": [{"name": "beam", "mesh": {"bar": {"size": [0.5, 0.1, 0.1], "cells": [4, 1, 1]}},
    "place": {"translate": [0, 1, 0]},
    "material": {"model": "corotational", "young": "1 MPa", "poisson": 0.3, "density": 1000},
    "damping": [{"model": "rayleigh", "beta": "2 ms"}],
    "pins": [{"where": {"box": [[-1, 0, -1], [1e-6, 2, 1]]}, "motion": )" +
         motion + "}]}]}";
}

class MotionFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("dashpot_motions_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) {
    write_file_atomically((folder_ / name).string(), content);
    return (folder_ / name).string();
  }
  CheckedScene check(const std::string& motion) {
    return check_scene(driven_beam(motion), "scene.json", folder_.string());
  }
  std::string refusal(const std::string& motion) {
    std::string all;
    for (const Problem& problem : check(motion).problems) all += problem.text() + "\n";
    return all;
  }
  std::filesystem::path folder_;
};

const char* const formula_text = R"j({"formula": {"y": "0.05*sin(2*pi*t)*(1 + Z)", "x": "0.02*t^2"}})j";

TEST(FormulaMotion, HasExactDerivatives) {
  const FormulaMotion motion({Formula::parse_in_time("0.1*sin(3*t)*X"), Formula::parse_in_time("exp(-t)*Y^2 + t^3"),
                              Formula::parse_in_time("sqrt(1 + t*t)*tanh(Z*t)")},
                             {{1, 2, 3}, {-0.5, 0.2, 0.1}});
  for (const double t : {0.0, 0.4, 2.0}) testing::expect_exact_derivatives(motion, t);
}

TEST_F(MotionFiles, PrescribedNodesFollowTheFormulaAtEveryTime) {
  const CheckedScene checked = check(formula_text);
  ASSERT_TRUE(checked.spec) << refusal(formula_text);
  const CompiledScene scene = compile(*checked.spec);
  for (const double t : {0.0, 0.123, 0.77}) {
    Vector q = scene.system->rest(), v = Vector::Zero(q.size()), a = v;
    scene.system->prescribe(t, &q, &v, &a);
    const double w = 2 * std::numbers::pi;
    for (std::size_t i = 0; i < scene.bodies[0].mesh.nodes.size(); ++i) {
      const Vec3& X = scene.bodies[0].mesh.nodes[i];
      if (X.x() > 1e-6) continue;
      const Eigen::Index k = 3 * static_cast<Eigen::Index>(i);
      EXPECT_NEAR(q[k], X.x() + 0.02 * t * t, 1e-15);
      EXPECT_NEAR(q[k + 1], X.y() + 0.05 * std::sin(w * t) * (1 + X.z()), 1e-15);
      EXPECT_NEAR(v[k + 1], 0.05 * w * std::cos(w * t) * (1 + X.z()), 1e-14);
      EXPECT_NEAR(a[k + 1], -0.05 * w * w * std::sin(w * t) * (1 + X.z()), 1e-13);
      EXPECT_NEAR(a[k], 0.04, 1e-15);
    }
  }
}

struct Account {
  double external = 0, lost = 0, gained = 0;
  Vector q;
};
Account play(const SceneSpec& spec, const std::string& stepper_name, double dt) {
  SceneSpec changed = spec;
  const CompiledScene scene = compile(std::move(changed));
  NewtonOptions newton;
  newton.tolerance = 1e-11;
  const auto stepper = make_stepper(stepper_name, newton, {});
  State state = scene.start;
  Workspace workspace = scene.system->make_workspace();
  Account account;
  const double before = energies(*scene.system, state).total();
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(*scene.system, state, workspace, dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    account.external += report.work.external;
    for (const double loss : report.work.damping) account.lost += loss;
    account.gained = report.end.total() - before;
  }
  account.q = state.q;
  return account;
}

TEST_F(MotionFiles, KeyframedSupportsConvergeAtOrderTwoAndTheirWorkIsExternal) {
  const std::string keys = R"({"keyframes": {"keys": [{"time": 0}, {"time": "0.4 s", "translate": [0, 0.05, 0],
      "rotate": [0, 0, "10 deg"]}, {"time": "0.8 s", "rotate": ["20 deg", 0, 0]}]}})";
  const CheckedScene checked = check(keys);
  ASSERT_TRUE(checked.spec) << refusal(keys);
  for (const std::string stepper : {"trapezoid", "bathe"}) {
    const Account exact = play(*checked.spec, stepper, 1.0 / 1600);
    double error[2], open[2];
    for (int level = 0; level < 2; ++level) {
      const Account run = play(*checked.spec, stepper, 1.0 / (200 << level));
      error[level] = (run.q - exact.q).norm();
      open[level] = std::abs(run.external - run.lost - run.gained);
    }
    EXPECT_GT(exact.external, 1e-3);
    EXPECT_GT(error[0], 1e-8);
    EXPECT_GT(std::log2(error[0] / error[1]), 1.8) << stepper;
    EXPECT_LT(open[1], 0.01 * exact.external) << "what comes in is stored or lost";
    EXPECT_LT(open[1], 0.4 * open[0]);
  }
}

TEST_F(MotionFiles, ACacheDrivesTheNodesItWasMadeFrom) {
  const CheckedScene plain = check(R"({"harmonic": {"amplitude": [0, 0.1, 0], "frequency": 1}})");
  ASSERT_TRUE(plain.spec);
  const Mesh& mesh = *plain.spec->bodies[0].built;
  PointCache cache;
  for (int frame = 0; frame <= 30; ++frame) {
    cache.times.push_back(frame / 30.0);
    cache.frames.push_back(mesh.nodes);
    for (Vec3& x : cache.frames.back()) x += Vec3(0, -1 + 0.1 * std::sin(2 * std::numbers::pi * frame / 30), 0);
  }
  write("wave.mdd", mdd_bytes(cache));
  const std::string motion = R"({"cache": {"file": "wave.mdd", "ends": "cyclic"}})";
  const CheckedScene checked = check(motion);
  ASSERT_TRUE(checked.spec) << refusal(motion);
  const CompiledScene scene = compile(*checked.spec);
  Vector q = scene.system->rest(), v = Vector::Zero(q.size());
  scene.system->prescribe(1.24, &q, &v, nullptr);
  const double angle = 2 * std::numbers::pi * 1.24;
  EXPECT_NEAR(q[1] - scene.system->rest()[1], 0.1 * std::sin(angle), 1e-4) << "placed by the body's place";
  EXPECT_NEAR(v[1], 0.2 * std::numbers::pi * std::cos(angle), 2e-3);

  EXPECT_NE(
      refusal(R"({"cache": {"file": "wave.mdd", "coordinates": "world", "max_speed": "1 mm/s"}})").find("teleports"),
      std::string::npos);
  cache.times.erase(cache.times.begin() + 3, cache.times.begin() + 20);
  cache.frames.erase(cache.frames.begin() + 3, cache.frames.begin() + 20);
  write("gap.mdd", mdd_bytes(cache));
  EXPECT_NE(refusal(R"({"cache": "gap.mdd"})").find("without a frame"), std::string::npos);
  for (auto& frame : cache.frames) frame.pop_back();
  write("other.mdd", mdd_bytes(cache));
  EXPECT_NE(refusal(R"({"cache": "other.mdd"})").find("as many as the mesh has nodes"), std::string::npos);
  EXPECT_NE(refusal(R"({"cache": "missing.mdd"})").find("missing.mdd"), std::string::npos);
}

TEST_F(MotionFiles, ASkeletonInTheMeshsCoordinatesMovesThePlacedBody) {
  write("nod.json", R"({"dashpot_skeleton": 1, "joints": [{"name": "neck", "at": [0, 0.05, 0.05], "tail": [0.5, 0, 0]}],
    "tracks": [{"joint": "neck", "times": [0, 0.5], "euler": [[0, 0, 0], [0, 0, 30]]}]})");
  for (const std::string motion :
       {R"({"skeleton": "nod.json"})", R"({"skeleton": {"file": "nod.json", "joint": "neck"}})"}) {
    const CheckedScene checked = check(motion);
    ASSERT_TRUE(checked.spec) << refusal(motion);
    const CompiledScene scene = compile(*checked.spec);
    Vector q = scene.system->rest();
    scene.system->prescribe(0.9, &q, nullptr, nullptr);
    const double c = std::cos(std::numbers::pi / 6), s = 0.5;
    // The corner (0, 1, 0) of the placed bar is 5 cm below the neck at (0, 1.05, 0.05).
    EXPECT_NEAR(q[0], 0.05 * s, 1e-13);
    EXPECT_NEAR(q[1], 1.05 - 0.05 * c, 1e-13);
  }
  EXPECT_NE(refusal(R"({"skeleton": {"file": "nod.json", "joint": "nek"}})").find("Did you mean \"neck\""),
            std::string::npos);
}

TEST_F(MotionFiles, BrokenMotionsAreRefusedWithTheirPlace) {
  const auto mentions = [&](const std::string& motion, const std::string& what) {
    const std::string message = refusal(motion);
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find("/bodies/0/pins/0/motion"), std::string::npos) << message;
  };
  mentions(R"({"keyframes": [{"time": 1}, {"time": 0.5}]})", "times that increase");
  mentions(R"({"keyframes": [{"time": 0}, {"time": 0.1, "translate": [40, 0, 0]}]})", "teleports");
  mentions(R"j({"formula": {"x": "log(t - 0.5)"}})j", "not finite");
  mentions(R"j({"formula": {"x": "sin(T)"}})j", "'T'");
  EXPECT_EQ(
      refusal(R"({"keyframes": {"keys": [{"time": 0}, {"time": 0.1, "translate": [2, 0, 0]}], "max_speed": 1000}})"),
      "");
}

TEST(Motions, WhatATrackFileSaysBelongsToTheFingerprintOfARun) {
  const std::string folder = source_folder() + "/scenes/";
  const CompiledScene one = compile(load_scene(folder + "secondary_motion.json"));
  EXPECT_FALSE(one.run.fingerprint.empty());
  EXPECT_EQ(one.run.fingerprint, compile(load_scene(folder + "secondary_motion.json")).run.fingerprint);
}

}  // namespace
}  // namespace dashpot::test_motions
