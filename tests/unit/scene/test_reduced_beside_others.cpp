// Reduced bodies in scenes with floors and other bodies, against the same scenes in full.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/scene/simulate.hpp"
#include "scene_text.hpp"

namespace dashpot::test_reduced_beside_others {
namespace {

const char* const asked = R"("reduced": {"modes": 8, "size": 30, "cache": false}, )";

/// A bar let go under gravity; `more` are other bodies, each beginning with a comma, `rest` what else there is.
std::string bar_scene(const std::string& reduced, const std::string& before, const std::string& more,
                      const std::string& rest) {
  return R"({"dashpot": 1, "gravity": [0, -4, 0], "time": {"dt": "4 ms", "end": "0.4 s", "stepper": "bathe"},
    "bodies": [)" +
         before + R"({"name": "bar", "mesh": {"bar": {"size": [0.5, 0.06, 0.05], "cells": [10, 2, 2]}}, )" + reduced +
         R"("material": {"model": "stvk", "young": "400 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
      "damping": [{"model": "rayleigh", "alpha": "0.2 /s", "beta": "4 ms"}]})" +
         more + "]" + rest +
         R"(, "record": {"every": "20 ms", "probes": [{"name": "tip", "body": "bar", "where": {"nearest": [0.5, 0.03, 0.025]}}]}})";
}

const char* const floor_below = R"(, "colliders": [{"plane": {"point": [0, -0.06, 0], "friction": 0.3}}])";

std::string weight(const std::string& place) {
  return R"({"name": "weight", "mesh": {"bar": {"size": [0.05, 0.06, 0.05], "cells": [1, 1, 1]}}, "place": {"translate": )" +
         place + R"(}, "material": {"model": "stable_neo_hookean", "young": "200 kPa", "poisson": 0.3, "density": 800,
         "mass": "lumped"}, "damping": [{"model": "rayleigh", "beta": "2 ms"}]})";
}

RunResult play(const std::string& text) { return simulate(compile(parse_scene(text))); }

/// Everything that was there at the start is somewhere at the end.
void expect_closed(const RunResult& run) {
  double sum = 0;
  for (const char* column : {"kinetic", "gravity", "contact", "solver", "numerical"}) sum += run.final_value(column);
  sum -= run.final_value("external");
  for (const std::string& column : run.ledger.columns)
    if (column.starts_with("elastic.") || column.starts_with("damping.")) sum += run.final_value(column);
  EXPECT_NEAR(sum, run.initial_energy(), 1e-9 * (1 + std::abs(run.initial_energy())));
}

void expect_alike(const RunResult& full, const RunResult& small, double share) {
  ASSERT_EQ(small.status, RunStatus::finished);
  const std::vector<double>&a = full.probes.column("tip.y"), &b = small.probes.column("tip.y");
  ASSERT_EQ(a.size(), b.size());
  double swing = 0, off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    swing = std::max(swing, std::abs(a[i] - a[0]));
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(swing, 0.03);
  EXPECT_LT(off, share * swing);
  expect_closed(full);
  expect_closed(small);
}

TEST(ReducedBeside, AFloorItComesDownOnAsTheFullBodyDoes) {
  const RunResult full = play(bar_scene("", "", "", floor_below)), small = play(bar_scene(asked, "", "", floor_below));
  expect_alike(full, small, 0.05);
  const std::vector<double>&a = full.contacts.column("contact.bar.fy"), &b = small.contacts.column("contact.bar.fy");
  double pressed = 0, felt = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    pressed += a[i];
    felt += b[i];
  }
  EXPECT_GT(pressed, 0.1);
  EXPECT_GT(felt, 0.1);
  EXPECT_GT(small.final_value("friction"), 0);
}

TEST(ReducedBeside, AFullBodyThatFallsOnItWhicheverComesFirst) {
  const std::string contacts = std::string(R"(, "contacts": [{"friction": 0.3, "thickness": "2 mm"}])") + floor_below;
  const std::string above = weight("[0.4, 0.08, 0]");
  const RunResult full = play(bar_scene("", "", ", " + above, contacts));
  const RunResult small = play(bar_scene(asked, "", ", " + above, contacts));
  const RunResult other_way = play(bar_scene(asked, above + ", ", "", contacts));
  expect_alike(full, small, 0.08);
  EXPECT_GT(full.final_value("contact"), 0);
  const std::vector<double>&a = small.probes.column("tip.y"), &b = other_way.probes.column("tip.y");
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << "the order of bodies is no matter";
}

TEST(ReducedBeside, AFullBodyThatIsAttachedToIt) {
  const std::string attached =
      R"(, "attachments": [{"body": "weight", "where": {"box": [[0.4999, -1, -1], [0.5001, 1, 1]]}, "to": "bar", "within": "1 mm"}])";
  const std::string tip = ", " + weight("[0.5, 0, 0]");
  const RunResult full = play(bar_scene("", "", tip, attached)), small = play(bar_scene(asked, "", tip, attached));
  expect_alike(full, small, 0.05);
  const RunResult without = play(bar_scene(asked, "", "", ""));
  EXPECT_GT(std::abs(without.probes.column("tip.y").back() - small.probes.column("tip.y").back()), 2e-3)
      << "the weight must be felt";
}

TEST(ReducedBeside, AFloorWhileItsSeatMoves) {
  const auto ride = [](std::string text) {
    text = with(text, R"([[-1, -1, -1], [1e-6, 1, 1]]})",
                R"([[-1, -1, -1], [1e-6, 1, 1]]}, "motion": {"keyframes": {"keys": [
      {"time": 0}, {"time": "0.2 s", "translate": [0.02, 0.02, 0], "rotate": [0, "8 deg", "4 deg"]},
      {"time": "0.5 s", "translate": [-0.02, 0, 0.02]}]}})");
    return with(text, R"("alpha": "0.2 /s", "beta": "4 ms")", R"("beta": "4 ms", "stiffness": "gauss_newton")");
  };
  const RunResult full = play(ride(bar_scene("", "", "", floor_below)));
  const RunResult small = play(ride(bar_scene(asked, "", "", floor_below)));
  expect_alike(full, small, 0.06);
  EXPECT_GT(small.final_value("friction"), 0);
  EXPECT_NEAR(small.final_value("external"), full.final_value("external"),
              0.1 * std::abs(full.final_value("external")));
}

TEST(ReducedBeside, WhatItCannotDoIsRefusedByName) {
  const auto problems = [](const std::string& text) {
    std::string all;
    for (const Problem& problem : check_scene(text, "scene", "").problems) all += problem.text() + "\n";
    return all;
  };
  const std::string tip = ", " + weight("[0.5, 0, 0]");
  const std::string wrong_way =
      R"(, "attachments": [{"body": "bar", "where": {"box": [[0.4999, -1, -1], [0.5001, 1, 1]]}, "to": "weight", "within": "1 mm"}])";
  EXPECT_NE(problems(bar_scene(asked, "", tip, wrong_way)).find("reduced body \"bar\" attached to"), std::string::npos);
  const std::string by_cg = R"(, "solver": {"linear": "cg"})";
  EXPECT_NE(problems(bar_scene(asked, "", tip, by_cg)).find("with conjugate gradients"), std::string::npos)
      << problems(bar_scene(asked, "", tip, by_cg));
  EXPECT_EQ(problems(bar_scene(asked, "", tip, "")).find("bar\" "), std::string::npos);
}

}  // namespace
}  // namespace dashpot::test_reduced_beside_others
