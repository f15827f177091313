// The laws of damping for every damping a scene can name: a new registry entry is tested by being there.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/registry.hpp"
#include "support/damping_laws.hpp"

namespace dashpot::testing {
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

}  // namespace
}  // namespace dashpot::testing
