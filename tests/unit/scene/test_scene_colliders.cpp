// Colliders as scenes give them: words, defaults, mistakes.
#include <gtest/gtest.h>

#include <fstream>

#include "dashpot/scene/compile.hpp"

namespace dashpot::test_scene_colliders {
namespace {

/// A small block above `colliders`; `more` goes into the body, `time` replaces the section.
std::string world(const std::string& colliders, const std::string& more = "",
                  const std::string& time = R"({"dt": "5 ms", "end": "1 s", "stepper": "backward_euler"})") {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": )" + time + R"(,
    "bodies": [{"name": "block", "mesh": {"bar": {"size": [0.2, 0.1, 0.2], "cells": [2, 1, 2]}},
      "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000})" +
         more + R"(}], "colliders": )" + colliders + "}";
}

/// All problems of a scene, one text.
std::string problems_of(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "scene", "").problems) all += problem.text() + "\n";
  return all;
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST(SceneColliders, EveryKindIsBuiltAndSaysHowHardItIsAndWhatItCosts) {
  const CompiledScene scene = compile(parse_scene(world(R"([
    "plane",
    {"sphere": {"center": [0, -2, 0], "radius": 1, "friction": 0.3, "hollow": false}},
    {"capsule": {"from": [0, -2, 0], "to": [1, -2, 0], "radius": "10 cm", "restitution": 0.5}},
    {"box": {"center": [0, -2, 0], "size": [1, 1, 1], "rounding": "5 cm", "rotate": [0, "30 deg", 0]}},
    {"mesh": {"of": {"sphere": {"radius": 1, "layers": 2}}, "translate": [0, -3, 0], "stiffness": "3 MPa/m"}}])")));
  ASSERT_EQ(scene.contacts.size(), 5U);
  EXPECT_TRUE(mentions(scene.contacts[0], "50 MPa/m")) << scene.contacts[0] << " (10 E / L)";
  EXPECT_TRUE(mentions(scene.contacts[0], "lossless"));
  EXPECT_TRUE(mentions(scene.contacts[1], "friction 0.3"));
  EXPECT_TRUE(mentions(scene.contacts[2], "restitution 0.5 at 1 m/s")) << scene.contacts[2];
  EXPECT_TRUE(mentions(scene.contacts[4], "3 MPa/m"));
  EXPECT_EQ(scene.recording.grounds.size(), 1U);
  ASSERT_EQ(scene.recording.scenery.size(), 4U);
  EXPECT_EQ(scene.recording.scenery[0].first_point, scene.system->kinematics().num_points());
  std::vector<Vec3> x, v;
  for (const Scenery& scenery : scene.run.scenery) scenery.append(0.5, x, v);
  EXPECT_EQ(x.size(), v.size());
  EXPECT_GT(x.size(), 100U);
}

TEST(SceneColliders, AStaticBlockSinksInByItsWeightOverStiffnessTimesArea) {
  std::string text =
      world(R"([{"plane": {"stiffness": "2 MPa/m", "onset": "1 um"}}])", R"(, "start": {"from": "equilibrium"})");
  text.replace(text.find("[2, 1, 2]"), 9, "[8, 4, 8]");
  const CompiledScene scene = compile(parse_scene(text));
  double lowest = 1;
  for (Eigen::Index i = 1; i < scene.start.q.size(); i += 3) lowest = std::min(lowest, scene.start.q[i]);
  // Nodes of the lower rim own half a row of the sides as well: 25 mm high, 0.8 m around.
  const double area = 0.2 * 0.2 + 0.8 * 0.025 / 2, overlap = 1000 * 0.2 * 0.2 * 0.1 * 9.81 / (2e6 * area);
  EXPECT_NEAR(lowest, -overlap, 0.15 * overlap);
}

TEST(SceneColliders, PointsAndSpringsTouchToo) {
  const std::string text = R"({"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {"dt": "1 ms", "end": "1 s", "stepper": "backward_euler"},
    "bodies": [{"name": "rope", "mesh": {"chain": {"ends": [[0, 0.1, 0], [1, 0.1, 0]], "edges": 10}},
      "springs": [{"stiffness": "500 N/m"}], "point_masses": [{"mass": "20 g"}]}],
    "colliders": [{"plane": {"damping": 5, "friction": 0.5}}]})";
  const CompiledScene scene = compile(parse_scene(text));
  ASSERT_EQ(scene.contacts.size(), 1U);
  EXPECT_TRUE(mentions(scene.contacts[0], "5000 N/m a node")) << scene.contacts[0];
  State state = scene.start;
  EnergyLedger ledger(*scene.system, state);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  RunSettings settings = scene.run;
  const RunResult result = run(*scene.system, state, *stepper, ledger, settings);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  for (Eigen::Index i = 1; i < state.q.size(); i += 3) EXPECT_NEAR(state.q[i], 0, 2e-3) << "on the floor";
}

TEST(SceneColliders, CollidersMoveAsToldRigidOrDeforming) {
  const CompiledScene scene = compile(parse_scene(world(R"([
    {"plane": {"name": "belt", "friction": 0.5, "motion": {"steady": {"velocity": ["1 m/s", 0, 0]}}}},
    {"sphere": {"center": [0, -3, 0], "radius": 1,
                "motion": {"keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0.5, 0]}]}}},
    {"mesh": {"of": {"sphere": {"radius": 1, "layers": 2}}, "translate": [0, -3, 0],
              "motion": {"formula": {"x": "0.1*t*Y"}}}}])")));
  ASSERT_EQ(scene.run.scenery.size(), 2U);
  for (const Scenery& scenery : scene.run.scenery) {
    std::vector<Vec3> then, now, v;
    scenery.append(0, then, v);
    scenery.append(0.5, now, v);
    double moved = 0;
    for (std::size_t i = 0; i < now.size(); ++i) moved = std::max(moved, (now[i] - then[i]).norm());
    EXPECT_GT(moved, 0.1);
  }
  State state = scene.start;
  EnergyLedger ledger(*scene.system, state);
  RunSettings settings = scene.run;
  settings.end = 0.4;
  const RunResult result = run(*scene.system, state, *make_stepper(scene.spec), ledger, settings);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  const double m = scene.bodies[0].mass;
  EXPECT_NEAR(scene.system->inertia().momentum(state.q, state.v).linear.x() / m, 1, 0.02) << "the belt took it along";
  EXPECT_NEAR(ledger.external(), m, 0.15 * m) << "m v^2";
  EXPECT_TRUE(mentions(problems_of(world(R"([{"plane": {"motion": {"formula": {"x": "t"}}}}])")), "no nodes"));
}

TEST(SceneColliders, MistakesAreExplainedAllAtOnce) {
  const std::string problems = problems_of(world(R"([
    {"plane": {"normal": [0, 0, 0]}},
    {"sphere": {"name": "a ball", "center": [0, 0, 0], "radius": 1}},
    {"box": {"center": [0, 0, 0], "size": [1, 1, 1], "rounding": 2}},
    {"capsule": {"from": [0, 0, 0], "to": [1, 0, 0], "radius": 1, "bodies": ["blok"]}},
    {"mesh": {"of": {"points": {"positions": [[0, 0, 0]]}}}}])"));
  EXPECT_TRUE(mentions(problems, "/colliders/0")) << problems;
  EXPECT_TRUE(mentions(problems, "a direction that is not zero"));
  EXPECT_TRUE(mentions(problems, "letters, digits"));
  EXPECT_TRUE(mentions(problems, "rounding"));
  EXPECT_TRUE(mentions(problems, "id you mean \"block\"?"));
  EXPECT_TRUE(mentions(problems, "a collider without triangles"));
  EXPECT_TRUE(mentions(problems_of(world(R"([{"sphere": {"center": [0, 0, 0], "radius": -1}}])")), "radius > 0"));
  EXPECT_TRUE(mentions(problems_of(world(R"([{"plane": {"friction": -1}}])")), "friction"));
  EXPECT_TRUE(mentions(problems_of(world(R"([{"plane": {"damping": 1, "restitution": 0.5}}])")), "one of them"));
  EXPECT_TRUE(mentions(problems_of(world(R"([{"plain": {}}])")), "id you mean \"plane\"?"));
  EXPECT_TRUE(mentions(problems_of(world(R"(["plane", {"plane": {"name": "plane1"}}])")), "a second time"));
}

TEST(SceneColliders, AnOpenMeshAndAStepTooLongForAnExplicitStepperAreWarnedAbout) {
  const std::string file = ::testing::TempDir() + "open_sheet.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
  const std::string open = problems_of(world(R"([{"mesh": {"of": {"file": ")" + file + R"("}}}])"));
  EXPECT_TRUE(mentions(open, "the surface is open")) << open;
  EXPECT_TRUE(mentions(open, "Expected \"thickness\"")) << open;
  const std::string thick =
      world(R"([{"mesh": {"of": {"file": ")" + file + R"("}, "thickness": "5 cm", "translate": [0, -1, 0]}}])");
  EXPECT_TRUE(mentions(problems_of(thick), "the surface is open"));
  EXPECT_TRUE(check_scene(thick, "scene", "").spec.has_value()) << "with a thickness it can be used";
  const std::string time = R"({"dt": "5 ms", "end": "1 s", "stepper": "leapfrog"})";
  const std::string lumped = R"("density": 1000, "mass": "lumped")";
  std::string text = world(R"(["plane"])", "", time);
  text.replace(text.find("\"density\": 1000"), 15, lumped);
  const std::string problems = problems_of(text);
  EXPECT_TRUE(mentions(problems, "is too long for block to meet \"plane1\"")) << problems;
  EXPECT_TRUE(mentions(problems, "fly off")) << problems;
  EXPECT_TRUE(check_scene(text, "scene", "").spec.has_value()) << "a warning, not an error";
}

TEST(SceneColliders, FrictionAndImpactsSetNoStepLimitOfTheirOwnAndOnlyTakeEnergyInExplicitSteps) {
  for (const char* stepper : {"symplectic_euler", "leapfrog"}) {
    std::string text = world(
        R"([{"plane": {"stiffness": "1 MPa/m", "friction": 0.6, "slip_speed": "1 um/s", "restitution": 0.3,
                       "restitution_speed": "0.3 m/s", "point": [0, -0.05, 0]}}])",
        "", std::string(R"({"dt": "0.1 ms", "end": "0.25 s", "stepper": ")") + stepper + "\"}");
    text.replace(text.find("\"density\": 1000"), 15, R"("density": 1000, "mass": "lumped")");
    EXPECT_FALSE(mentions(problems_of(text), "too long")) << problems_of(text);
    const CompiledScene scene = compile(parse_scene(text));
    State state = scene.start;
    for (Eigen::Index i = 0; i < state.v.size(); i += 3) state.v[i] += 0.5;
    Workspace workspace = scene.system->make_workspace();
    ASSERT_TRUE(make_consistent(*scene.system, state, workspace));
    const auto steps = make_stepper(scene.spec);
    EnergyLedger ledger(*scene.system, state);
    while (state.time < 0.25) {
      const StepReport report = steps->step(*scene.system, state, workspace, 1e-4);
      ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
      for (std::size_t j = 0; j < report.work.damping.size(); ++j)
        if (scene.system->dissipations()[j]->is_contact()) ASSERT_GE(report.work.damping[j], 0);
      ledger.book(*scene.system, state, report);
    }
    EXPECT_GT(ledger.contact(), 0.1) << "4 kg at 0.5 m/s, from 5 cm";
    EXPECT_LT(ledger.created(), 0.05);
  }
}

TEST(SceneColliders, AStepTooLongForAnImpactIsWarnedAboutWhereTheStepperDoesNotDamp) {
  // k L^2 h^2 / m = 50 MPa/m (0.2 m)^2 h^2 / 4 kg: 12.5 at 5 ms, 0.5 at 1 ms.
  const auto problems = [](const std::string& dt, const std::string& stepper) {
    return problems_of(
        world(R"(["plane"])", "", R"({"dt": ")" + dt + R"(", "end": "1 s", "stepper": ")" + stepper + R"("})"));
  };
  for (const char* stepper : {"midpoint", "trapezoid", "generalized_alpha"}) {
    EXPECT_TRUE(mentions(problems("5 ms", stepper), "is long for the contact of block and \"plane1\""));
    EXPECT_TRUE(mentions(problems("5 ms", stepper), "dt below 1.4 ms")) << problems("5 ms", stepper);
    EXPECT_FALSE(mentions(problems("1 ms", stepper), "is long for the contact"));
  }
  for (const char* stepper : {"bathe", "backward_euler"})
    EXPECT_FALSE(mentions(problems("5 ms", stepper), "is long for the contact"));
}

}  // namespace
}  // namespace dashpot::test_scene_colliders
