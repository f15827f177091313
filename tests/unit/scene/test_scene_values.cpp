// Scenes as C++ values: the generated structs are those of the registry, JSON and values are the same scene, and a
// scene built field by field runs with the same bits as its text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"
#include "dashpot/scene/scene.hpp"
#include "dashpot/scene/simulate.hpp"
#include "scene_text.hpp"
#include "support/registered_bodies.hpp"
#include "support/source_folder.hpp"

namespace dashpot::test_scene_values {
namespace {

namespace damping = scene::damping;
namespace material = scene::material;
namespace mesh = scene::mesh;
namespace start = scene::start;
namespace where = scene::where;

TEST(SceneValues, TheStructsAreThoseOfTheRegistry) {
  const std::string path = source_folder() + "/src/dashpot/scene/format/scene_models.hpp", wanted = scene_header();
  if (std::getenv("DASHPOT_UPDATE_DOCS") != nullptr) write_file_atomically(path, wanted);
  for (const ModelEntry& entry : registry().entries())
    EXPECT_NE(wanted.find("model_name = \"" + entry.name + "\""), std::string::npos) << entry.name;
  EXPECT_TRUE(read_file(path) == wanted) << "run DASHPOT_UPDATE_DOCS=1 build/bin/test_scene";
}

/// From JSON to values and back to JSON: what is checked is the normal form, every default filled in.
void expect_round_trip(const SceneSpec& spec) {
  const std::string text = write_scene(editable(spec));
  EXPECT_EQ(filled_in(parse_scene(text, "written", spec.document->folder)), filled_in(spec));
}

TEST(SceneValues, EveryShippedSceneSurvivesTheWayIntoValuesAndBackToJSON) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/scenes")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    expect_round_trip(load_scene(entry.path().string()));
    ++count;
  }
  EXPECT_GT(count, 15);
}

TEST(SceneValues, EveryExampleOfTheRegistrySurvivesTheWayIntoValuesAndBackToJSON) {
  int dampings = 0, materials = 0;
  for (const ModelEntry& entry : registry().entries())
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      const bool is_material = entry.category == Category::material;
      (is_material ? materials : dampings) += 1;
      const std::string body =
          is_material ? R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}, "material": )" + example
                      : testing::mesh_and_material(entry, "lumped");
      expect_round_trip(parse_scene(fmt::format(R"({{
        "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
        "bodies": [{{"name": "body", {}, "damping": [{}]}}]}})",
                                                body, is_material ? "" : example)));
    }
  EXPECT_GT(dampings, 10);
  EXPECT_GT(materials, 0);
}

TEST(SceneValues, RegionsSteppersAndOptionalSectionsSurviveTheWayToo) {
  std::string text =
      with(ringing_beam(), R"("density": 1000,)",
           R"("density": 1000, "regions": [{"where": {"box": [[-1, -1, -1], [0.5, 1, 1]]}, "young": "2 MPa"}],)");
  text = with(text, R"("stepper": "bathe")", R"("stepper": {"generalized_alpha": {"rho_inf": 0.7}})");
  text = with(text, R"("linear": "auto")", R"("linear": "cholmod")");
  text = with(
      text, R"([1e-6, 1, 1]]}})",
      R"([1e-6, 1, 1]]}, "axes": ["x", "z"], "motion": {"harmonic": {"amplitude": [0, "1 mm", 0], "frequency": "3 Hz"}}})");
  const SceneSpec spec = parse_scene(text);
  EXPECT_FALSE(spec.bodies[0].pins[0].axes[1]) << "the text was changed";
  expect_round_trip(spec);
}

/// The beam of scene_text.hpp, field by field.
scene::Scene ringing_beam_in_code() {
  scene::Scene s;
  s.title = "A beam that rings";
  s.gravity = {0, -9.81, 0};
  s.time = {.dt = 5e-3, .end = 2};
  scene::Body& beam = s.bodies.emplace_back();
  beam.name = "beam";
  beam.mesh = mesh::bar{.size = {1, 0.1, 0.1}, .cells = {8, 1, 1}};
  beam.material = material::stvk{.young = 1e6, .poisson = 0.4, .density = 1000};
  beam.damping = {damping::rayleigh{.zeta = {{{.f = 2, .zeta = 0.02}, {.f = 20, .zeta = 0.02}}},
                                    .stiffness = damping::rayleigh_stiffness::projected_tangent}};
  beam.pins = {{.where = where::box{.corners = {Vec3(-1, -1, -1), Vec3(1e-6, 1, 1)}}}};
  s.record = {.every = 0.01, .checkpoint = 1};
  s.record.probes = {{.name = "tip", .body = "beam", .where = where::nearest{.point = {1, 0, 0}}}};
  return s;
}

TEST(SceneValues, ASceneInCodeIsTheSameSceneAsItsTextAndRunsWithTheSameBits) {
  scene::Scene in_code = ringing_beam_in_code();
  const CheckedScene checked = check_scene(in_code);
  ASSERT_TRUE(checked.spec.has_value());
  EXPECT_EQ(filled_in(*checked.spec), filled_in(parse_scene(ringing_beam())));
  in_code.time.end = 0.1;
  const RunResult a = simulate(compile(in_code)),
                  b = simulate(compile(parse_scene(with(ringing_beam(), R"("2 s")", R"("0.1 s")"))));
  EXPECT_GT(a.state.q.norm(), 0);
  EXPECT_EQ(a.state.hash(), b.state.hash());
  EXPECT_EQ(a.ledger.values, b.ledger.values);
}

TEST(SceneValues, ADampingAskedForByItsRatioIsMeasuredAtTheProbe) {
  scene::Scene s = ringing_beam_in_code();
  s.gravity = Vec3::Zero();
  s.bodies[0].damping = {damping::rayleigh{.zeta = {{{.mode = 1, .zeta = 0.03}}}}};
  s.bodies[0].start = start::mode{.mode = 1, .amplitude = 1e-3};
  s.record.every = 0;
  const RunResult run = simulate(compile(s));
  EXPECT_NEAR(analysis::measure_ring_down(run.probe("tip")).zeta, 0.03, 6e-4);
}

TEST(SceneValues, ACheckedSceneCanBeEditedAndRun) {
  scene::Scene s = editable(parse_scene(ringing_beam()));
  std::get<material::stvk>(s.bodies.at(0).material).young = 4e6;
  const SceneSpec spec = *check_scene(s).spec;
  EXPECT_EQ(spec.bodies[0].material->settings.number("young"), 4e6);
  EXPECT_EQ(spec.bodies[0].material->settings.number("poisson"), 0.4);
}

TEST(SceneValues, CopiesOfAModelThatHoldsAnotherAreIndependent) {
  damping::example_based outer{.over = damping::rayleigh{.beta = 1e-2}};
  const damping::example_based copy = outer;
  std::get<damping::rayleigh>(*outer.over).beta = 2e-2;
  EXPECT_EQ(std::get<damping::rayleigh>(*copy.over).beta, 1e-2);
}

TEST(SceneValues, WhatWasNeverSetIsAskedForByNameAndAllAtOnce) {
  scene::Scene s;
  s.bodies.emplace_back().material = material::stvk{.poisson = 0.3};
  const CheckedScene checked = check_scene(s);
  EXPECT_FALSE(checked.spec.has_value());
  std::string all;
  for (const Problem& problem : checked.problems) all += problem.text() + "\n";
  for (const char* missing : {"\"dt\"", "\"end\"", "\"mesh\"", "\"young\"", "\"density\""})
    EXPECT_NE(all.find(missing), std::string::npos) << missing << " in\n" << all;
  EXPECT_NE(all.find("/bodies/0/material"), std::string::npos) << all;
  EXPECT_EQ(all.find("\"poisson\""), std::string::npos) << all;
  EXPECT_THROW(compile(s), Error);
}

TEST(SceneValues, AValueOutOfRangeIsRefusedWithItsPlaceAndRange) {
  scene::Scene s = ringing_beam_in_code();
  std::get<material::stvk>(s.bodies[0].material).poisson = 0.6;
  const CheckedScene checked = check_scene(s);
  ASSERT_FALSE(checked.spec.has_value());
  ASSERT_EQ(checked.problems.size(), 1U);
  EXPECT_NE(checked.problems[0].text().find("/bodies/0/material/poisson"), std::string::npos)
      << checked.problems[0].text();
}

}  // namespace
}  // namespace dashpot::test_scene_values
