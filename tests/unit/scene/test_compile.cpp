#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/math/formula.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/source_folder.hpp"
#include "unit/scene/scene_text.hpp"

namespace dashpot::test_compile {
namespace {

/// Runs a scene without files; returns the state at the end.
State run_to_end(const CompiledScene& scene) {
  const RunResult result = simulate(scene);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  return result.state;
}

std::string said_by(const std::string& text) {
  try {
    compile(parse_scene(text, "s.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Compile, AStartWhoseEnergyIsNoNumberIsRefused) {
  const std::string text = R"({"dashpot": 1, "time": {"dt": "5 ms", "end": "50 ms"},
    "bodies": [{"mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [2, 1, 1]}},
      "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
      "start": {"from": "rest", "velocity": [VELOCITY, 0, 0]}}]})";
  const auto with_velocity = [&](const std::string& velocity) {
    std::string changed = text;
    return compile(parse_scene(changed.replace(changed.find("VELOCITY"), 8, velocity)));
  };
  EXPECT_NO_THROW(with_velocity("1e100"));
  EXPECT_THROW(with_velocity("1e156"), Error);
}

TEST(Compile, ABodyWeighsDensityTimesVolume) {
  const CompiledScene scene = compile(parse_scene(ringing_beam()));
  ASSERT_EQ(scene.bodies.size(), 1U);
  EXPECT_NEAR(scene.bodies[0].mass, 10, 1e-12);
  EXPECT_EQ(scene.system->num_dofs(), 3 * 9 * 2 * 2);
  ASSERT_EQ(scene.run.probes.size(), 1U);
  EXPECT_EQ(scene.run.probes[0].points.size(), 1U);
  ASSERT_EQ(scene.dampings.size(), 1U);
  EXPECT_NE(scene.dampings[0].find("beam: rayleigh, alpha 0.45"), std::string::npos) << scene.dampings[0];
}

TEST(Compile, RegionsChangeTheMaterialWhereTheyAre) {
  const std::string text =
      with(ringing_beam(), "\"mass\": \"consistent\"",
           R"("regions": [{"where": {"box": [[0.5, -1, -1], [2, 2, 2]]}, "density": 3000, "young": "9 MPa"}])");
  EXPECT_NEAR(compile(parse_scene(text)).bodies[0].mass, 20, 1e-12);
  EXPECT_NE(said_by(with(text, "[0.5, -1, -1]", "[1.9, -1, -1]")).find("selects no tet"), std::string::npos);
}

TEST(Compile, EveryMaterialOfTheRegistryHoldsABeamUp) {
  for (const ModelEntry& entry : registry().entries()) {
    const bool is_thin = entry.parameter("thickness") != nullptr || entry.parameter("diameter") != nullptr;
    if (entry.category != Category::material || is_thin) continue;  // not of tets: test_sheets.cpp
    EXPECT_FALSE(entry.examples.empty()) << entry.name << ": no example in its entry";
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      const CompiledScene scene = compile(parse_scene(
          ringing_beam(), "s", "", {{"/bodies/0/material", example}, {"/bodies/0/start/from", "equilibrium"}}));
      const double sag = 0.1 - scene.start.q.segment<3>(scene.start.q.size() - 3).y();
      EXPECT_GT(sag, 0.01);
      EXPECT_LT(sag, 1.0);
      EXPECT_EQ(scene.spec.bodies[0].material->name(), entry.name);
    }
  }
}

TEST(Compile, WhatAModelRefusesIsToldWithItsPlaceInTheScene) {
  const char* damping = R"([{"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "-1000 Pa s"}])";
  try {
    compile(parse_scene(ringing_beam(), "s", "", {{"/bodies/0/damping", damping}}));
    FAIL() << "a viscosity that creates energy was taken";
  } catch (const Error& error) {
    EXPECT_NE(error.problems().at(0).place.find("/bodies/0/damping/0"), std::string::npos) << error.what();
    EXPECT_EQ(error.problems().at(0).found.find("strain_rate damping of "), 0U) << error.what();
  }
}

TEST(Compile, QuadraticTetsGetNodesInTheMiddleOfEdges) {
  const CompiledScene linear = compile(parse_scene(ringing_beam()));
  const CompiledScene quadratic = compile(parse_scene(ringing_beam(), "s", "", {{"/bodies/0/elements", "tet10"}}));
  EXPECT_GT(quadratic.system->num_dofs(), 3 * linear.system->num_dofs());
  EXPECT_NEAR(quadratic.bodies[0].mass, linear.bodies[0].mass, 1e-12);
}

TEST(Compile, AReleasedEquilibriumAcceleratesOnlyByTheLoadThatIsGone) {
  const std::string held =
      R"({"from": "equilibrium", "loads": [{"model": "force", "where": {"box": [[0.999, -1, -1], [2, 1, 1]]}, "force": [0, "-2 N", 0]}]})";
  const std::string text = with(with(ringing_beam(), R"({"from": "rest"})", held), "[0, -9.81, 0]", "[0, 0, 0]");
  const CompiledScene released = compile(parse_scene(text));
  Vector inertia = Vector::Zero(released.system->num_dofs());
  released.system->inertia().add_force(released.start.q, released.start.v, released.start.a, inertia);
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < inertia.size(); i += 3)
    if (released.system->is_free()[static_cast<std::size_t>(i)] != 0) sum += inertia.segment<3>(i);
  EXPECT_LT(released.start.q.segment<3>(released.start.q.size() - 3).y(), 0.1 - 1e-3) << "the tip hangs";
  EXPECT_GT(released.start.a.cwiseAbs().maxCoeff(), 1) << "M a = minus the load that was let go";

  const std::string lasting = with(
      with(ringing_beam(), R"({"from": "rest"})", R"({"from": "equilibrium"})"), "\"pins\"",
      R"("loads": [{"model": "force", "where": {"box": [[0.999, -1, -1], [2, 1, 1]]}, "force": [0, "-2 N", 0]}], "pins")");
  const CompiledScene balanced = compile(parse_scene(lasting));
  EXPECT_LT(balanced.start.q.segment<3>(balanced.start.q.size() - 3).y(), 0.1 - 1e-3);
  EXPECT_LT(balanced.start.a.cwiseAbs().maxCoeff(), 1e-4) << "with the load still there, it stays";
}

TEST(Compile, InitialVelocitiesCarryTheMomentumAskedFor) {
  std::string text = with(ringing_beam(), R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],)", "");
  text = with(text, R"({"from": "rest"})",
              R"({"from": "rest", "velocity": [1, 2, 3], "angular_velocity": [0, 0, "3 rad/s"]})");
  const CompiledScene scene = compile(parse_scene(text));
  const LinearAngular momentum = scene.system->inertia().momentum(scene.start.q, scene.start.v);
  EXPECT_NEAR((momentum.linear - 10 * Vec3(1, 2, 3)).norm(), 0, 1e-10);
  const Vec3 orbital = Vec3(0.5, 0.05, 0.05).cross(momentum.linear);
  // slender box about its center: I_zz = m (a^2 + b^2) / 12
  EXPECT_NEAR((momentum.angular - orbital).z(), 3 * 10 * (1 + 0.01) / 12, 0.3);
}

TEST(Compile, AShakenSupportMovesAsTold) {
  const std::string text =
      with(ringing_beam(), "\"pins\": [{",
           R"("pins": [{"motion": {"harmonic": {"amplitude": [0, "5 mm", 0], "frequency": "1 Hz"}}, )");
  const CompiledScene scene = compile(parse_scene(text));
  EXPECT_TRUE(scene.system->has_moving_constraints());
  Vector q = scene.start.q, v = scene.start.v;
  scene.system->prescribe(0.25, &q, &v, nullptr);
  EXPECT_NEAR(q[1] - scene.system->rest()[1], 5e-3, 1e-12);
  EXPECT_NEAR(scene.start.v[1], 2 * std::numbers::pi * 5e-3, 1e-12);
}

TEST(Compile, TwoPinsThatDisagreeAreRefused) {
  const std::string text =
      with(ringing_beam(), "\"pins\": [",
           R"("pins": [{"where": "all", "motion": {"harmonic": {"amplitude": [0, 1, 0], "frequency": 1}}}, )");
  EXPECT_NE(said_by(text).find("held by two pins"), std::string::npos) << said_by(text);
}

TEST(Compile, ABodyWithoutSupportHasNoEquilibriumUnderItsWeight) {
  std::string text = with(ringing_beam(), R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],)", "");
  text = with(text, R"({"from": "rest"})", R"({"from": "equilibrium"})");
  EXPECT_NE(said_by(text).find("no equilibrium found"), std::string::npos) << said_by(text);
}

TEST(Compile, TwoScenesThatDifferOnlyInTheirEndContinueEachOther) {
  const std::string scene = ringing_beam();
  const std::string fingerprint = compile(parse_scene(scene)).run.fingerprint;
  EXPECT_EQ(compile(parse_scene(scene, "scene", "", {{"/time/end", "\"9 s\""}})).run.fingerprint, fingerprint);
  EXPECT_NE(compile(parse_scene(scene, "scene", "", {{"/time/dt", "\"1 ms\""}})).run.fingerprint, fingerprint);
}

TEST(Compile, SplinePointsMustIncrease) {
  const std::string text = R"({"dashpot": 1, "time": {"dt": "1 ms", "end": "1 s"}, "bodies": [{"name": "b",
    "mesh": {"bar": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
    "material": {"model": "spline", "young": "1 MPa", "poisson": 0.3, "density": 1000,
      "tension": [{"stretch": 1.2, "stress": "100 kPa"}, {"stretch": 1.1, "stress": "900 kPa"}]}}]})";
  EXPECT_NE(said_by(text).find("tension/1/stretch"), std::string::npos) << said_by(text);
  EXPECT_EQ(said_by(with(text, "1.1", "1.4")), "");
}

TEST(Compile, UnreachableDampingRatiosAreRefusedWhereTheyStand) {
  const std::string text = with(ringing_beam(), R"({"f": "20 Hz", "zeta": 0.02})", R"({"f": "20 Hz", "zeta": 0.5})");
  EXPECT_NE(said_by(text).find("/bodies/0/damping/0/zeta"), std::string::npos) << said_by(text);
}

TEST(Compile, DampingMayBeAskedForAtAModeAndMotionStartedInOne) {
  std::string text = with(ringing_beam(), R"({"f": "2 Hz", "zeta": 0.02}, {"f": "20 Hz", "zeta": 0.02})",
                          R"({"mode": 1, "zeta": 0.02})");
  text = with(text, R"({"from": "rest"})", R"({"from": "mode", "mode": 1, "amplitude": "10 mm"})");
  const CompiledScene scene = compile(parse_scene(text));
  double largest = 0;
  for (Eigen::Index i = 0; i < scene.start.q.size(); i += 3)
    largest = std::max(largest, (scene.start.q - scene.system->rest()).segment<3>(i).norm());
  EXPECT_NEAR(largest, 0.01, 1e-12);
  const double f = system_modes(*scene.system, scene.system->initial_state(), {.num_modes = 1}).frequencies[0];
  ASSERT_GT(f, 0.1);
  const std::string beta = describe_quantity(0.02 / (std::numbers::pi * f), Quantity::time);  // all of zeta from K
  EXPECT_NE(scene.dampings[0].find("beta " + beta), std::string::npos) << scene.dampings[0] << " for " << beta;
  EXPECT_NE(said_by(with(text, R"("mode": 1, "zeta")", R"("mode": 5000, "zeta")")), "");
}

TEST(Compile, FormulasFollowTheRulesOfArithmetic) {
  EXPECT_EQ(Formula::parse("1 + 2*3^2").evaluate(Vec3::Zero()), 19);
  EXPECT_EQ(Formula::parse("2^3^2").evaluate(Vec3::Zero()), 512);
  EXPECT_EQ(Formula::parse("-X^2 - (Y - Z)/2").evaluate(Vec3(3, 5, 1)), -11);
  EXPECT_NEAR(Formula::parse("max(sin(pi/2), 0.5) * sqrt(abs(-4))").evaluate(Vec3::Zero()), 2, 1e-15);
  for (const char* text : {"", "1 +", "foo(1)", "(1", "1 2", "sin 1", "min(1)", "X Y", "^2", "1e", ")"})
    EXPECT_THROW(Formula::parse(text), Error) << text;
  EXPECT_THROW(Formula::parse(std::string(1000, '(')), Error);
  EXPECT_THROW(Formula::parse(std::string(1000, '-') + "1"), Error);
  const std::string broken = with(ringing_beam(), R"({"from": "rest"})", R"({"from": "formula", "y": "0.1*X +"})");
  EXPECT_NE(said_by(broken).find("/bodies/0/start/y"), std::string::npos) << said_by(broken);
}

TEST(Compile, AChainOfSpringsSwingsAtItsExactFrequency) {
  const std::string path = source_folder() + "/scenes/spring_chain.json";
  const double omega = 2 * std::sqrt(400 / 0.1) * std::sin(std::numbers::pi / 24);
  const double period = 2 * std::numbers::pi / omega;
  const CompiledScene scene = compile(
      load_scene(path, {{"/time/dt", std::to_string(period / 200)}, {"/time/end", std::to_string(5 * period)}}));
  const auto middle = [&](const State& state) { return state.q[3 * 6] - 0.6; };
  ASSERT_NEAR(middle(scene.start), 0.002, 1e-12);
  const State end = run_to_end(scene);
  const double expected = 0.002 * std::exp(-0.1 * end.time);  // alpha = 0.2 /s: amplitude falls as exp(-alpha t / 2)
  EXPECT_NEAR(middle(end), expected, 2e-3 * 0.002);
  EXPECT_LT(expected, 0.0018) << "it did lose amplitude";
}

TEST(Compile, ABarInFreeFlightKeepsItsMomentumWhileItsVibrationDies) {
  const auto drift = [](const std::string& dt) {
    const CompiledScene scene =
        compile(load_scene(source_folder() + "/scenes/spinning_bar.json", {{"/time/end", "0.2 s"}, {"/time/dt", dt}}));
    const LinearAngular before = scene.system->inertia().momentum(scene.start.q, scene.start.v);
    EXPECT_GT(before.angular.norm(), 0.01);
    const State end = run_to_end(scene);
    const LinearAngular after = scene.system->inertia().momentum(end.q, end.v);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
    return (after.angular - before.angular).norm() / before.angular.norm();
  };
  const double coarse = drift("4 ms"), fine = drift("2 ms");
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(coarse / fine, 3.5) << "the damping is lagged: its torque falls with the square of the step";
}

TEST(Compile, EveryShippedSceneCompilesAndItsFilledInFormIsTheSameScene) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_folder() + "/scenes")) {
    if (file.path().extension() != ".json") continue;
    SCOPED_TRACE(file.path().string());
    ++count;
    const SceneSpec spec = load_scene(file.path().string());
    EXPECT_TRUE(spec.warnings.empty()) << spec.warnings[0].text();
    EXPECT_FALSE(spec.title.empty());
    const SceneSpec again = parse_scene(filled_in(spec), "again", spec.document->folder);
    EXPECT_EQ(write_json(without_places(again)), write_json(without_places(spec)));
    const CompiledScene scene = compile(spec);
    EXPECT_TRUE(scene.start.is_finite());
    EXPECT_FALSE(scene.run.probes.empty());
  }
  EXPECT_GE(count, 7);
}

TEST(Compile, ThePredictionCountsWhatIsThereAndGrowsWithIt) {
  const Prediction small = predict(parse_scene(ringing_beam()));
  EXPECT_EQ(small.nodes, 36);
  EXPECT_EQ(small.tets, 48);
  EXPECT_EQ(small.steps, 400);
  const Prediction large = predict(parse_scene(ringing_beam(), "s", "", {{"/bodies/0/mesh/bar/cells", "[32, 8, 8]"}}));
  EXPECT_GT(large.seconds, 10 * small.seconds);
  EXPECT_GT(large.bytes, small.bytes);
  EXPECT_GT(small.bytes, 1e6);
}

TEST(Compile, TheSameSceneHasTheSameFingerprintAndAnotherADifferentOne) {
  const std::string one = compile(parse_scene(ringing_beam())).run.fingerprint;
  EXPECT_EQ(compile(parse_scene(ringing_beam())).run.fingerprint, one);
  EXPECT_NE(compile(parse_scene(ringing_beam(), "s", "", {{"/time/dt", "4 ms"}})).run.fingerprint, one);
}

}  // namespace
}  // namespace dashpot::test_compile
