// Laws as files: exact round trips, use in scenes, what is wrong with a file and where, and warnings about other steps.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/law_of_body.hpp"

namespace dashpot::test_law_file {
namespace {

class LawFiles : public ::testing::Test {
 protected:
  LawFiles() : folder_(::testing::TempDir() + "law_file_test") { create_folder(folder_); }
  ~LawFiles() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_ + "/" + name, text);
  }
  static std::string scene(const std::string& material, const std::string& damping, const std::string& time) {
    return R"({"dashpot": 1, "time": {)" + time + R"(, "end": "1 s"}, "bodies": [{"name": "bar",
      "mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}, "material": )" +
           material + R"(, "damping": [)" + damping + "]}]}";
  }
  CheckedScene check(const std::string& material, const std::string& damping = "",
                     const std::string& time = R"("dt": "2.5 ms", "stepper": "backward_euler")") const {
    return check_scene(scene(material, damping, time), "scene.json", folder_);
  }
  static std::string text_of(const std::vector<Problem>& problems) {
    return problems.empty() ? "" : std::string(Error(problems).what());
  }
  std::string folder_;
};

constexpr const char* material = R"({"model": "learned", "young": 35000, "poisson": 0.43, "density": 1000,
  "nominal": "neo_hookean", "scale": "20 kPa", "tail": [0.123456789012345678, -0.3],
  "stretch": [-0.1, 0.2, -0.3, 0.4, 0.1, 0.3], "stretch_range": [0.7, 1.4], "volume": [],
  "kernels": [0.1], "kernel_centers": [[1.2, 1, 0.9]], "kernel_width": 0.21})";
constexpr const char* damping = R"({"model": "stretch_rayleigh", "beta": "2 ms", "beta_curve": [0.1, 0.2, 0.3, 0.4]})";

/// Forces at a fixed disturbance, with velocities.
Vector forces_of(const System& system) {
  State state = system.initial_state();
  for (Eigen::Index i = 0; i < state.q.size(); ++i) {
    state.q[i] += 0.01 * std::sin(1.0 + 37.0 * static_cast<double>(i));
    state.v[i] = std::cos(2.0 + 23.0 * static_cast<double>(i));
  }
  Vector force = Vector::Zero(system.num_dofs());
  for (const auto& energy : system.energies()) {
    EnergyRequest request{state.q};
    request.gradient = &force;
    energy->evaluate(request);
  }
  Workspace workspace = system.make_workspace();
  system.begin_step(state, workspace);
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    DissipationRequest request{state.q, state.v, state.internal_variables[j], 1e-3, workspace.dissipation[j].get()};
    request.force = &force;
    system.dissipations()[j]->evaluate(request);
  }
  return force;
}

TEST_F(LawFiles, ALearnedBodyGivesALawThatMakesTheSameBodyBitForBit) {
  const CheckedScene first = check(material, damping);
  ASSERT_TRUE(first.spec) << text_of(first.problems);
  const CompiledScene taught = compile(*first.spec);
  std::vector<double> values = taught.system->parameters().nominal();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& name = [&]() -> const std::string& {
      for (const ParameterLayout::Entry& entry : taught.system->parameters().entries())
        if (static_cast<int>(k) >= entry.first && static_cast<int>(k) < entry.first + entry.size())
          return entry.info.name;
      return taught.system->parameters().entries().front().info.name;
    }();
    if (name.find("density") == std::string::npos) values[k] *= 1 + 0.1 * std::sin(static_cast<double>(k) + 1);
  }
  LawFile law = law_of_body(*first.spec, first.spec->bodies[0], taught.system->parameters(), values);
  law.title = "a rubber";
  law.visited = {0.71234567890123456, 1.3, 0.9, 1.1};
  law.data = {"run1.csv", "run2.csv"};
  const std::string text = write_law(law);
  EXPECT_EQ(write_law(read_law(text, "again")), text);
  const LawFile again = read_law(text, "again");
  EXPECT_EQ(again.visited.least, law.visited.least);
  EXPECT_EQ(again.data, law.data);
  EXPECT_EQ(again.dt, 0.0025);
  EXPECT_EQ(again.density, 1000);
  EXPECT_FALSE(again.commit.empty());
  EXPECT_EQ(again.material.find("density"), nullptr);

  write("rubber.law.json", text);
  const CheckedScene second = check(R"({"model": "learned", "law": "rubber.law.json", "density": 1000})",
                                    R"({"model": "stretch_rayleigh", "law": "rubber.law.json"})");
  ASSERT_TRUE(second.spec) << text_of(second.problems);
  EXPECT_TRUE(second.spec->warnings.empty()) << text_of(second.spec->warnings);
  const CompiledScene used = compile(*second.spec);
  EXPECT_EQ(used.system->parameters().nominal(), values);
  const Vector a = forces_of(*used.system), b = forces_of(*taught.system->with(values));
  ASSERT_GT(b.norm(), 1);
  EXPECT_GT((a - forces_of(*taught.system)).norm(), 0.01 * b.norm());
  EXPECT_EQ((a - b).norm(), 0);
  // What the program writes out in full runs without the file's help, and the file is one of its inputs.
  const CheckedScene third = check_scene(filled_in(*second.spec), "filled.json", folder_);
  ASSERT_TRUE(third.spec) << text_of(third.problems);
  EXPECT_EQ(compile(*third.spec).system->parameters().nominal(), values);
  ASSERT_EQ(second.spec->document->files->list().size(), 1u);
}

TEST_F(LawFiles, WhatTheSceneSaysItselfCounts) {
  write("rubber.law.json", R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000, "poisson": 0.3}})");
  const CheckedScene scene =
      check(R"({"model": "learned", "law": "rubber.law.json", "density": 900, "young": "7 kPa"})");
  ASSERT_TRUE(scene.spec) << text_of(scene.problems);
  const CompiledScene body = compile(*scene.spec);
  const ParameterLayout& layout = body.system->parameters();
  EXPECT_EQ(layout.at("/bodies/0/material/young").info.values[0], 7000);
  EXPECT_EQ(layout.at("/bodies/0/material/poisson").info.values[0], 0.3);
}

TEST_F(LawFiles, AnotherStepOrIntegratorThanThatOfTheLawIsWarnedOf) {
  write("rubber.law.json", R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000, "poisson": 0.3},
    "learned": {"dt": 0.0025, "stepper": {"backward_euler": {}}}})");
  const std::string use = R"({"model": "learned", "law": "rubber.law.json", "density": 900})";
  EXPECT_EQ(check(use).problems.size(), 0u);
  const CheckedScene step = check(use, "", R"("dt": "5 ms", "stepper": "backward_euler")");
  ASSERT_EQ(step.problems.size(), 1u);
  EXPECT_EQ(step.problems[0].severity, Problem::Severity::warning);
  EXPECT_NE(text_of(step.problems).find("learned with steps of 2.5 ms, used with 5 ms"), std::string::npos)
      << text_of(step.problems);
  const CheckedScene both = check(use, "", R"("dt": "5 ms", "stepper": "bathe")");
  ASSERT_TRUE(both.spec);
  ASSERT_EQ(both.problems.size(), 2u);
  EXPECT_NE(text_of(both.problems).find("learned with backward_euler, used with bathe"), std::string::npos);
}

TEST_F(LawFiles, WhatIsWrongIsToldWhereItStands) {
  const std::string use = R"({"model": "learned", "law": "bad.law.json", "density": 900})";
  const auto message = [&](const std::string& file, const std::string& with_damping = "") {
    write("bad.law.json", file);
    const CheckedScene scene = check(use, with_damping);
    EXPECT_FALSE(scene.spec);
    return text_of(scene.problems);
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(message("{"), "bad.law.json:1");
  expect(message(R"({"dashpot": 1, "bodies": []})"), "a scene");
  expect(message("[]"), "dashpot_law");
  expect(message(R"({"dashpot_law": 2, "material": {"model": "learned", "young": 1}})"), "newer");
  expect(message(R"({"dashpot_law": 1})"), "neither");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000}})"), "no \"poisson\"");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "stvk", "young": 5000}})"), "a law of stvk");
  expect(message("{\"dashpot_law\": 1,\n\"material\": {\"model\": \"learned\", \"young\": -5, \"poisson\": 0.3}}"),
         "bad.law.json:2:43: /material/young");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "learned", "joung": 5, "poisson": 0.3}})"),
         "Did you mean \"young\"?");
  expect(message(R"({"dashpot_law": 1, "materials": {}})"), "unknown key \"materials\"");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000, "poisson": 0.3},
                     "learned": {"dt": "2 ms"}})"),
         "/learned/dt");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000, "poisson": 0.3,
                     "stretch": [1, 2]}})"),
         "at least 4");
  expect(message(R"({"dashpot_law": 1, "material": {"model": "learned", "young": 5000, "poisson": 0.3}})",
                 R"({"model": "stretch_rayleigh", "law": "bad.law.json"})"),
         "a law without damping");
  const CheckedScene missing = check(R"({"model": "learned", "law": "none.law.json", "density": 900})");
  expect(text_of(missing.problems), "no file \"none.law.json\"");
  const CheckedScene nothing = check(R"({"model": "learned", "density": 900})");
  expect(text_of(nothing.problems), "no \"young\"");
}

}  // namespace
}  // namespace dashpot::test_law_file
