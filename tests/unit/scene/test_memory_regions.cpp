// Memory by region: prony, zener and structural with other numbers in parts of a solid, and painted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/dissipation/loss_band.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"
#include "support/noise_vector.hpp"

namespace dashpot::test_memory_regions {
namespace {

std::string scene(const std::string& damping) {
  return fmt::format(
      R"({{"dashpot": 1, "time": {{"dt": "2 ms", "end": "20 ms"}}, "bodies": [{{"name": "bar",
        "mesh": {{"bar": {{"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}}},
        "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000}},
        "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
        "damping": [{}], "start": {{"from": "rest"}}}}]}})",
      damping);
}
const char* const tip = R"("where": {"box": [[0.2, -1, -1], [1, 1, 1]]})";
const char* const everywhere = R"("where": {"box": [[-1, -1, -1], [1, 1, 1]]})";

/// Force of all dampings after two steps of one path, the same for all scenes of as many nodes.
Vector force_of(const std::string& text) {
  const CompiledScene compiled = compile(parse_scene(text));
  const System& system = *compiled.system;
  State state = system.initial_state();
  Workspace workspace = system.make_workspace();
  Vector force;
  for (int i = 0; i < 2; ++i) {
    system.begin_step(state, workspace);
    const Vector q = state.q + 0.01 * testing::noise(state.q.size(), 1000 * i), v = Vector::Zero(state.q.size());
    force = Vector::Zero(q.size());
    for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
      const Vector start = state.internal_variables[j];
      DissipationRequest request{q, v, start, 0.01, workspace.dissipation[j].get()};
      request.force = &force;
      request.new_internal_variables = &state.internal_variables[j];
      system.dissipations()[j]->evaluate(request);
    }
    state.q = q;
  }
  return force;
}

struct Model {
  const char *body, *other;  ///< two sets of numbers
};
const Model models[] = {
    {R"("model": "prony", "branches": [{"share": 0.4, "tau": "50 ms"}, {"share": 0.2, "tau": "3 ms"}])",
     R"("branches": [{"share": 0.7, "tau": "3 ms"}, {"share": 0.1, "tau": "9 ms"}])"},
    {R"("model": "zener", "loss_factor": 0.2, "f": "5 Hz")", R"("loss_factor": 0.5, "f": "8 Hz")"},
    // The moduli are those of the body at `at`: with the same number there, regions change the damping alone.
    {R"("model": "structural", "loss_factor": 0.1, "from": 1, "to": 100)", R"("loss_factor": 0.1)"}};

TEST(MemoryRegions, ARegionThatIsAllOfTheBodyIsTheBody) {
  for (const Model& model : models) {
    const std::string name = std::string(model.body).substr(0, std::string(model.body).find(','));
    std::string rest = model.other;
    if (name.find("structural") != std::string::npos) rest += R"(, "from": 1, "to": 100)";
    const Vector plain = force_of(scene(fmt::format("{{{}, {}}}", name, rest))),
                 all = force_of(
                     scene(fmt::format("{{{}, \"regions\": [{{{}, {}}}]}}", model.body, everywhere, model.other)));
    ASSERT_GT(plain.norm(), 1e-3);
    EXPECT_LT((plain - all).norm(), 1e-13 * plain.norm()) << model.body;
  }
}

TEST(MemoryRegions, PartsAddUp) {
  // One series in the tip and another in the root: the sum of each with nothing in the other part.
  for (const Model& model : {models[0], models[1]}) {
    const bool is_list = std::string(model.body).find("branches") != std::string::npos;
    const std::string none = is_list ? R"("branches": [{"share": 0, "tau": 1}])" : R"("loss_factor": 0)";
    const std::string name = std::string(model.body).substr(0, std::string(model.body).find(','));
    const auto with = [&](const std::string& root, const std::string& other) {
      return force_of(scene(fmt::format("{{{}, {}, \"regions\": [{{{}, {}}}]}}", name, root, tip, other)));
    };
    const std::string own = std::string(model.body).substr(name.size() + 2);
    const std::string nothing = is_list ? none : none + R"(, "f": 1)";
    const Vector both = with(own, model.other), root = with(own, none), end = with(nothing, model.other);
    ASSERT_GT(root.norm(), 1e-3);
    ASSERT_GT(end.norm(), 1e-3);
    EXPECT_LT((both - root - end).norm(), 1e-13 * both.norm()) << model.body;
  }
}

TEST(MemoryRegions, BranchesOfOneTimeAreRememberedOnce) {
  const auto variables = [](const std::string& damping) {
    return compile(parse_scene(scene(damping))).system->dissipations().front()->num_internal_variables();
  };
  const int one = variables(R"({"model": "structural", "loss_factor": 0.1, "from": 1, "to": 100})");
  EXPECT_EQ(
      variables(fmt::format(
          R"({{"model": "structural", "loss_factor": 0.1, "from": 1, "to": 100, "regions": [{{{}, "loss_factor": 0.3}}]}})",
          tip)),
      one);
}

TEST(MemoryRegions, SharesOfRegionsAreParametersOfTheirOwn) {
  const std::string damping = fmt::format("{{{}, \"regions\": [{{{}, {}}}]}}", models[0].body, tip, models[0].other);
  const CompiledScene compiled = compile(parse_scene(scene(damping)));
  const ParameterLayout& layout = compiled.system->parameters();
  const auto value = [&](const std::string& name) {
    return layout.at("/bodies/0/damping/0/" + name).info.values.at(0);
  };
  EXPECT_EQ(value("branches/0/share"), 0.4);
  EXPECT_EQ(value("branches/1/share"), 0.2);
  EXPECT_EQ(value("regions/0/branches/0/share"), 0.7);
  EXPECT_EQ(value("regions/0/branches/1/share"), 0.1);
  EXPECT_EQ(value("branches/1/tau"), 3e-3) << "shared with the region's first";
  EXPECT_EQ(value("regions/0/branches/1/tau"), 9e-3);
}

TEST(MemoryRegions, NotesTellTheModuliThere) {
  const CompiledScene compiled = compile(parse_scene(scene(fmt::format(
      R"({{"model": "structural", "loss_factor": 0.1, "from": 1, "to": 100, "regions": [{{{}, "loss_factor": 0.3}}]}})",
      tip))));
  const double factor = modulus_factor(constant_loss_factor(0.3, 1, 100).branches, 10).storage /
                        modulus_factor(constant_loss_factor(0.1, 1, 100).branches, 10).storage;
  ASSERT_GT(factor, 1.1);
  std::string notes;
  for (const std::string& note : compiled.dampings) notes += note;
  EXPECT_NE(notes.find(fmt::format("other amounts in regions, whose moduli there are {:.4g} of those given", factor)),
            std::string::npos)
      << notes;
}

TEST(MemoryRegions, SolidsYieldInScenesToo) {
  const RunResult run = simulate(compile(parse_scene(scene(R"({"model": "bouc_wen", "share": 0.5, "strain": 1e-3})"))));
  EXPECT_EQ(run.status, RunStatus::finished) << run.explanation;
  EXPECT_THROW(compile(parse_scene(scene(R"({"model": "bouc_wen", "share": 0.5, "strain": 0.01, "exponent": 2})"))),
               Error);
  EXPECT_THROW(compile(parse_scene(scene(R"({"model": "bouc_wen", "share": 0.5, "angle": 0.01})"))), Error);
}

}  // namespace
}  // namespace dashpot::test_memory_regions
