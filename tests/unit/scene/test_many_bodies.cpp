// Bodies that do not touch move as each would alone, and cost as much.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_many_bodies {
namespace {

/// Bars in a row, two meters apart, the first of them number `first`; on the floor or clamped at one end.
CompiledScene bars(int first, int count, bool on_floor, const std::string& stepper) {
  std::string bodies;
  for (int i = first; i < first + count; ++i)
    bodies += fmt::format(R"({}{{"name": "bar{}", "mesh": {{"bar": {{"size": [1, 0.2, 0.2], "cells": [4, 1, 1]}}}},
      "place": {{"translate": [{}, {}, 0]}},
      "material": {{"model": "stvk", "young": "{} kPa", "poisson": 0.4, "density": 1000, "mass": "lumped"}},
      "damping": [{{"model": "rayleigh", "alpha": "0.5 /s", "beta": "2 ms", "stiffness": "gauss_newton"}}]{}}})",
                          i == first ? "" : ", ", i, 2 * i, on_floor ? 0.002 : 0, 400 + 150 * i,
                          on_floor ? ""
                                   : fmt::format(R"(,
      "pins": [{{"where": {{"box": [[{}, -1, -1], [{}, 1, 1]]}}}}])",
                                                 2 * i - 0.5, 2 * i + 1e-6));
  return compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0.5, -9.81, 0], "time": {{"dt": "0.2 ms", "end": "1 s", "stepper": "{}"}}, "bodies": [{}]{}}})",
      stepper, bodies, on_floor ? R"(, "colliders": [{"plane": {"name": "floor", "friction": 0.3}}])" : "")));
}

struct Ride {
  State state;
  std::vector<double> damping;  ///< work of each damping [J]
};

Ride ride(const CompiledScene& scene, const std::string& kind, double dt, int steps) {
  NewtonOptions newton;
  newton.tolerance = 1e-12;
  const std::unique_ptr<Stepper> stepper = make_stepper(kind, newton, {});
  Ride result{scene.start, std::vector<double>(scene.system->dissipations().size(), 0)};
  Workspace workspace = scene.system->make_workspace();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(*scene.system, result.state, workspace, dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    for (std::size_t j = 0; j < result.damping.size(); ++j) result.damping[j] += report.work.damping[j];
  }
  return result;
}

struct Case {
  const char* name;
  double dt;
  int steps;
  bool on_floor;
};

TEST(ManyBodies, MoveAsEachDoesAlone) {
  for (const Case& c : {Case{"trapezoid", 5e-3, 25, false}, Case{"bathe", 5e-3, 25, false},
                        Case{"backward_euler", 5e-3, 25, true}, Case{"symplectic_euler", 2e-4, 300, true}}) {
    SCOPED_TRACE(fmt::format("{} {}", c.name, c.on_floor ? "on a floor" : "clamped"));
    const CompiledScene all = bars(0, 3, c.on_floor, c.name);
    const Ride together = ride(all, c.name, c.dt, c.steps);
    const std::size_t num_contacts = all.system->dissipations().size() - 3;  // one for all bodies
    if (c.on_floor) EXPECT_GT(together.damping.back(), 1e-6) << "friction: they have landed";
    for (int i = 0; i < 3; ++i) {
      const CompiledScene one = bars(i, 1, c.on_floor, c.name);
      const Ride alone = ride(one, c.name, c.dt, c.steps);
      const Eigen::Index n = one.system->num_dofs();
      const Vector moved = alone.state.q - one.start.q;
      ASSERT_GT(moved.norm(), 1e-3);
      EXPECT_LT((together.state.q.segment(i * n, n) - alone.state.q).norm(), 1e-8 * moved.norm());
      EXPECT_LT((together.state.v.segment(i * n, n) - alone.state.v).norm(), 1e-8 * alone.state.v.norm());
      // Dampings of bodies come first, body by body; those of contacts behind them.
      ASSERT_EQ(one.system->dissipations().size(), 1 + num_contacts);
      ASSERT_GT(alone.damping[0], 1e-6);
      EXPECT_NEAR(together.damping[static_cast<std::size_t>(i)], alone.damping[0], 1e-7 * alone.damping[0]);
    }
  }
}

TEST(ManyBodies, ShareTheVectorsOfTheirTerms) {
  for (const bool on_floor : {false, true}) {
    const CompiledScene one = bars(0, 1, on_floor, "trapezoid"), many = bars(0, 20, on_floor, "trapezoid");
    EXPECT_GE(many.system->energies().size(), 40U);
    EXPECT_EQ(many.system->energy_layers().size(), one.system->energy_layers().size());
    EXPECT_EQ(many.system->dissipation_layers().size(), one.system->dissipation_layers().size());
    EXPECT_GT(many.system->dissipation_layers().size(), 0);
  }
}

TEST(ManyBodies, AreBalancedToTheSameToleranceAsOne) {
  const CompiledScene one = bars(0, 1, false, "trapezoid"), many = bars(0, 9, false, "trapezoid");
  const auto scale = [](const CompiledScene& scene) {
    Workspace workspace = scene.system->make_workspace();
    scene.system->begin_step(scene.start, workspace);
    Balance balance;
    evaluate_balance(*scene.system, workspace, scene.start.internal_variables,
                     {scene.start.q, scene.start.v, scene.start.a}, {0, 0}, nullptr, balance);
    return balance.force_scale;
  };
  // Gravity alone acts at the start, alike on all bars: nine of them have three times the norm, not nine times.
  EXPECT_NEAR(scale(many) / scale(one), 3, 0.1);
}

}  // namespace
}  // namespace dashpot::test_many_bodies
