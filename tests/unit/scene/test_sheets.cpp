// Sheets and strands in scenes: what they weigh, how far they hang, and that every solver agrees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/scene/compile.hpp"
#include "unit/scene/scene_text.hpp"

namespace dashpot::test_sheets {
namespace {

/// A sheet of 0.6 x 0.4 m in the x-z plane, held along x = 0.
std::string sheet() {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {"dt": "10 ms", "end": "0.3 s", "stepper": "backward_euler"},
    "bodies": [{"name": "sheet", "mesh": {"cloth": {"size": [0.6, 0.4], "cells": [6, 4]}},
      "material": {"model": "membrane", "young": "20 kPa", "poisson": 0, "thickness": "1 mm", "density": 300},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}], "start": {"from": "rest"}}],
    "record": {"every": "10 ms"}})";
}

/// Straight hairs of 0.1 m along x, two edges at the root held.
std::string hair() {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {"dt": "5 ms", "end": "0.1 s", "stepper": "backward_euler"},
    "bodies": [{"name": "hair", "mesh": {"strands": {"counts": [1, 3], "size": [0, 0.02], "to_tip": [0.1, 0, 0], "edges": 50}},
      "material": {"model": "strand", "young": "3 GPa", "diameter": "0.4 mm", "density": 1300},
      "pins": [{"where": {"box": [[-1, -1, -1], [0.0021, 1, 1]]}}], "start": {"from": "rest"}}]})";
}

State last_of(const std::string& text) {
  const CompiledScene scene = compile(parse_scene(text));
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  Workspace workspace;
  State state = scene.start;
  const int steps = static_cast<int>(std::lround(scene.spec.time.end / scene.spec.time.dt));
  for (int n = 0; n < steps; ++n) {
    const StepReport report = advance(*stepper, *scene.system, state, workspace, scene.spec.time.dt);
    EXPECT_NE(report.status, StepStatus::failed) << "step " << n << ": " << report.explanation;
    if (report.status == StepStatus::failed) break;
  }
  return state;
}

std::string said_by(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "s", "").problems) all += problem.text() + "\n";
  return all;
}

Vec3 node(const State& state, int i) { return state.q.segment<3>(3 * i); }

TEST(Sheets, ASheetWeighsItsAreaTimesThicknessTimesDensity) {
  EXPECT_NEAR(compile(parse_scene(sheet())).bodies[0].mass, 0.6 * 0.4 * 1e-3 * 300, 1e-15);
  const std::string lumped = with(sheet(), R"("density": 300)", R"("density": 300, "mass": "lumped")");
  EXPECT_NEAR(compile(parse_scene(lumped)).bodies[0].mass, 0.6 * 0.4 * 1e-3 * 300, 1e-15);
}

TEST(Sheets, AStrandWeighsItsLengthTimesSectionTimesDensity) {
  EXPECT_NEAR(compile(parse_scene(hair())).bodies[0].mass, 3 * 0.1 * std::numbers::pi / 4 * 0.16e-6 * 1300, 1e-15);
}

TEST(Sheets, AHangingSheetFallsAndSwingsWithEverySolver) {
  const State euler = last_of(sheet());
  const State midpoint = last_of(with(sheet(), "backward_euler", "midpoint"));
  const int corner = 7 * 5 - 1;
  EXPECT_LT(node(euler, corner).y(), -0.2);
  EXPECT_LT(node(midpoint, corner).y(), -0.2);
  EXPECT_NEAR(node(euler, corner).z(), 0.4, 0.05);
  const std::string projective = R"("solver": {"projective": {"iterations": 0, "tolerance": 1e-9}}, "record")";
  const State local_global = last_of(with(sheet(), R"("record")", projective));
  EXPECT_LT((local_global.q - euler.q).norm(), 1e-5 * euler.q.norm()) << "the same equations";
}

TEST(Sheets, AStripUnderItsOwnWeightStretchesAsItsLawSays) {
  // s(x) = 1 + rho g (L - x) / E: the end moves by rho g L^2 / (2 E).
  std::string text = with(sheet(), "[0, -9.81, 0]", "[9.81, 0, 0]");
  text = with(text, R"({"from": "rest"})", R"({"from": "equilibrium"})");
  const CompiledScene scene = compile(parse_scene(text));
  const double expected = 300 * 9.81 * 0.36 / (2 * 20e3);
  EXPECT_NEAR(scene.start.q[3 * (7 * 5 - 3)] - 0.6, expected, 0.02 * expected);
}

TEST(Sheets, StrainLimitsKeepASheetFromStretchingFurther) {
  std::string text = with(sheet(), "[0, -9.81, 0]", "[9.81, 0, 0]");
  text = with(text, R"({"from": "rest"})", R"({"from": "equilibrium"})");
  const double free = compile(parse_scene(text)).start.q[3 * (7 * 5 - 3)] - 0.6;
  text = with(text, R"("thickness")", R"("strain_limit": {"most": 1.01, "young": "20 MPa"}, "thickness")");
  const double limited = compile(parse_scene(text)).start.q[3 * (7 * 5 - 3)] - 0.6;
  EXPECT_GT(free, 0.02);
  EXPECT_GT(limited, 0.001);
  EXPECT_LT(limited, 0.0065) << "1 % of the length, and a little";
}

/// Sag of the end of a strip of 0.6 m under its weight.
double sag(const std::string& material) {
  std::string text = with(sheet(), R"("size": [0.6, 0.4], "cells": [6, 4])", R"("size": [0.6, 0.1], "cells": [48, 8])");
  text = with(text, R"("young": "20 kPa", "poisson": 0, "thickness": "1 mm", "density": 300)", material);
  text = with(text, "1e-6, 1, 1", "0.0126, 1, 1");
  text = with(text, R"({"from": "rest"})", R"({"from": "equilibrium"})");
  return -compile(parse_scene(text)).start.q[3 * (49 * 9 - 5) + 1];
}

TEST(Sheets, AStiffStripSagsAsAPlateOrALittleMoreAsASaddle) {
  // q L^4 / (8 k_b), q = rho h g, when it bends to a cylinder; the clamp ends half a cell behind the second column of
  // held nodes.
  const double soft = sag(R"("young": "20 MPa", "thickness": "1 mm", "bending": "2 J", "density": 300)");
  const double stiff = sag(R"("young": "20 MPa", "thickness": "1 mm", "bending": "4 J", "density": 300)");
  const double expected = 300 * 1e-3 * 9.81 * std::pow(0.6 - 0.5 * 0.6 / 48, 4) / (8 * 2);
  EXPECT_GT(soft, expected);
  EXPECT_LT(soft, 1.6 * expected);
  EXPECT_NEAR(soft / stiff, 2, 0.1);
}

TEST(Sheets, BendingStiffnessLeftOutIsThatOfAPlate) {
  const double k = 30e9 * 1e-9 / (12 * (1 - 0.09));
  const double given = sag(R"("young": "30 GPa", "poisson": 0.3, "thickness": "1 mm", "density": 3000, "bending": )" +
                           std::to_string(k));
  const double left_out = sag(R"("young": "30 GPa", "poisson": 0.3, "thickness": "1 mm", "density": 3000)");
  ASSERT_GT(left_out, 1e-3);
  EXPECT_NEAR(given, left_out, 1e-4 * left_out);
}

TEST(Sheets, AHairBendsAsABeam) {
  const std::string text = with(hair(), R"({"from": "rest"})", R"({"from": "equilibrium"})");
  const CompiledScene scene = compile(parse_scene(text));
  const double section = std::numbers::pi / 4 * 0.16e-6, EI = 3e9 * std::numbers::pi / 64 * std::pow(0.4e-3, 4);
  const double length = 0.1 - 0.5 * 0.002;
  const double expected = 1300 * section * 9.81 * std::pow(length, 4) / (8 * EI);
  EXPECT_NEAR(-scene.start.q[3 * 50 + 1], expected, 0.02 * expected);
}

TEST(Sheets, HairsRunWithEverySolver) {
  const State newton = last_of(hair());
  EXPECT_LT(node(newton, 50).y(), -1e-5);
  const State midpoint = last_of(with(hair(), "backward_euler", "midpoint"));
  EXPECT_LT(node(midpoint, 50).y(), -1e-5);
}

TEST(Sheets, RootsAndTipsOfStrandsAreNamed) {
  const std::string text = with(hair(), R"({"box": [[-1, -1, -1], [0.0021, 1, 1]]})", R"({"set": "roots"})");
  const std::vector<std::uint8_t> is_free = compile(parse_scene(text)).system->is_free();
  EXPECT_EQ(std::count(is_free.begin(), is_free.end(), 1), 3 * 3 * 50);
  EXPECT_EQ(said_by(with(text, "roots", "tips")), "");
}

TEST(Sheets, MaterialsOnMeshesOfOtherElementsAreRefused) {
  const std::string solid = with(sheet(), R"({"cloth": {"size": [0.6, 0.4], "cells": [6, 4]}})",
                                 R"({"bar": {"size": [1, 1, 1], "cells": [1, 1, 1]}})");
  EXPECT_NE(said_by(solid).find("a material for triangles on a mesh without triangles"), std::string::npos);
  EXPECT_NE(said_by(with(sheet(), R"("poisson": 0, "thickness": "1 mm")", R"("diameter": "1 mm")")).find("thickness"),
            std::string::npos);
  const std::string tets = with(with(sheet(), R"("membrane")", R"("stvk")"), R"("thickness": "1 mm", )", "");
  EXPECT_NE(said_by(tets).find("a material for tets on a mesh without tets"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_sheets
