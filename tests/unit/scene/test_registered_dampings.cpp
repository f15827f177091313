// The laws of damping for every damping a scene can name: a new registry entry is tested by being there.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "support/damping_laws.hpp"
#include "support/registered_bodies.hpp"

namespace dashpot::testing::test_registered_dampings {
namespace {

std::shared_ptr<const System> free_body_with(const ModelEntry& entry, const std::string& damping, const char* mass) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
    "bodies": [{{"name": "body", {}, "damping": [{}]}}]}})",
                                         mesh_and_material(entry, mass), damping)))
      .system;
}

/// Consistent masses, but for dampings that refuse them.
std::shared_ptr<const System> consistent_or_lumped(const ModelEntry& entry, const std::string& damping) {
  try {
    return free_body_with(entry, damping, "consistent");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lumped"), std::string::npos) << error.what();
    return free_body_with(entry, damping, "lumped");
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
      const auto system = consistent_or_lumped(entry, example);
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
      // Of a sheet, its plane and its hinges; hysteresis is of the hinges alone.
      const bool has_two = entry.is_for_sheets && entry.name != "bouc_wen";
      EXPECT_EQ(system->dissipations().size() + system->filters().size(), has_two ? 2U : 1U);
    }
  }
  EXPECT_GE(num_dampings, 2);
}

/// Three bodies in a row, damped alike, of one mass kind.
std::shared_ptr<const System> three_bodies_with(const ModelEntry& entry, const std::string& damping, const char* mass) {
  std::string bodies;
  for (int i = 0; i < 3; ++i)
    bodies += fmt::format(R"({}{{"name": "body{}", {}, "place": {{"translate": [{}, 0, 0]}}, "damping": [{}]}})",
                          i == 0 ? "" : ", ", i, mesh_and_material(entry, mass), i, damping);
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
        system = three_bodies_with(entry, example, "consistent");
      } catch (const Error&) {
        system = three_bodies_with(entry, example, "lumped");
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

TEST(StrainRateInScenes, ObeysItsLawsOnClothStrandsAndSprings) {
  const char* sheets[] = {
      R"("mesh": {"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}}, "material": {"model": "cloth", "young": "100 kPa",
        "density": 1000, "thickness": "1 cm"})",
      R"("mesh": {"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}}, "material": {"model": "woven_cloth", "warp": "100 kPa",
        "weft": "40 kPa", "shear": "5 kPa", "bending": "3 mJ", "bending_weft": "1 mJ", "density": 1000, "thickness": "1 cm"})",
      R"("mesh": {"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}}, "material": {"model": "membrane", "young": "100 kPa",
        "density": 1000, "thickness": "1 cm"})"};
  const char* dampings[] = {
      R"({"model": "strain_rate", "beta": "4 ms", "bend_beta": "20 ms"})",
      R"({"model": "strain_rate", "beta": "4 ms", "metric": "corotational", "tangent": "symmetric"})",
      R"({"model": "strain_rate", "viscosity": "30 Pa s", "second_viscosity": "20 Pa s",
                               "bending_viscosity": "2e-5 J s", "exponent": 0.7, "reference_rate": "3 /s"})"};
  const auto check = [](const std::string& body, const std::string& damping, std::size_t terms) {
    SCOPED_TRACE(body + damping);
    const auto system = compile(parse_scene(fmt::format(R"({{
      "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
      "bodies": [{{"name": "body", {}, "damping": [{}]}}]}})",
                                                        body, damping)))
                            .system;
    ASSERT_EQ(system->dissipations().size(), terms);
    DampingLawOptions options;
    options.num_states = 100;
    for (std::size_t j = 0; j < terms; ++j) expect_dissipation_laws(*system, j, options);
  };
  for (const char* body : sheets)
    for (const char* damping : dampings) check(body, damping, 2);
  const char* chain =
      R"("mesh": {"chain": {"ends": [[0, 0, 0], [0.5, 0.1, 0]], "edges": 5}}, "point_masses": [{"mass": "1 g"}],
    "springs": [{"stiffness": "20 N/m"}])";
  check(chain, R"({"model": "strain_rate", "beta": "4 ms", "exponent": 1.4, "reference_rate": "2 /s"})", 1);
  const char* strand = R"("mesh": {"chain": {"ends": [[0, 0, 0], [0.5, 0.1, 0]], "edges": 5}},
    "material": {"model": "strand", "young": "1 MPa", "diameter": "2 mm", "density": 1000})";
  check(strand, R"({"model": "strain_rate", "beta": "4 ms", "bend_beta": "50 ms", "tangent": "symmetric"})", 2);
  check(strand, R"({"model": "strain_rate", "beta": "4 ms", "blend": "0.02 rad"})", 2);
}

TEST(StrainRateInScenes, CanBeWhatExamplesAndModesAreDesignedOver) {
  const char* over[] = {R"({"model": "rayleigh", "beta": "4 ms"})", R"({"model": "strain_rate", "beta": "4 ms"})"};
  const char* bodies[] = {
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
        "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000})",
      R"("mesh": {"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}},
        "material": {"model": "cloth", "young": "100 kPa", "density": 1000, "thickness": "1 cm"})"};
  const char* designs[] = {
      R"({{"model": "example_based", "over": {},
        "examples": [{{"name": "bow", "shape": {{"from": "mode", "mode": 1, "amplitude": "2 cm"}}, "gamma": 5}}]}})",
      R"({{"model": "modal", "over": {}, "band": {{"low": 0, "high": "1 kHz", "zeta": "20 %"}}, "modes": 2}})"};
  for (const char* body : bodies)
    for (const char* design : designs) {
      SCOPED_TRACE(std::string(body) + design);
      // At rest both are beta K: the same design over either has the same force.
      Vector force[2];
      for (int k = 0; k < 2; ++k) {
        const CompiledScene scene = compile(parse_scene(fmt::format(R"({{
          "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
          "bodies": [{{"name": "body", {}, "damping": [{}],
            "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
                                                                    body, fmt::format(fmt::runtime(design), over[k]))));
        const System& system = *scene.system;
        State state = system.initial_state();
        for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = std::cos(2.0 + 23.0 * static_cast<double>(i));
        Workspace workspace = system.make_workspace();
        system.begin_step(state, workspace);
        force[k] = Vector::Zero(state.q.size());
        DissipationRequest request{state.q, state.v, state.internal_variables[0], 5e-3, workspace.dissipation[0].get()};
        request.force = &force[k];
        system.dissipations()[0]->evaluate(request);
      }
      ASSERT_GT(force[0].norm(), 1e-3);
      EXPECT_LT((force[1] - force[0]).norm(), 1e-9 * force[0].norm());
    }
}

}  // namespace
}  // namespace dashpot::testing::test_registered_dampings
