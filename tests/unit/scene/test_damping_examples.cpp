#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/assembly/bent_region.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::testing::test_damping_examples {
namespace {

std::string bar_scene(const std::string& damping, const std::string& start = R"({"from": "rest"})") {
  return fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "5 ms", "end": "50 ms"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.4, 0.1, 0.08], "cells": [6, 2, 2]}}}},
      "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000}},
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
      "damping": [{}], "start": {}}}]}})",
                     damping, start);
}

std::string designed(const std::string& examples, const std::string& more = "") {
  return fmt::format(
      R"({{"model": "example_based", "over": {{"model": "rayleigh", "beta": "4 ms", "stiffness": "rest"}}, "examples": [{}]{}}})",
      examples, more);
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> found;
  try {
    compile(parse_scene(text));
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) found.push_back(problem.text());
  }
  return found;
}

/// Damping ratios of the first modes under the scene's only damping.
std::vector<double> ratios(const CompiledScene& scene) {
  const State rest = scene.system->initial_state();
  const ModesResult modes = system_modes(*scene.system, rest, {.num_modes = 4});
  std::vector<double> result;
  for (int i = 0; i < 4; ++i)
    result.push_back(
        analysis::modal_damping(*scene.system, rest, modes.shapes.col(i), std::sqrt(modes.lambda[i]), scene.run.dt)
            .at(0)
            .zeta);
  return result;
}

/// The damping with examples, the amplitude of its first example at q.
double amplitude_at(const CompiledScene& scene, const Vector& q) {
  const ExampleBased& term = *scene.system->dissipations()[0]->capabilities().examples;
  const std::unique_ptr<TermScratch> scratch = term.make_scratch();
  State state = scene.system->initial_state();
  state.q = q;
  term.begin_step(state, scratch.get());
  return term.amplitudes(scratch.get(), q, Vector::Zero(q.size()))[0];
}

TEST(ExamplesOfAScene, AmplitudesUnderLoadsCountFromTheEquilibriumUnlessToldOtherwise) {
  // In a weak field the sag is K^-1 M g, which is the relaxed form of a displacement of the whole body along g: the
  // example, by some factor.
  const std::string example =
      R"({"name": "sag", "shape": {"from": "formula", "y": "-0.01"}, "relaxed": true, "curve": [[0, 1], [1, 3]]})";
  const auto built = [&](const std::string& more, const std::string& gravity) {
    std::string text = bar_scene(designed(example, more),
                                 gravity == "[0, 0, 0]" ? R"({"from": "rest"})" : R"({"from": "equilibrium"})");
    text.insert(text.rfind('}'), R"(, "gravity": )" + gravity);
    return compile(parse_scene(text));
  };
  const std::string weak = "[0, -0.01, 0]";
  const CompiledScene hanging = built("", weak), from_rest = built(R"(, "counted_from": "rest")", weak);
  const Vector rest = hanging.system->rest(), sag = hanging.start.q - rest;
  ASSERT_GT(sag.norm(), 1e-6);
  const ExampleBased& term = *hanging.system->dissipations()[0]->capabilities().examples;
  const Vector x = term.shape(0);
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size(); i += 3) largest = std::max(largest, x.segment<3>(i).norm());
  EXPECT_NEAR(largest, 0.01, 1e-12) << "relaxed, it is as large as before";
  const double factor = sag.dot(x) / x.squaredNorm();
  EXPECT_LT((sag - factor * x).norm(), 2e-3 * sag.norm()) << "K^-1 M x is not what gravity does";
  EXPECT_NEAR(amplitude_at(hanging, hanging.start.q), 0, 2e-3 * factor);
  EXPECT_NEAR(amplitude_at(hanging, rest), -factor, 2e-3 * factor);
  EXPECT_NEAR(amplitude_at(from_rest, from_rest.start.q), factor, 2e-3 * factor);
  EXPECT_EQ(amplitude_at(from_rest, rest), 0);
  EXPECT_EQ(amplitude_at(built("", "[0, 0, 0]"), rest), 0) << "nothing pulls: rest is the equilibrium";
}

TEST(ExamplesOfAScene, AGainAlongAModeChangesThatModeAlone) {
  const std::vector<double> plain =
      ratios(compile(parse_scene(bar_scene(R"({"model": "rayleigh", "beta": "4 ms", "stiffness": "rest"})"))));
  const std::vector<double> changed = ratios(compile(parse_scene(bar_scene(designed(
      R"({"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "2 cm"}, "gamma": 3},
         {"name": "second", "shape": {"from": "mode", "mode": 2, "amplitude": "1 cm"}, "gamma": 0.2})")))));
  ASSERT_GT(plain[0], 0.01);
  EXPECT_NEAR(changed[0], 3 * plain[0], 1e-6 * plain[0]);
  EXPECT_NEAR(changed[1], 0.2 * plain[1], 1e-6 * plain[1]);
  EXPECT_NEAR(changed[2], plain[2], 1e-6 * plain[2]);
  EXPECT_NEAR(changed[3], plain[3], 1e-6 * plain[3]);
}

/// By how much the gain 5 along the first mode at rest raises the damping of that mode in the sagged bar.
double gain_of_sagged_bar(const std::string& frame) {
  const auto zeta = [&](double gamma) {
    const CompiledScene scene = compile(parse_scene(fmt::format(R"({{
      "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}}, "gravity": [0, -9.81, 0],
      "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.5, 0.05, 0.08], "cells": [12, 2, 2]}}}},
        "material": {{"model": "stvk", "young": "3 MPa", "poisson": 0.3, "density": 1000}},
        "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
        "damping": [{{"model": "example_based", "over": {{"model": "rayleigh", "beta": "2 ms"}}, "frame": "{}",
          "examples": [{{"name": "bob", "shape": {{"from": "mode", "mode": 1, "amplitude": "2 cm"}}, "gamma": {}}}]}}],
        "start": {{"from": "equilibrium"}}}}]}})",
                                                                frame, gamma)));
    const double sag = scene.start.q.size() > 0 ? (scene.start.q - scene.system->rest()).lpNorm<Eigen::Infinity>() : 0;
    EXPECT_GT(sag, 0.055);
    const ModesResult modes = system_modes(*scene.system, scene.start, {.num_modes = 1});
    return analysis::modal_damping(*scene.system, scene.start, modes.shapes.col(0), std::sqrt(modes.lambda[0]), 0.005)
        .at(0)
        .zeta;
  };
  return zeta(5) / zeta(1);
}

TEST(ExamplesOfAScene, ABodyThatHasBentKeepsItsGainsWhereExamplesTurnWithTheMaterial) {
  const double fixed = gain_of_sagged_bar("fixed"), local = gain_of_sagged_bar("local");
  EXPECT_LT(fixed, 1.5);
  EXPECT_NEAR(local, 5, 0.6);
  EXPECT_EQ(gain_of_sagged_bar("automatic"), local);  // the damping follows the shape
}

TEST(ExamplesOfAScene, APulledExampleIsPulledByItsOwnLoadsWhateverTheBodyStartsFrom) {
  const auto pull = [](const char* force) {
    return fmt::format(
        R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"box": [[0.39, -1, -1], [1, 1, 1]]}}, "force": {}}}]}})",
        force);
  };
  const std::string up = pull(R"([0, "10 mN", 0])"), sideways = pull(R"([0, 0, "10 mN"])");
  const std::string damping = designed(fmt::format(R"({{"name": "up", "shape": {}, "gamma": 3}})", up));
  const std::vector<double> at_rest = ratios(compile(parse_scene(bar_scene(damping))));
  const std::vector<double> pulled = ratios(compile(parse_scene(bar_scene(damping, sideways))));
  ASSERT_GT(at_rest[1], 2 * at_rest[0]);  // the bar is thicker along y: its second mode bends upwards
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(pulled[i], at_rest[i], 1e-6 * at_rest[i]) << i;
}

TEST(ExamplesOfAScene, EveryProblemOfADesignIsToldAtOnce) {
  const std::string mode = R"("shape": {"from": "mode", "mode": 1, "amplitude": "2 cm"})";
  const std::vector<std::string> problems = problems_of(bar_scene(
      designed(fmt::format(R"({{"name": "a", {0}}}, {{"name": "b", {0}, "gamma": 2, "curve": [[0, 1], [1, 2]]}},
                              {{"name": "c", {0}, "curve": [[1, 1], [0.5, 2]]}},
                              {{"name": "d", {0}, "curve": [[0, 0], [1, 2]]}})",
                           mode))));
  EXPECT_GE(problems.size(), 4U);
  EXPECT_FALSE(problems_of(bar_scene(designed(fmt::format(R"({{"name": "a", {}, "gamma": -1}})", mode)))).empty());
}

TEST(ExamplesOfAScene, AnExampleThatMovesNothingIsRefused) {
  const std::vector<std::string> problems =
      problems_of(bar_scene(designed(R"({"name": "still", "shape": {"from": "rest"}, "gamma": 2})")));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("still"), std::string::npos);
}

TEST(ModalDampingOfAScene, GivesUpMomentumWhereItsModesHaveSome) {
  // Modes of a free bar have no momentum (test_registered_dampings); those of a held one push its support.
  const CompiledScene held =
      compile(parse_scene(bar_scene(R"({"model": "modal", "ratios": [{"mode": 1, "zeta": 0.1}]})")));
  EXPECT_FALSE(held.system->dissipations().at(0)->traits().keeps_linear_momentum);
}

TEST(ExamplesOfAScene, OnlyDampingsLinearOverAStepCanBeReshaped) {
  EXPECT_FALSE(problems_of(bar_scene(R"({"model": "example_based", "over": {"model": "ether_drag", "rate": "1 /s"},
      "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "2 cm"}, "gamma": 3}]})"))
                   .empty());
}

TEST(BentRegion, TurnsDeepNodesByTheAngleAndKeepsItsBorder) {
  const Mesh bar = make_bar({1, 0.1, 0.1}, {20, 2, 2});
  std::vector<int> part;
  for (int i = 0; i < bar.num_nodes(); ++i)
    if (bar.nodes[static_cast<std::size_t>(i)].x() >= 0.5 - 1e-9) part.push_back(i);
  const std::vector<Vec3> bent = bend_region(bar, part, {Vec3(0, 0, 2), 0.5, std::nullopt, 0.1});
  const Vec3 center(0.5, 0.05, 0.05);  // middle of the border
  int deep = 0;
  for (std::size_t i = 0; i < bent.size(); ++i) {
    const Vec3& X = bar.nodes[i];
    if (X.x() <= 0.5 + 1e-9) {
      EXPECT_LT((bent[i] - X).norm(), 1e-12);
    }
    if (X.x() < 0.75) continue;
    ++deep;
    const Vec3 r = X - center;
    const Vec3 turned(r.x() * std::cos(0.5) - r.y() * std::sin(0.5), r.x() * std::sin(0.5) + r.y() * std::cos(0.5),
                      r.z());
    EXPECT_LT((bent[i] - center - turned).norm(), 1e-9);
  }
  EXPECT_GT(deep, 10);
}

TEST(BentRegion, AWholeBodyCannotBeBent) {
  const Mesh bar = make_bar({1, 0.1, 0.1}, {4, 1, 1});
  std::vector<int> all;
  for (int i = 0; i < bar.num_nodes(); ++i) all.push_back(i);
  EXPECT_THROW(bend_region(bar, all, {Vec3::UnitZ(), 0.5, std::nullopt, 0}), Error);
}

TEST(FrameStart, ARunContinuesFromAFrameOfAnother) {
  const std::string folder = ::testing::TempDir() + "/dashpot_frame_start";
  std::filesystem::remove_all(folder);
  const CompiledScene scene =
      compile(parse_scene(bar_scene("", R"({"from": "mode", "mode": 1, "amplitude": "2 cm"})")));
  simulate_into(folder, scene);
  const CompiledScene next =
      compile(parse_scene(bar_scene("", fmt::format(R"({{"from": "frame", "run": "{}", "time": 0}})", folder))));
  EXPECT_GT((scene.start.q - scene.system->rest()).norm(), 0.01);
  EXPECT_LT((next.start.q - scene.start.q).lpNorm<Eigen::Infinity>(), 1e-7);  // frames hold single precision
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dashpot::testing::test_damping_examples
