// Strain-rate damping has the ratio asked for in the first stretch and bend mode of solids, sheets, strands and chains
// of springs, whatever the step and the mesh.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/record/run.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::testing::test_strain_rate_ratio {
namespace {

constexpr double asked = 0.03;

struct Body {
  const char* name;
  std::string text;  ///< mesh, material, pins
};

std::vector<Body> bodies(int fineness) {
  const int n = fineness;
  const std::string end = R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])";
  const std::string bar = fmt::format(R"("mesh": {{"bar": {{"size": [1, 0.1, 0.1], "cells": [{}, {}, {}]}}}},
      "material": {{"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000}}, )",
                                      8 * n, n, n);
  const std::string straight =
      R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}, {"where": "all", "axes": ["y", "z"]}])";
  const std::string strip = fmt::format(R"("mesh": {{"cloth": {{"size": [0.5, 0.1], "cells": [{}, {}]}}}},
      "material": {{"model": "cloth", "young": "1 MPa", "density": 300, "thickness": "2 mm"}}, )",
                                        10 * n, 2 * n);
  // A clamp holds two rows.
  const std::string clamp =
      fmt::format(R"("pins": [{{"where": {{"box": [[-1, -1, -1], [{}, 1, 1]]}}}}])", 0.5 / (10 * n) + 1e-6);
  const std::string strand = fmt::format(R"("mesh": {{"chain": {{"ends": [[0, 0, 0], [0.5, 0, 0]], "edges": {}}}}},
      "material": {{"model": "strand", "young": "1 GPa", "density": 1000, "diameter": "2 mm"}}, )",
                                         10 * n);
  const std::string chain = fmt::format(R"("mesh": {{"chain": {{"ends": [[0, 0, 0], [0.5, 0, 0]], "edges": {}}}}},
      "point_masses": [{{"mass": "{} g"}}], "springs": [{{"stiffness": "{} N/m"}}], )",
                                        5 * n, 10.0 / n, 100.0 * n);
  return {{"solid, bend", bar + end},       {"solid, stretch", bar + straight},
          {"sheet, bend", strip + clamp},   {"sheet, stretch", strip + straight},
          {"strand, bend", strand + clamp}, {"springs, stretch", chain + straight}};
}

CompiledScene compiled(const Body& body, const std::string& damping, double dt, double end) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "gravity": [0, 0, 0], "time": {{"dt": {}, "end": {}, "stepper": "trapezoid"}},
    "solver": {{"newton": {{"tolerance": 1e-10}}}},
    "bodies": [{{"name": "body", {}, "damping": [{}], "start": {{"from": "mode", "mode": 1, "amplitude": "0.2 mm"}}}}]}})",
                                         dt, end, body.text, damping)));
}

double measured_zeta(const Body& body, const std::string& damping, double omega_h) {
  const CompiledScene still = compiled(body, "", 0.01, 1);
  const Vector shape = still.start.q - still.system->rest();
  const double omega = std::sqrt(-shape.dot(still.start.a) / shape.squaredNorm());
  CompiledScene scene = compiled(body, damping, omega_h / omega, 8 * 2 * std::numbers::pi / omega);
  const auto stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, scene.start);
  std::vector<double> time, amplitude;
  RunHooks hooks;
  hooks.on_record = [&](const State& state) {
    time.push_back(state.time);
    amplitude.push_back(shape.dot(state.q - scene.system->rest()) / shape.squaredNorm());
  };
  EXPECT_EQ(run(*scene.system, scene.start, *stepper, ledger, scene.run, hooks).status, RunStatus::finished);
  return analysis::measure_ring_down(time, amplitude).zeta;
}

TEST(StrainRateRatio, IsTheOneAskedForInStretchAndBendAtEveryStepAndMesh) {
  for (const int fineness : {1, 2})
    for (const Body& body : bodies(fineness))
      for (const double omega_h : {0.1, 0.04})
        for (const char* metric : {"green", "corotational"}) {
          if (fineness == 2 && omega_h == 0.04) continue;  // four times the work; both changes are seen one by one
          SCOPED_TRACE(fmt::format("{}, fineness {}, omega h {}, {}", body.name, fineness, omega_h, metric));
          const std::string damping = fmt::format(
              R"({{"model": "strain_rate", "zeta": [{{"mode": 1, "zeta": {}}}], "metric": "{}"}})", asked, metric);
          EXPECT_NEAR(measured_zeta(body, damping, omega_h), asked, 0.02 * asked);
        }
}

// A bend whose frequency is far below that of the stretch: each has the ratio of its own name, whatever the other has.
TEST(StrainRateRatio, IsTheOneOfTheNamedMotion) {
  for (const Body& body : bodies(1)) {
    const std::string name = body.name;
    const bool bends = name.find("bend") != std::string::npos;
    if (name.find("sheet") == std::string::npos && name.find("strand") == std::string::npos) continue;
    SCOPED_TRACE(name);
    const std::string damping = fmt::format(
        R"({{"model": "strain_rate", "zeta": [{{"mode": 1, "loss_factor": {}, "motion": "{}"}},
                                              {{"f": "5 Hz", "zeta": 0.3, "motion": "{}"}}]}})",
        2 * asked, bends ? "bend" : "stretch", bends ? "stretch" : "bend");
    EXPECT_NEAR(measured_zeta(body, damping, 0.1), asked, 0.02 * asked);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_strain_rate_ratio
