// Ring-downs of bodies whose modulus and damping are known, with noise: what is identified is the truth within its
// error, and captures that cannot be those of the scene are explained.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/identify.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_identify {
namespace {

using learn::Identification;
using learn::IdentifiedLaw;
using learn::IdentifyOptions;
using learn::RingRun;

/// A clamped bar that falls into its sag; `mass`: at each node of the tip [kg].
std::string bar_text(const std::string& young, const std::string& damping, double mass) {
  return fmt::format(R"({{"dashpot": 1, "gravity": [0, 0, -9.81],
    "time": {{"dt": "10 ms", "end": "2.5 s", "stepper": "bathe"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.3, 0.06, 0.06], "cells": [4, 1, 1]}}}},
      "material": {{"model": "stvk", "young": "{}", "poisson": 0.3, "density": 1000}}, "damping": {},
      "point_masses": [{{"where": {{"box": [[0.299, -1, -1], [1, 1, 1]]}}, "mass": {}}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}],
    "record": {{"every": 0}}}})",
                     young, damping, mass);
}

const std::string true_young = "400 kPa";

const std::string alpha_damping = R"([{"model": "rayleigh", "alpha": 3, "beta": 0}])";

/// What a capture of two points at the tip sees of the true bar, moved along an axis by `stretch` times as much as it
/// does, on a clock that runs `rate` times as fast.
RingRun captured(const std::string& damping, double noise = 2e-5, unsigned seed = 1, double mass = 1e-9,
                 double stretch = 1, double rate = 1) {
  const CompiledScene truth = compile(parse_scene(bar_text(true_young, damping, mass)));
  const RunResult run = simulate(truth);
  RingRun ring;
  ring.name = fmt::format("capture {}", seed);
  ring.tracks.names = {"a", "b"};
  std::vector<int> nodes;
  for (int i = 0; i < truth.bodies[0].mesh.num_nodes() && nodes.size() < 2; ++i)
    if (truth.bodies[0].mesh.nodes[static_cast<std::size_t>(i)].x() > 0.299) nodes.push_back(i);
  for (const int node : nodes) ring.points.push_back(learn::MaterialPoint::node(node));
  std::mt19937 random(seed);
  std::normal_distribution<double> error(0, noise);
  for (std::size_t f = 0; f < run.recording.frames.size(); f += 2) {
    const Frame& frame = run.recording.frames[f];
    ring.tracks.times.push_back(frame.time / rate);
    std::vector<Vec3>& x = ring.tracks.positions.emplace_back();
    for (const int node : nodes)
      x.push_back(stretch * frame.points[static_cast<std::size_t>(node)] +
                  Vec3(error(random), error(random), error(random)));
  }
  ring.scene = [mass](const std::vector<SceneOverride>& changes) {
    return compile(parse_scene(bar_text("300 kPa", "[]", mass), "bar.json", {}, changes));
  };
  return ring;
}

const IdentifiedLaw& law_of(const Identification& found, const std::string& id) {
  for (const IdentifiedLaw& law : found.laws)
    if (law.law.id == id) return law;
  throw std::runtime_error("no such law: " + id);
}

/// Within so many standard errors, and those are small.
void expect_value(const IdentifiedLaw& law, std::size_t i, double truth, double largest_error) {
  ASSERT_LT(i, law.values.size());
  const learn::IdentifiedValue& value = law.values[i];
  EXPECT_GT(value.error, 0) << value.name;
  EXPECT_LT(value.error, largest_error * truth) << value.name;
  EXPECT_NEAR(value.value, truth, 4 * value.error + 2e-3 * truth) << value.name << " ± " << value.error;
}

IdentifyOptions options_for(std::vector<std::string> ids) {
  IdentifyOptions options;
  options.ids = std::move(ids);
  return options;
}

TEST(Identify, ModulusAndAlphaOfAFallingBarAreFoundWithinTheirErrors) {
  const std::vector<RingRun> runs = {captured(R"([{"model": "rayleigh", "alpha": 3, "beta": 0}])")};
  const Identification found = learn::identify(runs, options_for({"alpha", "beta"}));
  ASSERT_EQ(found.measured.size(), 1u);
  EXPECT_GT(found.measured[0].ring.zeta, 0.02) << "nothing to identify";
  const IdentifiedLaw& law = law_of(found, "alpha");
  ASSERT_TRUE(law.usable()) << law.failure;
  expect_value(law, 0, 400e3, 0.01);
  expect_value(law, 1, 3, 0.05);
  EXPECT_LT(law.held_error, 0.05);
  EXPECT_LT(std::abs(law.runs[0].displacement), 1e-4) << "the scene was released as it says";
}

TEST(Identify, TheLossFactorOfTwoLoadsIsFoundAndRanksAboveAlphaAndBeta) {
  const std::string truth = R"([{"model": "structural", "loss_factor": 0.1, "from": 0.5, "to": 20, "at": 3}])";
  const std::vector<RingRun> runs = {captured(truth, 2e-5, 1), captured(truth, 2e-5, 2, 0.08)};
  IdentifyOptions options = options_for({"alpha", "beta", "structural"});
  const Identification found = learn::identify(runs, options);
  const double slower = found.measured[0].ring.frequency / found.measured[1].ring.frequency;
  EXPECT_GT(slower, 1.2) << "the loads tell frequencies apart";
  EXPECT_EQ(found.laws.front().law.id, "structural");
  const IdentifiedLaw& law = found.laws.front();
  ASSERT_EQ(law.values.size(), 2u);
  EXPECT_NEAR(law.values[1].value, 0.1, 0.01);
  EXPECT_EQ(law.values[1].alone.size(), 2u);
  EXPECT_GE(found.rayleigh, 1);
  EXPECT_GT(found.laws[static_cast<std::size_t>(found.rayleigh)].held_error, 2 * law.held_error);
}

TEST(Identify, BothRayleighCoefficientsFollowFromTwoLoads) {
  const std::string truth = R"([{"model": "rayleigh", "alpha": 1.5, "beta": 0.002}])";
  const std::vector<RingRun> runs = {captured(truth, 2e-5, 1), captured(truth, 2e-5, 2, 0.08)};
  IdentifyOptions options = options_for({"rayleigh"});
  options.fitted_share = 1;
  const Identification found = learn::identify(runs, options);
  const IdentifiedLaw& law = found.laws.front();
  expect_value(law, 0, 400e3, 0.01);
  expect_value(law, 1, 1.5, 0.1);
  expect_value(law, 2, 0.002, 0.1);
}

TEST(Identify, AThrowAtTheReleaseIsFoundAndDoesNotPassForDamping) {
  RingRun run = captured(R"([{"model": "rayleigh", "alpha": 3, "beta": 0}])");
  // The capture's clock begins 30 ms after the release: the start that the scene has is not the one that was seen.
  for (double& time : run.tracks.times) time -= 0.03;
  const Identification found = learn::identify({run}, options_for({"alpha"}));
  const IdentifiedLaw& law = found.laws.front();
  EXPECT_GT(std::abs(law.runs[0].velocity), 0.01);
  EXPECT_NEAR(law.values[1].value, 3, 0.15);
}

TEST(Identify, AFrameThatIsOffAndARestThatCreepsDoNotPassForDamping) {
  RingRun run = captured(alpha_damping);
  for (std::size_t f = 0; f < run.tracks.times.size(); ++f)
    for (std::size_t k = 0; k < 2; ++k)  // of each point another
      run.tracks.positions[f][k].z() += (k == 0 ? 0.01 : 0.02) + 0.004 * run.tracks.times[f];
  const Identification found = learn::identify({run}, options_for({"alpha"}));
  const double creep = 0.004 * (found.measured[0].to - found.measured[0].from);
  EXPECT_GT(creep, 0.1 * found.measured[0].ring.cycles.back().amplitude) << "the creep is seen";
  const IdentifiedLaw& law = law_of(found, "alpha");
  ASSERT_TRUE(law.usable()) << law.failure;
  EXPECT_NEAR(law.values[0].value, 400e3, 4e3);
  EXPECT_NEAR(law.values[1].value, 3, 0.1);
}

TEST(Identify, TheEnvelopeAloneTellsModulusAndDampingToo) {
  IdentifyOptions options = options_for({"alpha"});
  options.objective = learn::RingObjective::envelope;
  const Identification found = learn::identify({captured(alpha_damping)}, options);
  const IdentifiedLaw& law = found.laws.front();
  EXPECT_LT(law.num_residuals, 30) << "swings, not instants";
  EXPECT_NEAR(law.values[0].value, 400e3, 4e3);
  EXPECT_NEAR(law.values[1].value, 3, 0.1);
}

TEST(Identify, TheLastMeasuredPeakLiesBetweenTwoSimulatedOnes) {
  const RingRun run = captured(alpha_damping);
  IdentifyOptions options = options_for({"alpha"});
  options.smallest = 0.2 * learn::measure_ring(run, options).ring.initial_amplitude;
  const Identification found = learn::identify({run}, options);
  const learn::MeasuredRing& measured = found.measured[0];
  const double period = 1 / measured.ring.frequency;
  ASSERT_GT(run.tracks.times.back(), measured.to + 2.3 * period) << "the capture goes on after that peak";
  const auto& cycles = found.laws.front().runs[0].ring.cycles;
  ASSERT_FALSE(cycles.empty());
  EXPECT_GT(cycles.back().time, measured.to + 0.75 * period) << "half a cycle of lag would leave it outside";
}

std::string told(const RingRun& run, const IdentifyOptions& options) {
  try {
    learn::identify({run}, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Identify, MillimetersThatPassForMetersAreExplained) {
  const std::string text = told(captured(alpha_damping, 2e-2, 1, 1e-9, 1000), options_for({"alpha"}));
  EXPECT_NE(text.find("--unit mm"), std::string::npos) << text;
}

TEST(Identify, AClockThatRunsTooFastIsPointedAt) {
  const RingRun run = captured(alpha_damping, 2e-5, 1, 1e-9, 1, 4);
  IdentifyOptions options = options_for({"alpha"});
  options.max_iterations = 1;
  const Identification found = learn::identify({run}, options);
  bool is_told = false;
  for (const std::string& warning : found.warnings) is_told |= warning.find("--rate") != std::string::npos;
  EXPECT_TRUE(is_told) << fmt::format("{}", fmt::join(found.warnings, "\n"));
}

TEST(Identify, EmptyFramesAndTooFewCyclesAreExplained) {
  RingRun run = captured(alpha_damping);
  for (std::size_t i = 5; i < run.tracks.positions.size(); ++i)
    run.tracks.positions[i][1] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(told(run, options_for({"alpha"})).find("empty frames"), std::string::npos);
  IdentifyOptions strict = options_for({"alpha"});
  strict.smallest = 0.02;
  EXPECT_NE(told(captured(alpha_damping), strict).find("at least two"), std::string::npos);
}

TEST(Identify, AMotionAcrossThatOfTheSceneIsExplained) {
  RingRun run = captured(alpha_damping);
  for (auto& x : run.tracks.positions)
    for (Vec3& p : x) std::swap(p.x(), p.z());
  const std::string text = told(run, options_for({"alpha"}));
  EXPECT_NE(text.find("Axes seem to be swapped"), std::string::npos) << text;
}

}  // namespace
}  // namespace dashpot::test_identify
