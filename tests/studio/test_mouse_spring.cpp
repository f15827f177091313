// How stiff a body is under the mouse, and what a pull asks of the bodies that are not pulled: nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/read_scene.hpp"
#include "mouse_spring.hpp"

namespace dashpot::test_mouse_spring {

using namespace dashpot::studio;

constexpr double length = 0.5, side = 0.05, young = 1e6;

/// A bar along x, clamped at its left end unless it is free; `others`: further bars beside it.
CompiledScene bars(bool is_clamped, int others) {
  std::string bodies;
  for (int i = 0; i <= others; ++i)
    bodies += fmt::format(
        R"({}{{"name": "bar_{}", "mesh": {{"bar": {{"size": [{}, {}, {}], "cells": [20, 2, 2]}}}},
             "place": {{"translate": [0, {}, 0]}},
             "material": {{"model": "corotational", "young": {}, "poisson": 0, "density": 1000}}{}}})",
        i == 0 ? "" : ", ", i, length, side, side, 0.2 * i, young,
        is_clamped ? R"(, "pins": [{"where": {"box": [[-1e-6, -1, -1], [1e-6, 9, 9]]}}])" : "");
  const std::string text =
      R"({"dashpot": 1, "time": {"dt": "5 ms", "end": "1 s", "stepper": "bathe"}, "bodies": [)" + bodies + "]}";
  CheckedScene checked = check_scene(parse_json(text, "bars").value, "bars", ".");
  for (const Problem& problem : checked.problems)
    EXPECT_NE(problem.severity, Problem::Severity::error) << problem.text();
  return compile(std::move(*checked.spec));
}

/// The end of the first bar: all nodes of its last section, by their share of it.
Patch end_of(const CompiledScene& scene) {
  Patch patch;
  const std::vector<Vec3>& nodes = scene.bodies.front().mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].x() > length - 1e-9) patch.points.push_back(scene.bodies.front().first_block + static_cast<int>(i));
  patch.weights.assign(patch.points.size(), 1.0 / static_cast<double>(patch.points.size()));
  return patch;
}

TEST(MouseSpring, AClampedBarIsAsStiffUnderThePatchAsABeam) {
  const CompiledScene scene = bars(true, 0);
  const auto stiffness = stiffness_under(*scene.system, scene.bodies.front(), end_of(scene));
  ASSERT_TRUE(stiffness);
  const double beam = 3 * young * std::pow(side, 4) / 12 / std::pow(length, 3);  // 3 E I / L^3
  EXPECT_GT(*stiffness, beam);                                                   // linear tets are too stiff
  EXPECT_LT(*stiffness, 2.5 * beam);
}

TEST(MouseSpring, ABodyThatNothingHoldsHasNoStiffness) {
  const CompiledScene scene = bars(false, 0);
  EXPECT_FALSE(stiffness_under(*scene.system, scene.bodies.front(), end_of(scene)));
}

TEST(MouseSpring, BodiesThatAreNotGrabbedChangeNothing) {
  const CompiledScene alone = bars(true, 0), among = bars(true, 3);
  const auto count = [](const CompiledScene& scene) {
    const std::vector<std::uint8_t> free = free_dofs_of(*scene.system, scene.bodies.front());
    return std::count(free.begin(), free.end(), 1);
  };
  EXPECT_EQ(count(alone), 3 * (alone.bodies.front().mesh.num_nodes() - 9));  // nine nodes are clamped
  EXPECT_EQ(count(among), count(alone));
  const auto of_one = stiffness_under(*alone.system, alone.bodies.front(), end_of(alone));
  const auto of_four = stiffness_under(*among.system, among.bodies.front(), end_of(among));
  ASSERT_TRUE(of_one && of_four);
  EXPECT_NEAR(*of_four, *of_one, 1e-9 * *of_one);
  MassSolver mass_alone, mass_among;
  const double dt = alone.run.dt;
  const auto one = PatchResponse::of(*alone.system, alone.bodies.front(), alone.start.q, end_of(alone), dt, mass_alone);
  const auto four =
      PatchResponse::of(*among.system, among.bodies.front(), among.start.q, end_of(among), dt, mass_among);
  ASSERT_TRUE(one && four);
  EXPECT_GT(one->mobility().trace(), 0);
  EXPECT_LT((four->mobility() - one->mobility()).norm(), 1e-9 * one->mobility().norm());
  const Eigen::Index own = one->columns().rows();
  EXPECT_LT((four->columns().topRows(own) - one->columns()).norm(), 1e-9 * one->columns().norm());
  EXPECT_EQ(four->columns().bottomRows(four->columns().rows() - own).norm(), 0);
}

}  // namespace dashpot::test_mouse_spring
