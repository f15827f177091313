// Relative damping as scenes name it: on every representation, under every stepper, and what cannot be.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot::testing::test_relative_damping {
namespace {

using ::testing::HasSubstr;

const std::string tets = R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
  "material": {"model": "arap", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"})";

std::string scene(const std::string& damping, const std::string& body = tets, const std::string& stepper = "midpoint") {
  return fmt::format(R"({{
    "dashpot": 1, "gravity": [0, 0, 0], "time": {{"dt": "0.5 ms", "end": "1 s", "stepper": "{}"}},
    "bodies": [{{"name": "body", {}, "damping": [{}], "start": {{"from": "rest", "angular_velocity": [3, 20, -8]}}}}]}})",
                     stepper, body, damping);
}

CompiledScene compiled(const std::string& text) { return compile(parse_scene(text)); }

std::string problem_of(const std::string& text) {
  try {
    compiled(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(RelativeDamping, LosesEnergyAndNoMomentumUnderEveryStepper) {
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::stepper) continue;
    SCOPED_TRACE(entry.name);
    const CompiledScene spinning = compiled(scene(R"({"model": "relative", "rate": "50 /s"},
      {"model": "relative", "rate": "500 /s", "clusters": "elements"})",
                                                  tets, entry.name));
    State state = spinning.start;
    Workspace workspace = spinning.system->make_workspace();
    const auto stepper = make_stepper(spinning.spec);
    const double size = spinning.system->inertia().momentum(state.q, state.v).angular.norm();
    std::vector<double> taken(2, 0);
    for (int k = 0; k < 40; ++k) {
      const StepReport report = stepper->step(*spinning.system, state, workspace, 0.5e-3);
      ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
      for (std::size_t j = 0; j < 2; ++j) {
        ASSERT_GE(report.work.damping[j], 0);
        ASSERT_LT(report.work.impulse[j].linear.norm(), 1e-13 * size);
        ASSERT_LT(report.work.impulse[j].angular.norm(), 1e-13 * size);
        taken[j] += report.work.damping[j];
      }
    }
    EXPECT_GT(taken[0], 0);
    EXPECT_GT(taken[1], 0);
  }
}

TEST(RelativeDamping, ActsOnTetsSheetsStrandsSpringsAndBarePoints) {
  struct Case {
    std::string body, clusters;
    std::string told;
  };
  const std::string springs = R"("mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 4}},
    "springs": [{"stiffness": "100 N/m"}], "point_masses": [{"where": "all", "mass": "0.1 kg"}])";
  const std::string points =
      R"("mesh": {"points": {"positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]}},
    "point_masses": [{"where": "all", "mass": "0.1 kg"}])";
  const std::vector<Case> cases{
      {tets, R"("elements")", "18 clusters"},
      {tets, R"("parts")", "1 cluster "},
      {tets, R"("edges")", "clusters (edges)"},
      {tets, R"("nearest", "neighbors": 3)", "16 clusters"},
      {tets, R"("groups", "groups": [{"box": [[-1, -1, -1], [0.11, 1, 1]]}, {"box": [[0.11, -1, -1], [1, 1, 1]]}])",
       "2 clusters"},
      {R"("mesh": {"cloth": {"size": [1, 1], "cells": [2, 2]}}, "material": {"model": "membrane", "young": "10 kPa",
        "poisson": 0.3, "thickness": "1 mm", "density": 300, "mass": "lumped"})",
       R"("elements")", "8 clusters"},
      {springs, R"("elements")", "4 clusters"},
      {points, R"("nearest", "neighbors": 2)", "5 clusters"},
      {points, R"("body")", "1 cluster "}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.body + one.clusters);
    const CompiledScene made = compiled(scene(
        fmt::format(R"({{"model": "relative", "gamma_per_step": 0.5, "clusters": {}}})", one.clusters), one.body));
    ASSERT_EQ(made.dampings.size(), 1U);
    EXPECT_THAT(made.dampings[0], HasSubstr(one.told));
    Vector v(made.system->num_dofs());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + 2.7 * static_cast<double>(i));
    Vector damped = v;
    made.system->filters()[0]->apply(made.start.q, 1e-3, damped);
    EXPECT_LT(made.system->inertia().kinetic_energy(made.start.q, damped),
              0.999 * made.system->inertia().kinetic_energy(made.start.q, v));
  }
}

TEST(RelativeDamping, OfTheWholeBodyIsThatOfPositionBasedDynamics) {
  const CompiledScene relative = compiled(scene(R"({"model": "relative", "rate": "30 /s", "clusters": "body"})"));
  const CompiledScene pbd = compiled(scene(R"({"model": "pbd", "rate": "30 /s"})"));
  Vector v = Vector::Random(relative.system->num_dofs()), w = v;
  relative.system->filters()[0]->apply(relative.start.q, 0.01, v);
  pbd.system->filters()[0]->apply(pbd.start.q, 0.01, w);
  EXPECT_LT((v - w).norm(), 1e-13 * v.norm());
}

TEST(RelativeDamping, UnsafeFormsAndThoseThatBrakeRotationSaySo) {
  const auto note = [](const std::string& torque) {
    return compiled(scene(fmt::format(R"({{"model": "relative", "rate": "3 /s", "torque": "{}"}})", torque)))
        .dampings[0];
  };
  EXPECT_THAT(note("unsafe_edges_printed"), HasSubstr("UNSAFE"));
  EXPECT_THAT(note("none"), HasSubstr("brakes rotation"));
  EXPECT_THAT(note("rigid"), ::testing::Not(HasSubstr("(UNSAFE")));
}

TEST(RelativeDamping, WhatCannotBeIsSaid) {
  const auto with = [](const std::string& settings) {
    return problem_of(scene(fmt::format(R"({{"model": "relative", {}}})", settings)));
  };
  EXPECT_THAT(with(R"("clusters": "elements")"), HasSubstr("neither rate nor gamma_per_step"));
  EXPECT_THAT(with(R"("rate": 1, "gamma_per_step": 0.5)"), HasSubstr("both rate and gamma_per_step"));
  EXPECT_THAT(with(R"("gamma_per_step": 1.5)"), HasSubstr("gamma_per_step"));
  EXPECT_THAT(with(R"("rate": -1)"), HasSubstr("rate"));
  EXPECT_THAT(with(R"("rate": 1, "clusters": "groups")"), HasSubstr("without \"groups\""));
  EXPECT_THAT(with(R"("rate": 1, "groups": [{"box": [[0, 0, 0], [1, 1, 1]]}])"), HasSubstr("nothing uses"));
  EXPECT_THAT(with(R"("rate": 1, "clusters": "triangles")"), HasSubstr("has none"));
  EXPECT_THAT(with(R"("rate": 1, "clusters": "nearest", "neighbors": 0)"), HasSubstr("neighbors"));
  EXPECT_THAT(with(R"("rate": 1, "torque": "magic")"), HasSubstr("torque"));
  std::string consistent = scene(R"({"model": "relative", "rate": 1})");
  consistent.replace(consistent.find("\"lumped\""), 8, "\"consistent\"");
  EXPECT_THAT(problem_of(consistent), HasSubstr("\"mass\": \"lumped\""));
}

}  // namespace
}  // namespace dashpot::testing::test_relative_damping
