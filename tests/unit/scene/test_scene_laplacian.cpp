// Laplacian, variational and PBD damping as scenes name them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/dissipation/variational.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::testing::test_scene_laplacian {
namespace {

std::string bar(const std::string& damping, const std::string& material = R"("model": "arap", "poisson": 0.3)",
                const std::string& young = R"("young": "100 kPa", )") {
  return fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}},
      "material": {{{}{}, "density": 1000}}, "damping": [{}]}}]}})",
                     young, material, damping);
}

CompiledScene compiled(const std::string& damping) { return compile(parse_scene(bar(damping))); }

Vector force(const System& system, const Vector& v) {
  const DissipationTerm& term = *system.dissipations()[0];
  const auto scratch = term.make_scratch();
  term.begin_step(system.initial_state(), scratch.get());
  Vector f = Vector::Zero(v.size());
  const Vector xi;
  DissipationRequest request{system.rest(), v, xi, 0, scratch.get()};
  request.force = &f;
  term.evaluate(request);
  return f;
}

Vector some_velocity(const System& system) {
  Vector v(system.num_dofs());
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + 3 * static_cast<double>(i));
  return v;
}

TEST(SceneLaplacian, AtRestTheElementVariantOfAnArapBodyIsRayleighDampingOfItsRestStiffness) {
  const auto laplacian = compiled(R"({"model": "laplacian", "beta": "10 ms"})").system;
  const auto rayleigh = compiled(R"({"model": "rayleigh", "beta": "10 ms", "stiffness": "rest"})").system;
  const Vector v = some_velocity(*laplacian), f = force(*rayleigh, v);
  ASSERT_GT(f.norm(), 1);
  EXPECT_LT((force(*laplacian, v) - f).norm(), 1e-9 * f.norm());
  const auto variational = compiled(R"({"model": "variational", "viscosity": "384.61538461538463 Pa s"})").system;
  EXPECT_LT((force(*variational, v) - f).norm(), 1e-9 * f.norm());  // eta = beta mu, mu = E / (2 (1 + nu))
}

TEST(SceneLaplacian, RegionsHaveTheirOwnAmounts) {
  const auto everywhere = compiled(R"({"model": "laplacian", "beta": "10 ms", "keeps": "linear"})").system;
  const auto doubled = compiled(R"({"model": "laplacian", "beta": "10 ms", "keeps": "linear",
    "regions": [{"where": {"box": [[-1, -1, -1], [1, 1, 1]]}, "beta": "20 ms"}]})")
                           .system;
  const Vector v = some_velocity(*everywhere), f = force(*everywhere, v);
  ASSERT_GT(f.norm(), 1);
  EXPECT_LT((force(*doubled, v) - 2 * f).norm(), 1e-12 * f.norm());
}

TEST(SceneLaplacian, KeepsChoosesTheVariantAndTheNoteSaysIt) {
  const auto plain = compiled(R"({"model": "laplacian", "beta": "10 ms", "keeps": "linear"})");
  EXPECT_TRUE(dynamic_cast<const LaplacianDamping*>(plain.system->dissipations()[0].get()) != nullptr);
  EXPECT_TRUE(plain.system->dissipations()[0]->traits().constant);
  const auto element = compiled(R"({"model": "laplacian", "beta": "10 ms"})");
  EXPECT_TRUE(element.system->dissipations()[0]->traits().keeps_angular_momentum);
}

TEST(SceneLaplacian, WhatCannotBeIsSaid) {
  const auto problem_of = [](const std::string& text) {
    try {
      compile(parse_scene(text));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(problem_of(bar(R"({"model": "laplacian"})")).find("no amount of damping"), std::string::npos);
  EXPECT_NE(problem_of(bar(R"({"model": "laplacian", "beta": "-1 ms"})")).find("beta"), std::string::npos);
  EXPECT_NE(problem_of(bar(R"({"model": "pbd"})")).find("neither rate nor gamma_per_step"), std::string::npos);
  EXPECT_NE(problem_of(bar(R"({"model": "example_based", "over": {"model": "laplacian", "beta": "10 ms"},
    "examples": [{"name": "lean", "shape": {"from": "formula", "y": "0.1*X^2"}, "gamma": 3}]})"))
                .find("not of the form C v"),
            std::string::npos);
}

TEST(SceneLaplacian, AnExampleOverAPlainLaplacianMultipliesItsDirection) {
  const auto base = compiled(R"({"model": "laplacian", "beta": "10 ms", "keeps": "linear"})").system;
  const auto designed = compiled(R"({"model": "example_based",
    "over": {"model": "laplacian", "beta": "10 ms", "keeps": "linear"},
    "examples": [{"name": "lean", "shape": {"from": "formula", "y": "0.1*X^2"}, "gamma": 3}]})")
                            .system;
  const Vector& X = base->rest();
  Vector lean = Vector::Zero(X.size());
  for (Eigen::Index i = 0; i < X.size(); i += 3) lean[i + 1] = X[i] * X[i];
  const Vector f = force(*base, lean);
  ASSERT_GT(f.norm(), 1e-3);
  EXPECT_LT((force(*designed, lean) - 3 * f).norm(), 1e-9 * f.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_scene_laplacian
