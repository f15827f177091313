// Limits of stretch and volume in scenes: no tet goes beyond a bound by more than the penalty lets it, whatever the
// material and the solver.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "dashpot/scene/compile.hpp"
#include "unit/scene/scene_text.hpp"

namespace dashpot::test_limits {
namespace {

const std::string law = R"("model": "arap", "young": "20 kPa", "poisson": 0.3)";

/// A bar of 0.6 m that hangs in its length: 1766 Pa at the upper end.
std::string hanging(const std::string& limits, const std::string& material = law) {
  return R"({"dashpot": 1, "gravity": [9.81, 0, 0],
    "time": {"dt": "5 ms", "end": "1 s", "stepper": "backward_euler"},
    "solver": {"newton": {"tolerance": 1e-11, "max_iterations": 60}},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.6, 0.1, 0.1], "cells": [6, 1, 1]}},
      "material": {)" +
         material + R"(, "density": 300, "mass": "lumped")" + limits + R"(},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}], "start": {"from": "equilibrium"}}]})";
}

std::string moving(const std::string& limits) {
  return with(hanging(limits), R"({"from": "equilibrium"})", R"({"from": "rest"})");
}

const std::string stretch = R"(, "limits": {"stretch": [0.99, 1.01], "modulus": "20 MPa"})";
const std::string volume = R"(, "limits": {"volume": [0.99, 1.01], "modulus": "20 MPa"})";
const std::string soft = R"(, "limits": {"stretch": [0.98, 1.02], "volume": [0.99, 1.01], "modulus": "100 kPa"})";

/// Largest principal stretch and volume over rest volume among the tets.
struct Extremes {
  double stretch = 0, volume = 0;
};

Extremes extremes(const CompiledScene& scene, const Vector& q) {
  Extremes found;
  const Mesh& mesh = scene.bodies[0].mesh;
  const std::vector<int>& nodes = mesh.tets()->nodes;
  for (std::size_t t = 0; t < nodes.size(); t += 4) {
    Mat3 X, x;
    for (int a = 0; a < 3; ++a) {
      const int node = nodes[t + 1 + static_cast<std::size_t>(a)];
      X.col(a) = mesh.nodes[static_cast<std::size_t>(node)] - mesh.nodes[static_cast<std::size_t>(nodes[t])];
      x.col(a) = q.segment<3>(3 * node) - q.segment<3>(3 * nodes[t]);
    }
    const Mat3 F = x * X.inverse();
    found.stretch = std::max(found.stretch, Eigen::JacobiSVD<Mat3>(F).singularValues()[0]);
    found.volume = std::max(found.volume, F.determinant());
  }
  return found;
}

Extremes balanced(const std::string& text) {
  const CompiledScene scene = compile(parse_scene(text));
  return extremes(scene, scene.start.q);
}

/// Steps; the last state.
State advanced(const CompiledScene& scene, int steps) {
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  Workspace workspace = scene.system->make_workspace();
  State state = scene.start;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = advance(*stepper, *scene.system, state, workspace, scene.spec.time.dt);
    EXPECT_NE(report.status, StepStatus::failed) << "step " << n << ": " << report.explanation;
    if (report.status == StepStatus::failed) break;
  }
  return state;
}

TEST(SceneLimits, AHangingBarStretchesNoFurtherThanThePenaltyLetsIt) {
  EXPECT_GT(balanced(hanging("")).stretch, 1.06);
  const Extremes limited = balanced(hanging(stretch));
  EXPECT_GT(limited.stretch, 1.009);
  EXPECT_LT(limited.stretch, 1.01 + 4 * 1766 / 20e6) << "stress / w, and what corners add";
}

TEST(SceneLimits, AHangingBarSwellsNoFurtherThanThePenaltyLetsIt) {
  EXPECT_GT(balanced(hanging("")).volume, 1.06);
  const Extremes limited = balanced(hanging(volume));
  EXPECT_GT(limited.volume, 1.009);
  EXPECT_LT(limited.volume, 1.01 + 8 * 1766 / 20e6);
  EXPECT_GT(limited.stretch, 1.06) << "it may become longer if it becomes thinner";
}

TEST(SceneLimits, EveryMaterialOfTetsTakesThem) {
  for (const std::string model :
       {"linear", "corotational", "arap", "stvk", "neo_hookean", "stable_neo_hookean", "spline"}) {
    SCOPED_TRACE(model);
    const Extremes limited = balanced(hanging(stretch, with(law, "arap", model)));
    EXPECT_GT(limited.stretch, 1.009);
    EXPECT_LT(limited.stretch, 1.01 + 4 * 1766 / 20e6);
  }
  const std::string wood = R"("model": "orthotropic_stvk", "young": ["20 kPa", "20 kPa", "20 kPa"],
    "poisson": [0.3, 0.3, 0.3], "shear": ["8 kPa", "8 kPa", "8 kPa"])";
  EXPECT_LT(balanced(hanging(stretch, wood)).stretch, 1.01 + 4 * 1766 / 20e6);
}

TEST(SceneLimits, EveryKindOfStepperMovesWithinThem) {
  for (const std::string stepper : {"backward_euler", "midpoint", "bdf2", "trapezoid", "bathe", "leapfrog"}) {
    SCOPED_TRACE(stepper);
    std::string text = with(moving(soft), "backward_euler", stepper);
    if (stepper == "leapfrog") text = with(text, "5 ms", "0.5 ms");
    const CompiledScene scene = compile(parse_scene(text));
    const int steps = static_cast<int>(std::lround(0.06 / scene.spec.time.dt));
    const Extremes limited = extremes(scene, advanced(scene, steps).q);
    EXPECT_GT(limited.stretch, 1.02);
    EXPECT_LT(limited.stretch, 1.10);
  }
}

TEST(SceneLimits, ConvergedProjectiveDynamicsMovesAsNewtonsMethod) {
  for (const std::string& limits : {stretch, volume, soft}) {
    const std::string weak = with(limits, limits == soft ? "100 kPa" : "20 MPa", "60 kPa");
    const CompiledScene newton = compile(parse_scene(moving(weak)));
    const CompiledScene projective =
        compile(parse_scene(with(moving(weak), R"("newton": {"tolerance": 1e-11, "max_iterations": 60})",
                                 R"("projective": {"iterations": 0, "tolerance": 1e-11, "max_iterations": 20000})")));
    const CompiledScene free = compile(parse_scene(moving("")));
    const Vector a = advanced(newton, 12).q, b = advanced(projective, 12).q;
    const double way = (a - newton.start.q).lpNorm<Eigen::Infinity>();
    EXPECT_GT(way, 5e-3);
    EXPECT_GT((a - advanced(free, 12).q).lpNorm<Eigen::Infinity>(), 0.01 * way) << "the limits act";
    EXPECT_LT((a - b).lpNorm<Eigen::Infinity>(), 1e-8 * way);
  }
}

TEST(SceneLimits, DampingDoesNotFeelThemAtRest) {
  const std::string damping = R"("damping": [{"model": "laplacian", "beta": "5 ms"}], "pins")";
  const std::string wide = R"(, "limits": {"stretch": [0.5, 1.5], "modulus": "20 MPa"})";
  const CompiledScene plain = compile(parse_scene(with(moving(""), R"("pins")", damping)));
  const CompiledScene limited = compile(parse_scene(with(moving(wide), R"("pins")", damping)));
  const Vector a = advanced(plain, 5).q, b = advanced(limited, 5).q;
  ASSERT_GT((a - plain.start.q).norm(), 1e-4);
  EXPECT_LT((a - b).norm(), 1e-9 * (a - plain.start.q).norm());
}

TEST(SceneLimits, BoundsThatExcludeTheRestShapeAreRefused) {
  const auto said_by = [](const std::string& limits) {
    std::string all;
    for (const Problem& problem : check_scene(hanging(R"(, "limits": {)" + limits + "}"), "s", "").problems)
      all += problem.text() + "\n";
    return all;
  };
  const std::string modulus = R"("modulus": "20 MPa")";
  EXPECT_EQ(said_by(R"("stretch": [0.9, 1.1], "volume": [1, 1], )" + modulus), "");
  const std::string low = said_by(R"("stretch": [1.1, 1.2], "volume": [0.5, 0.9], )" + modulus);
  EXPECT_NE(low.find("/limits/stretch"), std::string::npos) << low;
  EXPECT_NE(low.find("/limits/volume"), std::string::npos) << low;
  EXPECT_NE(low.find("low <= 1 <= high"), std::string::npos) << low;
  EXPECT_NE(said_by(modulus).find("limits of nothing"), std::string::npos);
  EXPECT_NE(said_by(R"("stretch": [0.9, 1.1])").find("modulus"), std::string::npos);
  EXPECT_NE(said_by(R"("stretch": [-0.9, 1.1], )" + modulus), "");
  EXPECT_NE(said_by(R"("stretch": [0.9], )" + modulus), "");
}

}  // namespace
}  // namespace dashpot::test_limits
