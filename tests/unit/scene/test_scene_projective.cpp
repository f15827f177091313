// Scenes solved by projective dynamics, converged, move as those solved by Newton's method; what does not fit is
// refused.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/laplacian_matrix.hpp"
#include "dashpot/integrate/live_system.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_scene_projective {
namespace {

std::string scene_with(const std::string& solver, const std::string& rest, const std::string& stepper = "midpoint",
                       const std::string& dt = "4 ms") {
  return fmt::format(
      R"({{"dashpot": 1, "gravity": [0, -9.81, 0], "time": {{"dt": "{}", "end": "1 s", "stepper": "{}"}},
          "solver": {{{}}}, {}}})",
      dt, stepper, solver, rest);
}

const std::string newton = R"("newton": {"tolerance": 1e-11, "max_iterations": 60})";
const std::string converged = R"("projective": {"iterations": 0, "tolerance": 1e-10, "max_iterations": 20000})";

std::string bar_with(const std::string& more, const std::string& name = "bar") {
  return fmt::format(R"({{"name": "{}", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}},
    "material": {{"model": "arap", "young": "30 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}}{}}})",
                     name, more);
}

struct Outcome {
  State start, state;
  int factorizations = 0;
  bool touched = false;
};

Outcome advance_scene(const std::string& text, int steps) {
  const CompiledScene scene = compile(parse_scene(text, "test"));
  const auto stepper = make_stepper(scene.spec);
  Outcome outcome{scene.start, scene.start};
  Workspace workspace = scene.system->make_workspace();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(*scene.system, outcome.state, workspace, scene.run.dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    outcome.factorizations += report.factorizations;
    for (std::size_t k = 0; k < scene.system->energies().size(); ++k)
      if (scene.system->energies()[k]->kind() == EnergyKind::contact)
        outcome.touched |= energies(*scene.system, outcome.state).potential[k] > 0;
  }
  return outcome;
}

/// Difference of the two solvers over the way traveled.
double difference(const std::string& rest, int steps, Outcome* projective = nullptr) {
  const Outcome expected = advance_scene(scene_with(newton, rest), steps);
  const Outcome found = advance_scene(scene_with(converged, rest), steps);
  const double way = (expected.state.q - expected.start.q).lpNorm<Eigen::Infinity>();
  EXPECT_GT(way, 1e-3);
  if (projective) *projective = found;
  return (expected.state.q - found.state.q).lpNorm<Eigen::Infinity>() / way;
}

TEST(ProjectiveScene, FallsOnAFloorAndRubsThereLikeNewton) {
  const std::string body = R"("bodies": [)" +
                           bar_with(R"(, "place": {"rotate": [0, 0, "20 deg"], "translate": [0, "2 mm", 0]},
                   "start": {"from": "rest", "velocity": [1, -0.5, 0]})") +
                           R"(], "colliders": [{"plane": {"name": "floor", "friction": 0.4, "slip_speed": "5 cm/s"}}])";
  Outcome projective;
  EXPECT_LT(difference(body, 15, &projective), 1e-6);
  EXPECT_TRUE(projective.touched);
}

TEST(ProjectiveScene, SlidesToAStopLikeNewton) {
  // At the start of the last sliding step friction is far less stiff than at its end.
  const std::string body = R"("bodies": [)" + bar_with(R"(, "start": {"from": "rest", "velocity": [0.12, 0, 0.05]})") +
                           R"(], "colliders": [{"plane": {"name": "floor", "friction": 0.8, "slip_speed": "2 mm/s"}}])";
  Outcome projective;
  EXPECT_LT(difference(body, 12, &projective), 1e-6);
  EXPECT_TRUE(projective.touched);
  double sideways = 0;
  for (Eigen::Index i = 0; i < projective.state.v.size(); i += 3)
    sideways += projective.state.v[i] * 3 / static_cast<double>(projective.state.v.size());
  EXPECT_LT(std::abs(sideways), 0.01) << "it has come to a stop";
}

TEST(ProjectiveScene, IsPulledByAForceThatGrowsLikeNewton) {
  const std::string body = R"("bodies": [)" + bar_with(R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "loads": [{"model": "force", "where": {"box": [[0.2999, -1, -1], [0.3001, 1, 1]]}, "force": [0, 0, 20],
               "ramp": "60 ms"}])") +
                           "]";
  Outcome projective;
  EXPECT_LT(difference(body, 10, &projective), 1e-7);
  EXPECT_GT((projective.state.q - projective.start.q).maxCoeff(), 5e-3) << "across gravity";
}

TEST(ProjectiveScene, HoldsNodesInSomeDirectionsOnlyLikeNewton) {
  EXPECT_LT(
      difference(R"("bodies": [)" +
                     bar_with(R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}, "axes": ["x", "y"]}])") +
                     "]",
                 10),
      1e-7);
}

TEST(ProjectiveScene, FollowsDrivenPinsLikeNewton) {
  EXPECT_LT(difference(R"("bodies": [)" + bar_with(R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]},
                             "motion": {"formula": {"z": "4*t*t"}}}])") +
                           "]",
                       10),
            1e-7);
}

TEST(ProjectiveScene, KeepsBodiesAttachedLikeNewton) {
  const std::string both =
      R"("bodies": [)" + bar_with(R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])", "first") + ", " +
      bar_with(R"(, "place": {"translate": [0.3, 0, 0]})", "second") +
      R"(], "attachments": [{"body": "second", "where": {"box": [[0.2999, -1, -1], [0.3001, 1, 1]]},
                             "to": "first", "within": "1 mm"}])";
  EXPECT_LT(difference(both, 10), 1e-7);
}

TEST(ProjectiveScene, CarriesABodyThatIsAttachedToDrivenNodesLikeNewton) {
  const std::string both =
      R"("bodies": [)" +
      bar_with(
          R"(, "pins": [{"where": {"box": [[0.2999, -1, -1], [0.3001, 1, 1]]}, "motion": {"formula": {"z": "4*t*t"}}}])",
          "first") +
      ", " + bar_with(R"(, "place": {"translate": [0.3, 0, 0]})", "second") +
      R"(], "attachments": [{"body": "second", "where": {"box": [[0.2999, -1, -1], [0.3001, 1, 1]]},
        "to": "first", "within": "1 mm"}])";
  EXPECT_LT(difference(both, 10), 1e-7);
}

TEST(ProjectiveScene, DampsModesLikeNewton) {
  EXPECT_LT(difference(R"("bodies": [)" + bar_with(R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "damping": [{"model": "modal", "ratios": [{"mode": 1, "zeta": 0.3}, {"mode": 2, "zeta": 0.2}]}])") +
                           "]",
                       10),
            1e-7);
}

TEST(ProjectiveScene, DampsTheRateOfStrainLikeNewton) {
  for (const char* damping :
       {R"({"model": "strain_rate", "beta": "20 ms"})",
        R"({"model": "strain_rate", "beta": "20 ms", "metric": "corotational", "tangent": "symmetric"})",
        R"({"model": "strain_rate", "viscosity": "500 Pa s", "exponent": 0.5, "reference_rate": "1 /s"})"}) {
    const std::string body = R"("bodies": [)" +
                             bar_with(fmt::format(R"(, "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
        "damping": [{}])",
                                                  damping)) +
                             "]";
    EXPECT_LT(difference(body, 10), 1e-7) << damping;
  }
}

TEST(ProjectiveScene, HitsAFloorHardLikeNewton) {
  const std::string body = R"("bodies": [)" +
                           bar_with(R"(, "place": {"rotate": [0, 0, "40 deg"], "translate": [0, "1 mm", 0]},
                   "start": {"from": "rest", "velocity": [0, -3, 0]})") +
                           R"(], "colliders": [{"plane": {"name": "floor", "stiffness": "20 MPa/m"}}])";
  Outcome projective;
  EXPECT_LT(difference(body, 12, &projective), 1e-6);
  EXPECT_TRUE(projective.touched);
}

TEST(ProjectiveScene, TumblesOverARoughFloorInTenIterationsWithoutMakingEnergy) {
  const CompiledScene scene = compile(parse_scene(
      scene_with(R"("projective": {"iterations": 10, "restore_momentum": true})",
                 R"("bodies": [)" + bar_with(R"(, "place": {"rotate": [0, 0, "40 deg"], "translate": [0, "2 cm", 0]},
                   "damping": [{"model": "laplacian", "beta": "1 ms"}],
                   "start": {"from": "rest", "velocity": [2, -2, 0], "angular_velocity": [0, 3, 0]})") +
                     R"(], "colliders": [{"plane": {"name": "floor", "friction": 0.6}}])",
                 "midpoint", "10 ms"),
      "test"));
  State state = scene.start;
  const auto stepper = make_stepper(scene.spec);
  Workspace workspace = scene.system->make_workspace();
  const double start = energies(*scene.system, state).total();
  const double kinetic = energies(*scene.system, state).kinetic;
  for (int i = 0; i < 200; ++i) {
    const StepReport report = stepper->step(*scene.system, state, workspace, scene.run.dt);
    ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
    ASSERT_LT(report.end.total() - start, 0.2 * kinetic) << "at step " << i;
  }
  EXPECT_LT(energies(*scene.system, state).kinetic, 0.1 * kinetic);
}

/// A stiff block on a slope of 20 degrees, at 60 frames a second.
std::string block_on_slope(double friction) {
  std::string block = bar_with(R"(, "place": {"rotate": [0, 0, "-20 deg"]})");
  block.replace(block.find("30 kPa"), 6, "1 MPa");
  return R"("bodies": [)" + block +
         fmt::format(R"(], "colliders": [{{"plane": {{"normal": [0.34202014, 0.93969262, 0], "friction": {}}}}}])",
                     friction);
}

TEST(ProjectiveScene, SlidesDownASlopeInFewIterationsAsFarAsNewton) {
  // The bound of friction still holds back: 4 % in five iterations.
  for (const auto& [friction, tolerance] : {std::pair{0.0, 1e-3}, std::pair{0.2, 0.06}}) {
    const std::string rest = block_on_slope(friction);
    const Outcome exact = advance_scene(scene_with(newton, rest, "backward_euler", "16 ms"), 30);
    const Outcome few =
        advance_scene(scene_with(R"("projective": {"iterations": 5})", rest, "backward_euler", "16 ms"), 30);
    EXPECT_TRUE(few.touched);
    const double way = exact.state.q[0] - exact.start.q[0];
    EXPECT_GT(way, 0.1);
    EXPECT_NEAR(few.state.q[0] - few.start.q[0], way, tolerance * way) << "friction " << friction;
  }
}

TEST(ProjectiveScene, SinglePrecisionIsRefusedWhereItCannotReachTheTolerance) {
  const std::string rest = R"("bodies": [)" + bar_with("") + "]";
  try {
    compile(parse_scene(scene_with(R"("projective": {"iterations": 0, "precision": "single"})", rest), "test"));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("single precision"), std::string::npos) << error.what();
  }
  advance_scene(scene_with(R"("projective": {"iterations": 0, "precision": "single", "tolerance": 1e-3})", rest), 3);
}

TEST(ProjectiveScene, TakesTheSameStepsAfterACheckpoint) {
  const std::string body = R"("bodies": [)" + bar_with(R"(,
    "damping": [{"model": "laplacian", "beta": "2 ms"}],
    "start": {"from": "rest", "angular_velocity": [0, 3, 5]})") +
                           "]";
  for (const char* solver : {R"("iterations": 4)", R"("iterations": 4, "acceleration": "anderson")",
                             R"("iterations": 1, "acceleration": "anderson")"}) {
    SCOPED_TRACE(solver);
    const std::string text = scene_with(fmt::format(R"("projective": {{{}}})", solver), body);
    const CompiledScene scene = compile(parse_scene(text, "test"));
    State whole = scene.start, resumed = scene.start;
    const auto stepper = make_stepper(scene.spec);
    Workspace workspace = scene.system->make_workspace();
    for (int i = 0; i < 6; ++i) stepper->step(*scene.system, whole, workspace, scene.run.dt);
    for (int i = 0; i < 6; ++i) {
      const auto fresh = make_stepper(scene.spec);
      Workspace new_workspace = scene.system->make_workspace();
      fresh->step(*scene.system, resumed, new_workspace, scene.run.dt);
    }
    EXPECT_EQ(whole.hash(), resumed.hash());
  }
}

TEST(ProjectiveScene, RefusesWhatDoesNotFitByName) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      compile(parse_scene(text, "test"));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  std::string stvk = bar_with("");
  stvk.replace(stvk.find("arap"), 4, "stvk");
  EXPECT_NE(message(scene_with(converged, R"("bodies": [)" + stvk + "]")).find("elastic energy of 'bar'"),
            std::string::npos);
  EXPECT_NE(message(scene_with(converged, R"("bodies": [)" + bar_with("") + "]", "leapfrog")).find("leapfrog"),
            std::string::npos);
  EXPECT_NE(
      message(scene_with(R"("projective": {"restore_momentum": true})", R"("bodies": [)" + bar_with("") + "]", "bdf2"))
          .find("restore_momentum"),
      std::string::npos);
}

const std::string plain_laplacian = R"({"model": "laplacian", "alpha": "0.5 /s", "beta": "2 ms", "keeps": "linear"})";

TEST(ProjectiveScene, NamesTheParametersOfItsDampingsByTheirPlaces) {
  const std::string bodies =
      R"("bodies": [)" + bar_with(R"(, "damping": [)" + plain_laplacian + "]") + "," +
      bar_with(R"(, "place": {"translate": [0, 1, 0]}, "damping": [{"model": "ether_drag", "rate": "1 /s"},
                                        {"model": "laplacian", "beta": "3 ms"}])",
               "other") +
      "]";
  const CompiledScene scene = compile(parse_scene(scene_with(R"("projective": {})", bodies), "test"));
  const ParameterLayout& layout = scene.system->parameters();
  const auto value = [&](const char* name) { return layout.at(name).info.values.at(0); };
  EXPECT_EQ(value("/bodies/0/damping/0/alpha"), 0.5);
  EXPECT_EQ(value("/bodies/0/damping/0/beta"), 2e-3);
  EXPECT_EQ(layout.at("/bodies/0/damping/0/beta").info.unit(), "s");
  EXPECT_EQ(value("/bodies/1/damping/0/rate"), 1);
  EXPECT_EQ(value("/bodies/1/damping/1/beta"), 3e-3);
}

TEST(ProjectiveScene, AChangeOfItsDampingCostsOneFactorAndActsAtOnce) {
  for (const char* keeps : {"linear", "element", "global"}) {
    const std::string body = R"("bodies": [)" +
                             bar_with(fmt::format(R"(, "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
                                  "damping": [{{"model": "laplacian", "beta": "2 ms", "keeps": "{}"}}])",
                                                  keeps)) +
                             "]";
    const CompiledScene scene = compile(parse_scene(scene_with(R"("projective": {})", body), "test"));
    double lost[2];
    for (const bool turned : {false, true}) {
      const auto stepper = make_stepper(scene.spec);
      State state = scene.start;
      LiveSystem live(*scene.system, state);
      const auto step = [&] {
        live.follow(state);
        return stepper->step(*live, state, live.workspace(), scene.run.dt);
      };
      for (int i = 0; i < 5; ++i) EXPECT_EQ(step().factorizations, i == 0 ? 1 : 0);
      if (turned) scene.system->parameters().set("/bodies/0/damping/0/beta", 16e-3, state.parameters);
      const StepReport report = step();
      EXPECT_EQ(report.factorizations, turned ? 1 : 0);
      lost[turned ? 1 : 0] = report.work.damping[0];
      EXPECT_EQ(step().factorizations, 0);
    }
    ASSERT_GT(lost[0], 0);
    EXPECT_GT(lost[1], 3 * lost[0]) << keeps;
  }
}

}  // namespace
}  // namespace dashpot::test_scene_projective
