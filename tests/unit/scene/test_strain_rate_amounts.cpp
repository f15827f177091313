// How a scene says how much strain-rate damping it wants: ratios and loss factors, of stretch and bend apart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_strain_rate_amounts {
namespace {

constexpr double pi = std::numbers::pi;

const char* const sheet =
    R"("mesh": {"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}}, "material": {"model": "cloth", "young": "100 kPa",
       "density": 1000, "thickness": "1 cm"})";
const char* const strand =
    R"("mesh": {"chain": {"ends": [[0, 0, 0], [0.5, 0, 0]], "edges": 5}}, "material": {"model": "strand",
       "young": "1 GPa", "density": 1000, "diameter": "2 mm"})";
const char* const solid =
    R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}, "material": {"model": "stvk",
       "young": "100 kPa", "poisson": 0.3, "density": 1000})";

CompiledScene compiled(const char* body, const std::string& amounts) {
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
      "bodies": [{{"name": "body", {}, "damping": [{{"model": "strain_rate", {}}}]}}]}})",
                                         body, amounts)));
}

/// The value of a parameter of the damping; -1: it has none of this name.
double value_of(const CompiledScene& scene, const std::string& name) {
  for (const ParameterLayout::Entry& entry : scene.system->parameters().entries())
    if (entry.info.name == "/bodies/0/damping/0/" + name) return entry.info.values.at(0);
  return -1;
}

std::string refusal(const char* body, const std::string& amounts) {
  try {
    compiled(body, amounts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(StrainRateAmounts, ALossFactorIsTwiceARatio) {
  for (const char* body : {sheet, strand, solid}) {
    const double beta = value_of(compiled(body, R"("zeta": [{"f": "3 Hz", "zeta": 0.05}])"), "beta");
    EXPECT_NEAR(beta, 0.05 / (pi * 3), 1e-15);
    EXPECT_NEAR(value_of(compiled(body, R"("zeta": [{"f": "3 Hz", "loss_factor": 0.1}])"), "beta"), beta, 1e-15);
  }
}

TEST(StrainRateAmounts, StretchAndBendHaveRatiosOfTheirOwn) {
  for (const char* body : {sheet, strand}) {
    const CompiledScene both = compiled(
        body,
        R"("zeta": [{"f": "30 Hz", "zeta": 0.05, "motion": "stretch"}, {"f": "2 Hz", "loss_factor": 0.06, "motion": "bend"}])");
    EXPECT_NEAR(value_of(both, "beta"), 0.05 / (pi * 30), 1e-15);
    EXPECT_NEAR(value_of(both, "bend_beta"), 0.03 / (pi * 2), 1e-15);
    const CompiledScene bend = compiled(body, R"("zeta": [{"f": "2 Hz", "zeta": 0.03, "motion": "bend"}])");
    EXPECT_EQ(value_of(bend, "beta"), 0) << "what is not named is not damped";
    EXPECT_NEAR(value_of(bend, "bend_beta"), 0.03 / (pi * 2), 1e-15);
  }
}

TEST(StrainRateAmounts, WhatDoesNotGoTogetherIsRefusedWithItsPlace) {
  const auto expect_refused = [](const char* body, const std::string& amounts, const std::string& words) {
    const std::string found = refusal(body, amounts);
    EXPECT_NE(found.find(words), std::string::npos) << amounts << ": " << found;
    EXPECT_NE(found.find("/bodies/0/damping/0"), std::string::npos) << found;
  };
  expect_refused(sheet, R"("zeta": [{"f": 3, "zeta": 0.05, "loss_factor": 0.1}])", "both zeta and loss_factor");
  expect_refused(sheet, R"("zeta": [{"f": 3}])", "neither zeta nor loss_factor");
  expect_refused(sheet, R"("zeta": [{"f": 3, "zeta": 0.1}, {"f": 9, "zeta": 0.1}])", "not of two motions");
  expect_refused(sheet, R"("zeta": [{"f": 3, "zeta": 0.1, "motion": "bend"}], "bend_beta": 1)", "one of the two");
  expect_refused(sheet, R"("zeta": [{"f": 3, "loss_factor": 2.5}])", "2.5");
  expect_refused(solid, R"("zeta": [{"f": 3, "zeta": 0.1, "motion": "bend"}])", "a solid");
  expect_refused(solid, R"("beta": "3 ms", "bend_beta": "4 ms")", "bend_beta");
  expect_refused(solid, R"("viscosity": 3, "bending_viscosity": 4)", "bending_viscosity");
  expect_refused(sheet, R"("beta": "3 ms", "blend": 0.05)", "blended bends");
  expect_refused(strand, R"("zeta": [{"f": 3, "zeta": 0.1}], "regions": [{"where": "all", "beta": 1}])", "regions");
  expect_refused(sheet, R"("viscosity": 30, "second_viscosity": -31)", ">= -1 times it");
  expect_refused(solid, R"("viscosity": 30, "second_viscosity": -21)", ">= -0.667 times it");
}

TEST(StrainRateAmounts, APairOfViscositiesIsAdmittedUpToItsBorder) {
  EXPECT_NO_THROW(compiled(sheet, R"("viscosity": 30, "second_viscosity": -30)"));
  EXPECT_NO_THROW(compiled(solid, R"("viscosity": 30, "second_viscosity": -20)"));
}

}  // namespace
}  // namespace dashpot::test_strain_rate_amounts
