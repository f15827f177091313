#include "scene_file.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/json_document.hpp"
#include "dashpot/scene/read_scene.hpp"

namespace dashpot::cli::test_scene_file {
namespace {

TEST(SceneFile, EveryFileIsASceneThatRunsAsItIs) {
  const std::vector<std::string> names = scene_file_names();
  EXPECT_GE(names.size(), 14U);
  for (const std::string& name : names) {
    // Coarse bodies: what is asked is whether names, units and places are right.
    const JsonValue scene = parse_json(scene_file(name), name).value;
    std::vector<SceneChange> coarse;
    for (const char* tets : {"/bodies/0/mesh/tets", "/bodies/0/mesh/shape/tets"})
      if (at_pointer(scene, tets) != nullptr) coarse.push_back({tets, 2500});
    const CheckedScene checked = check_scene(scene_file(name, coarse), name, "");
    EXPECT_TRUE(checked.spec.has_value()) << name;
    for (const Problem& problem : checked.problems)
      if (problem.severity == Problem::Severity::error) ADD_FAILURE() << problem.text();
  }
}

TEST(SceneFile, AVariantHasTheValuesPutInPlaceAndTheOthersOfTheFile) {
  const SceneSpec file = parse_scene(scene_file("spinning_koala")),
                  variant = parse_scene(scene_file(
                      "spinning_koala", {{"/time/dt", 0.1 + 0.2},
                                         {"/bodies/0/mesh/tets", 600},
                                         {"/bodies/0/damping", list_of(R"({"model": "rayleigh", "beta": 1})")}}));
  EXPECT_EQ(file.time.dt, 0.01);
  EXPECT_EQ(variant.time.dt, 0.1 + 0.2) << "every digit";
  EXPECT_EQ(file.bodies.at(0).damping.size(), 0U);
  EXPECT_EQ(variant.bodies.at(0).damping.size(), 1U);
  EXPECT_EQ(variant.time.end, file.time.end);
}

TEST(SceneFile, WhatLeadsNowhereIsRefused) {
  EXPECT_THROW(scene_file("nothing"), Error);
  EXPECT_THROW(scene_file("spinning_koala", {{"/bodies/koala/mesh/tets", 600}}), Error);
  EXPECT_THROW(scene_file("spinning_koala", {{"/bodies/0/damping", "[{"}}), Error);
  EXPECT_THROW(parse_scene(scene_file("spinning_koala", {{"/time/dtt", 1}})), Error);
}

}  // namespace
}  // namespace dashpot::cli::test_scene_file
