// Dampings of low rank and of scalar matrices among several bodies: each body moves as it would alone, and a damping
// holds numbers of its own body only.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/linsolve/low_rank_groups.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_many_damped_bodies {
namespace {

struct Damping {
  const char* name;
  const char* text;
};

constexpr Damping modal = {"modal over rayleigh", R"({"model": "modal", "ratios": [{"mode": 1, "zeta": 0.1},
    {"mode": 2, "zeta": 0.2}], "over": {"model": "rayleigh", "beta": "2 ms", "stiffness": "rest"}})"};
constexpr Damping constant_gain = {"examples, constant gain", R"({"model": "example_based", "frame": "fixed",
    "over": {"model": "rayleigh", "beta": "5 ms", "stiffness": "rest"},
    "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "5 cm"}, "gamma": 4}]})"};
constexpr Damping curves = {"examples, curves, turning", R"({"model": "example_based",
    "over": {"model": "rayleigh", "beta": "5 ms"},
    "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "5 cm"},
                  "curve": [[0, 0.5], [0.5, 2], [1.5, 6]]},
                 {"name": "side", "shape": {"from": "mode", "mode": 2, "amplitude": "5 cm"}, "gamma": 0.2}],
    "isotropic": {"curve": [{"size": 0, "gamma": 1}, {"size": "10 cm", "gamma": 3}]}})"};
constexpr Damping laplacian = {"laplacian",
                               R"({"model": "laplacian", "alpha": "0.3 /s", "beta": "5 ms", "keeps": "linear"})"};
constexpr Damping global = {"laplacian, global spin", R"({"model": "laplacian", "beta": "5 ms", "keeps": "global"})"};

/// Clamped bars in a row, two meters apart, the first of them number `first`.
CompiledScene bars(int first, int count, const std::string& damping, const std::string& solver) {
  std::string bodies;
  for (int i = first; i < first + count; ++i)
    bodies += fmt::format(R"({}{{"name": "bar{}", "mesh": {{"bar": {{"size": [1, 0.2, 0.25], "cells": [4, 1, 1]}}}},
      "place": {{"translate": [{}, 0, 0]}},
      "material": {{"model": "corotational", "young": "{} kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}},
      "damping": [{}], "pins": [{{"where": {{"box": [[{}, -1, -1], [{}, 1, 1]]}}}}]}})",
                          i == first ? "" : ", ", i, 2 * i, 400 + 150 * i, damping, 2 * i - 0.5, 2 * i + 1e-6);
  return compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0.5, -9.81, 1], "time": {{"dt": "5 ms", "end": "1 s", "stepper": "backward_euler"}},
          "solver": {{{}}}, "bodies": [{}]}})",
      solver, bodies)));
}

State ride(const CompiledScene& scene) {
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  State state = scene.start;
  Workspace workspace = scene.system->make_workspace();
  for (int i = 0; i < 20; ++i) {
    const StepReport report = stepper->step(*scene.system, state, workspace, scene.run.dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
  }
  return state;
}

void expect_each_as_alone(const Damping& damping, const std::string& solver) {
  SCOPED_TRACE(fmt::format("{} {}", damping.name, solver));
  const CompiledScene all = bars(0, 3, damping.text, solver);
  const State together = ride(all);
  for (int i = 0; i < 3; ++i) {
    const CompiledScene one = bars(i, 1, damping.text, solver);
    const State alone = ride(one);
    const Eigen::Index n = one.system->num_dofs();
    const Vector moved = alone.q - one.start.q;
    ASSERT_GT(moved.norm(), 1e-2);
    EXPECT_LT((together.q.segment(i * n, n) - alone.q).norm(), 1e-8 * moved.norm()) << "bar " << i;
  }
}

TEST(ManyDampedBodies, MoveAsEachDoesAloneByNewtonsMethod) {
  for (const Damping& damping : {modal, constant_gain, curves, laplacian, global})
    expect_each_as_alone(damping, R"("newton": {"tolerance": 1e-12})");
}

TEST(ManyDampedBodies, MoveAsEachDoesAloneInProjectiveDynamics) {
  for (const Damping& damping : {constant_gain, laplacian, global})
    expect_each_as_alone(damping, R"("projective": {"tolerance": 1e-12})");
}

TEST(ManyDampedBodies, HoldNumbersOfTheirOwnBody) {
  for (const Damping& damping : {modal, constant_gain, curves, laplacian, global}) {
    SCOPED_TRACE(damping.name);
    const CompiledScene many = bars(0, 6, damping.text, "");
    const System& system = *many.system;
    const int nodes = system.pattern()->num_blocks() / 6;
    std::vector<LowRank> parts;
    BlockMatrix tangent(system.pattern());
    Workspace workspace = system.make_workspace();
    system.begin_step(many.start, workspace);
    const Vector v = Vector::Ones(system.num_dofs());
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(system.dissipation_blocks(j).begin, static_cast<int>(j) * nodes);
      EXPECT_EQ(system.dissipation_blocks(j).size(), nodes);
      DissipationRequest request{many.start.q, v, many.start.internal_variables[j], 0, workspace.dissipation[j].get()};
      request.tangent = &tangent;
      request.low_rank = &parts;
      request.dv_scale = request.dq_scale = 1;
      system.dissipations()[j]->evaluate(request);
    }
    for (const LowRank& part : parts) {
      EXPECT_EQ(part.num_rows(), 3 * nodes);
      EXPECT_EQ(part.first_dof % (3 * nodes), 0);
    }
    const BlockComponents components(system.pattern(), DynamicBlocks());
    EXPECT_EQ(components.size(), 6);
    const PartGroups groups(&components, parts, system.num_dofs()), one(nullptr, parts, system.num_dofs());
    EXPECT_GE(one.num_columns(), 5 * groups.num_columns()) << "bodies apart share right-hand sides";
    EXPECT_EQ(system.dissipation_layers().size(), 1);
  }
}

}  // namespace
}  // namespace dashpot::test_many_damped_bodies
