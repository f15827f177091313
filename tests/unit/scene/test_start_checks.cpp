// What `check` foresees of the first steps: overlaps, first poses, thin colliders; and faults of colliders all at once.
#include <gtest/gtest.h>

#include <fstream>

#include "dashpot/scene/compile.hpp"

namespace dashpot::test_start_checks {
namespace {

/// A block 0.2 x 0.1 x 0.2 m whose lowest point is at `height` [m].
std::string block_world(const std::string& colliders, double height, const std::string& more = "",
                        const std::string& dt = "5 ms") {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {"dt": ")" +
         dt + R"(", "end": "1 s", "stepper": "backward_euler"},
    "bodies": [{"name": "block", "mesh": {"bar": {"size": [0.2, 0.1, 0.2], "cells": [2, 1, 2]}},
      "place": {"translate": [0, )" +
         std::to_string(height) + R"(, 0]},
      "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000})" +
         more + R"(}],
    "colliders": )" +
         colliders + "}";
}

std::string problems_of(const std::string& text) {
  std::string all;
  for (const Problem& problem : check_scene(text, "scene", "").problems) all += problem.text() + "\n";
  return all;
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST(StartChecks, ABodyInsideAColliderIsToldHowDeepAndWhichWayOut) {
  const std::string text = block_world(R"(["plane"])", -0.03);
  const std::string problems = problems_of(text);
  EXPECT_TRUE(mentions(problems, "9 of the 18 surface nodes of block start inside \"plane1\", the deepest by 30 mm"))
      << problems;
  EXPECT_TRUE(mentions(problems, "(0, 0.0303, 0) m"));
  EXPECT_TRUE(check_scene(text, "scene", "").spec.has_value()) << "a warning";
  EXPECT_EQ(problems_of(block_world(R"(["plane"])", 0.0)), "") << "resting on it";
  EXPECT_EQ(problems_of(block_world(R"(["plane"])", -0.0002)), "") << "as deep as bodies at rest are";
  EXPECT_EQ(problems_of(block_world(R"(["plane"])", -0.03, R"(, "start": {"from": "equilibrium"})")), "");
  EXPECT_EQ(problems_of(block_world(R"([{"plane": {"bodies": []}}, "plane"])", 0.1)), "");
  EXPECT_TRUE(mentions(problems_of(block_world(R"([{"plane": {"thickness": "5 cm"}}])", 0.01)), "40 mm"));
}

TEST(StartChecks, DrivenNodesThatBeginElsewhereAreWarnedAboutOrRefused) {
  const auto driven = [](const std::string& first) {
    return block_world("[]", 0,
                       R"(, "pins": [{"where": {"box": [[-1, -1, -1], [0.001, 1, 1]]}, "motion":
      {"keyframes": [{"time": 0, "translate": [0, )" +
                           first + R"(, 0]}, {"time": 1}]}}])");
  };
  EXPECT_EQ(problems_of(driven("0.005")), "");
  const std::string near = problems_of(driven("0.03"));
  EXPECT_TRUE(mentions(near, "30 mm away from where the body starts, 0.15 times its size")) << near;
  EXPECT_TRUE(check_scene(driven("0.03"), "scene", "").spec.has_value());
  EXPECT_TRUE(mentions(problems_of(driven("0.5")), "2.5 times its size"));
  EXPECT_FALSE(check_scene(driven("0.5"), "scene", "").spec.has_value()) << "nothing sensible can follow";
}

TEST(StartChecks, AWholeBodyThatIsDrivenMayBeginAnywhere) {
  const std::string motion =
      R"(, "pins": [{"where": "all", "motion": {"keyframes": [{"time": 0, "translate": [0, 5, 0]}, {"time": 1}]}}])";
  EXPECT_FALSE(mentions(problems_of(block_world("[]", 0, motion)), "away from where"));
}

TEST(StartChecks, MotionsFasterThanABodySizeAStepAreMentioned) {
  const std::string motion = R"(, "pins": [{"where": {"box": [[-1, -1, -1], [0.001, 1, 1]]}, "motion": {"keyframes":
    {"max_speed": 1e6, "keys": [{"time": 0}, {"time": 0.5}, {"time": 0.51, "translate": [0, 4, 0]}, {"time": 1,
     "translate": [0, 4, 0]}]}}}])";
  EXPECT_TRUE(mentions(problems_of(block_world("[]", 0, motion)), "of its sizes in a step of 5 ms"));
}

TEST(StartChecks, AStepTooLongForAThinColliderNamesOneThatIsNot) {
  const std::string plate = R"([{"box": {"center": [0.1, -3, 0.1], "size": [1, 0.01, 1]}}])";
  const std::string problems = problems_of(block_world(plate, 0));
  // The block falls 3.005 m to the underside of the plate: 7.68 m/s; 5 mm deep is its middle.
  EXPECT_TRUE(mentions(problems, "block may meet \"box1\" at 7.68 m/s")) << problems;
  EXPECT_TRUE(mentions(problems, "dt below 651 us")) << problems;
  EXPECT_EQ(problems_of(block_world(plate, 0, "", "0.6 ms")), "");
  EXPECT_EQ(problems_of(block_world(R"([{"box": {"center": [0.1, -3, 0.1], "size": [1, 0.01, 1],
    "step_limit": true}}])",
                                    0)),
            "");
  EXPECT_EQ(problems_of(block_world(R"([{"box": {"center": [5, -3, 0], "size": [1, 0.01, 1]}}])", 0)), "")
      << "it falls past";
  EXPECT_EQ(problems_of(block_world(R"([{"box": {"center": [0.1, -3, 0.1], "size": [1, 1, 1]}}])", 0)), "");
}

TEST(StartChecks, FaultsOfCollidersAndOfNumbersAreToldTogether) {
  const std::string file = ::testing::TempDir() + "one_triangle.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
  const std::string open = R"({"mesh": {"of": {"file": ")" + file + R"("}}})";
  std::string text = block_world(R"([{"sphere": {"center": [0, 0, 0], "radius": -1}},
    {"capsule": {"from": [0, -1, 0], "to": [0, -1, 0], "radius": 0.1}}, {"plane": {"normal": [0, 0, 0]}}, )" +
                                     open + "]",
                                 0.1);
  text.replace(text.find("\"1 MPa\""), 7, "NaN");
  const std::string problems = problems_of(text);
  for (const char* said : {"NaN", "radius > 0", "two different ends", "a direction that is not zero", "\"thickness\""})
    EXPECT_TRUE(mentions(problems, said)) << said << "\n" << problems;
}

}  // namespace
}  // namespace dashpot::test_start_checks
