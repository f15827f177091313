// The laws of damping for every damping a scene can name: a new registry entry is tested by being there.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "support/damping_laws.hpp"

namespace dashpot::testing::test_registered_dampings {
namespace {

std::shared_ptr<const System> free_bar_with(const std::string& damping, const char* mass) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}},
      "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "{}"}},
      "damping": [{}]}}]}})",
                                         mass, damping)))
      .system;
}

/// Consistent masses, but for dampings that refuse them.
std::shared_ptr<const System> consistent_or_lumped(const std::string& damping) {
  try {
    return free_bar_with(damping, "consistent");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lumped"), std::string::npos) << error.what();
    return free_bar_with(damping, "lumped");
  }
}

TEST(EveryRegisteredDamping, ObeysItsLawsInAllItsExamples) {
  int num_dampings = 0;
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::damping) continue;
    ++num_dampings;
    EXPECT_FALSE(entry.examples.empty()) << entry.name << " has no example to test";
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      const auto system = consistent_or_lumped(example);
      DampingLawOptions options;
      options.num_states = 200;
      // Coefficients [kg/s] act to first order in dt only.
      // Clusters that overlap, factors that depend on v, and explicit dashpots are rates to first order in dt.
      for (const char* inexact : {"clusters", "torque", "coefficient"})
        options.exact_rate &= example.find(inexact) == std::string::npos;
      const bool is_rate =
          example.find("per_step") == std::string::npos && example.find("coefficient") == std::string::npos;
      for (std::size_t j = 0; j < system->dissipations().size(); ++j) expect_dissipation_laws(*system, j, options);
      for (std::size_t k = 0; k < system->filters().size(); ++k) expect_filter_laws(*system, k, is_rate, options);
      EXPECT_EQ(system->dissipations().size() + system->filters().size(), 1U);
    }
  }
  EXPECT_GE(num_dampings, 2);
}

/// Three bars in a row, damped alike, of one mass kind.
std::shared_ptr<const System> three_bars_with(const std::string& damping, const char* mass) {
  std::string bodies;
  for (int i = 0; i < 3; ++i)
    bodies += fmt::format(R"({}{{"name": "bar{}", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}},
      "place": {{"translate": [{}, 0, 0]}},
      "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "{}"}},
      "damping": [{}]}})",
                          i == 0 ? "" : ", ", i, i, mass, damping);
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}}, "bodies": [{}]}})",
                                         bodies)))
      .system;
}

/// Force of term j at a disturbed state; entries that it does not touch keep what `force` held.
void add_force_of(const System& system, std::size_t j, const State& state, Vector& force, bool force_is_zero) {
  Workspace workspace = system.make_workspace();
  State start = state;  // internal variables answer to what moved since then
  start.q -= 5e-3 * state.v;
  system.begin_step(start, workspace);
  DissipationRequest request{state.q, state.v, state.internal_variables[j], 5e-3, workspace.dissipation[j].get()};
  request.force = &force;
  request.force_is_zero = force_is_zero;
  system.dissipations()[j]->evaluate(request);
}

TEST(EveryRegisteredDamping, TouchesOnlyTheBlocksItDeclares) {
  int num_forces = 0, num_shared = 0;
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::damping) continue;
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      std::shared_ptr<const System> system;
      try {
        system = three_bars_with(example, "consistent");
      } catch (const Error&) {
        system = three_bars_with(example, "lumped");
      }
      State state = system->initial_state();
      for (Eigen::Index i = 0; i < state.q.size(); ++i) {
        state.q[i] += 0.003 * std::sin(1.0 + 37.0 * static_cast<double>(i));
        state.v[i] = std::cos(2.0 + 23.0 * static_cast<double>(i));
      }
      num_shared += system->dissipations().size() > 1 && system->dissipation_layers().size() == 1;
      for (std::size_t j = 0; j < system->dissipations().size(); ++j) {
        const BlockRange blocks = system->dissipation_blocks(j);
        const Eigen::Index begin = 3 * blocks.begin, count = 3 * blocks.size(), end = begin + count;
        Vector force = Vector::Zero(state.q.size()), shared = Vector::Constant(state.q.size(), 7.0);
        add_force_of(*system, j, state, force, false);
        EXPECT_GT(force.norm(), 0);
        shared.segment(begin, count).setZero();
        add_force_of(*system, j, state, shared, true);
        EXPECT_TRUE((shared.head(begin).array() == 7.0).all()) << "wrote before its blocks";
        EXPECT_TRUE((shared.tail(shared.size() - end).array() == 7.0).all()) << "wrote behind its blocks";
        EXPECT_LE((shared - force).segment(begin, count).norm(), 1e-12 * force.norm());
        EXPECT_EQ(force.head(begin).norm() + force.tail(force.size() - end).norm(), 0);
        ++num_forces;
      }
    }
  }
  EXPECT_GT(num_forces, 10);
  EXPECT_GT(num_shared, 0) << "no damping of three bodies shares a vector";
}

}  // namespace
}  // namespace dashpot::testing::test_registered_dampings
