// Several Maxwell elements on one body: a Prony series.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_prony_series {
namespace {

RunResult ring(const std::string& dampings) {
  return simulate(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0, 0, 0], "time": {{"dt": "2 ms", "end": "0.2 s", "stepper": "trapezoid"}},
          "solver": {{"newton": {{"tolerance": 1e-12}}}},
          "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [1, 0.2, 0.2], "cells": [5, 1, 1]}}}},
            "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000}},
            "pins": [{{"where": {{"box": [[-1, -1, -1], [0.01, 1, 1]]}}}}], "damping": [{}],
            "start": {{"from": "formula", "y": "0.1*X^2"}}}}],
          "record": {{"probes": [{{"name": "tip", "where": {{"nearest": [1, 0, 0]}}}}]}}}})",
      dampings))));
}

TEST(PronySeries, ElementsOfOneRelaxationTimeAddUp) {
  const RunResult one = ring(R"({"model": "maxwell", "modulus": "30 kPa", "tau": "40 ms"})");
  const RunResult two = ring(R"({"model": "maxwell", "modulus": "10 kPa", "tau": "40 ms"},
                                {"model": "maxwell", "modulus": "20 kPa", "tau": "40 ms"})");
  EXPECT_LT((two.state.q - one.state.q).norm(), 1e-9 * one.state.q.norm());
  const auto lost = [](const RunResult& run) {
    std::vector<double> work;
    for (const std::string& column : run.ledger.columns_beginning("damping."))
      work.push_back(run.ledger.column(column).back());
    return work;
  };
  ASSERT_EQ(lost(one).size(), 1U);
  ASSERT_EQ(lost(two).size(), 2U) << "each has a column of its own";
  ASSERT_GT(lost(one)[0], 1e-3);
  EXPECT_NEAR(lost(two)[0] + lost(two)[1], lost(one)[0], 1e-8 * lost(one)[0]);
  EXPECT_NEAR(lost(two)[1], 2 * lost(two)[0], 1e-8 * lost(one)[0]);
}

TEST(PronySeries, ElementsOfTwoRelaxationTimesBothLoseAndTheLedgerCloses) {
  const RunResult both = ring(R"({"model": "maxwell", "modulus": "10 kPa", "tau": "200 ms"},
                                 {"model": "maxwell", "modulus": "10 kPa", "tau": "5 ms"})");
  double lost = 0;
  for (const std::string& column : both.ledger.columns_beginning("damping.")) {
    EXPECT_GT(both.final_value(column), 0.01 * both.initial_energy()) << column;
    lost += both.final_value(column);
  }
  EXPECT_NEAR(both.final_energy() + lost, both.initial_energy(), 0.02 * both.initial_energy());
}

}  // namespace
}  // namespace dashpot::test_prony_series
