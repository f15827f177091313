// Parameters as values: whatever a scene's number was changed to, by System::with or while a run goes on, the motion is
// that of a scene which was written with it.

#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_parameters {
namespace {

struct Numbers {
  std::string material = R"("model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000)";
  std::string more = {};  ///< further members of the body, e.g. its damping
  std::string scene = R"("gravity": [0, -9.81, 0])";
  std::string mesh = R"({"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}})";
  std::string solver = "{}", stepper = "bathe", end = "0.1 s";
};

CompiledScene make(const Numbers& n) {
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1, "time": {{"dt": "5 ms", "end": "{}", "stepper": "{}"}},
      "solver": {}, {}, "bodies": [{{"name": "bar", "mesh": {}, "material": {{{}}}{}{}}}]}})",
                                         n.end, n.stepper, n.solver, n.scene, n.mesh, n.material,
                                         n.more.empty() ? "" : ", ", n.more)));
}

const std::string pinned = R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])";

std::string with_damping(const std::string& damping, const std::string& pins = pinned) {
  return pins + R"(, "damping": [)" + damping + "]";
}

std::vector<double> values_with(const System& system, const std::string& name, double value) {
  std::vector<double> values;
  system.parameters().set(name, value, values);
  return values;
}

/// A scene as it is, one number of it, and the scene with another value there.
struct Change {
  const char* name;
  Numbers before, after;
  double value;
};

std::vector<Change> all_changes() {
  std::vector<Change> changes;
  const auto damping = [&](const char* name, const std::string& before, const std::string& after, double value) {
    Change change{name, {}, {}, value};
    const bool needs_lumped = before.find("spring") != std::string::npos || before.find("point") != std::string::npos ||
                              before.find("relative") != std::string::npos;
    for (Numbers* n : {&change.before, &change.after})
      if (needs_lumped) n->material += R"(, "mass": "lumped")";
    change.before.more = with_damping(before);
    change.after.more = with_damping(after);
    changes.push_back(change);
  };
  damping("/bodies/0/damping/0/beta", R"({"model": "rayleigh", "beta": "1 ms"})",
          R"({"model": "rayleigh", "beta": "7 ms"})", 7e-3);
  damping("/bodies/0/damping/0/alpha", R"({"model": "rayleigh", "beta": "1 ms"})",
          R"({"model": "rayleigh", "beta": "1 ms", "alpha": "4 /s"})", 4);
  damping("/bodies/0/damping/0/beta", R"({"model": "rayleigh", "beta": "1 ms", "stiffness": "rest"})",
          R"({"model": "rayleigh", "beta": "7 ms", "stiffness": "rest"})", 7e-3);
  damping("/bodies/0/damping/0/regions/0/beta",
          R"({"model": "rayleigh", "beta": "1 ms", "regions": [{"where": {"box": [[0.15, -1, -1], [1, 1, 1]]},
              "beta": "2 ms"}]})",
          R"({"model": "rayleigh", "beta": "1 ms", "regions": [{"where": {"box": [[0.15, -1, -1], [1, 1, 1]]},
              "beta": "9 ms"}]})",
          9e-3);
  for (const char* keeps : {"linear", "element", "global"})
    damping("/bodies/0/damping/0/beta",
            fmt::format(R"({{"model": "laplacian", "beta": "1 ms", "keeps": "{}"}})", keeps),
            fmt::format(R"({{"model": "laplacian", "beta": "6 ms", "keeps": "{}"}})", keeps), 6e-3);
  damping("/bodies/0/damping/0/rate", R"({"model": "ether_drag", "rate": "1 /s"})",
          R"({"model": "ether_drag", "rate": "5 /s"})", 5);
  damping("/bodies/0/damping/0/rate", R"({"model": "pbd", "rate": "1 /s"})", R"({"model": "pbd", "rate": "5 /s"})", 5);
  damping("/bodies/0/damping/0/rate", R"({"model": "relative", "rate": "1 /s", "clusters": "elements"})",
          R"({"model": "relative", "rate": "5 /s", "clusters": "elements"})", 5);
  damping("/bodies/0/damping/0/coefficient", R"({"model": "point", "coefficient": "0.1 kg/s"})",
          R"({"model": "point", "coefficient": "0.9 kg/s"})", 0.9);
  damping("/bodies/0/damping/0/coefficient", R"({"model": "spring", "coefficient": "0.1 kg/s"})",
          R"({"model": "spring", "coefficient": "0.7 kg/s"})", 0.7);
  damping("/bodies/0/damping/0/gamma_per_step", R"({"model": "spring", "gamma_per_step": 0.1})",
          R"({"model": "spring", "gamma_per_step": 0.6})", 0.6);
  damping("/bodies/0/damping/0/viscosity", R"({"model": "variational", "viscosity": "30 Pa s"})",
          R"({"model": "variational", "viscosity": "90 Pa s"})", 90);
  damping("/bodies/0/damping/0/second_viscosity", R"({"model": "strain_rate", "viscosity": "30 Pa s"})",
          R"({"model": "strain_rate", "viscosity": "30 Pa s", "second_viscosity": "90 Pa s"})", 90);
  damping("/bodies/0/damping/0/tau", R"({"model": "maxwell", "modulus": "20 kPa", "tau": "50 ms"})",
          R"({"model": "maxwell", "modulus": "20 kPa", "tau": "10 ms"})", 0.01);
  const auto examples = [](const char* gain, const char* beta) {
    return fmt::format(R"({{"model": "example_based", "over": {{"model": "rayleigh", "beta": "{}"}},
        "examples": [{{"name": "lean", "shape": {{"from": "formula", "y": "0.1*X^2"}}, {}}}]}})",
                       beta, gain);
  };
  damping("/bodies/0/damping/0/examples/0/gamma", examples(R"("gamma": 2)", "1 ms"), examples(R"("gamma": 30)", "1 ms"),
          30);
  damping("/bodies/0/damping/0/over/beta", examples(R"("gamma": 2)", "1 ms"), examples(R"("gamma": 2)", "8 ms"), 8e-3);
  damping("/bodies/0/damping/0/zeta",
          R"({"model": "modal", "ratios": [{"mode": 1, "zeta": 0.02}, {"mode": 2, "zeta": 0.02}]})",
          R"({"model": "modal", "ratios": [{"mode": 1, "zeta": 0.2}, {"mode": 2, "zeta": 0.2}]})", 0.2);

  const auto material = [&](const char* name, const std::string& before, const std::string& after, double value,
                            const std::string& mesh = "") {
    Change change{name, {}, {}, value};
    change.before.material = before;
    change.after.material = after;
    for (Numbers* n : {&change.before, &change.after}) {
      n->more = with_damping(R"({"model": "rayleigh", "alpha": "1 /s", "beta": "2 ms"})");
      if (!mesh.empty()) n->mesh = mesh;
    }
    changes.push_back(change);
  };
  for (const char* law : {"linear", "corotational", "arap", "stvk", "neo_hookean", "stable_neo_hookean"})
    material("/bodies/0/material/young",
             fmt::format(R"("model": "{}", "young": "100 kPa", "poisson": 0.3, "density": 1000)", law),
             fmt::format(R"("model": "{}", "young": "300 kPa", "poisson": 0.3, "density": 1000)", law), 3e5);
  const Numbers usual;
  material("/bodies/0/material/poisson", usual.material,
           R"("model": "stvk", "young": "100 kPa", "poisson": 0.1, "density": 1000)", 0.1);
  material("/bodies/0/material/density", usual.material,
           R"("model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 700)", 700);
  // Numbers of regions, and of those that give only some of them: the rest follows the body.
  const auto wood = [](const char* young, const char* region) {
    return fmt::format(R"("model": "orthotropic_stvk", "young": {}, "poisson": [0.3, 0.2, 0.1],
        "shear": ["40 kPa", "30 kPa", "50 kPa"], "density": 1000, "axes": [[1, 1, 0], [0, 1, 0]],
        "regions": [{{"where": {{"box": [[0.05, -1, -1], [0.15, 1, 1]]}}, "density": 900}},
                    {{"where": {{"box": [[0.15, -1, -1], [1, 1, 1]]}}, {}}}])",
                       young, region);
  };
  const char *hard = R"(["200 kPa", "100 kPa", "100 kPa"])", *soft = R"(["80 kPa", "80 kPa", "80 kPa"])";
  const char* shear = R"("shear": ["60 kPa", "60 kPa", "60 kPa"])";
  material("/bodies/0/material/regions/1/young", wood(hard, R"("young": ["300 kPa", "100 kPa", "90 kPa"])"),
           wood(hard, R"("young": ["80 kPa", "80 kPa", "80 kPa"])"), 8e4);
  material("/bodies/0/material/regions/1/shear", wood(hard, R"("shear": ["20 kPa", "30 kPa", "50 kPa"])"),
           wood(hard, shear), 6e4);
  material("/bodies/0/material/young", wood(hard, shear), wood(soft, shear), 8e4);
  const auto rubber = [](const char* tension, const char* compression, const char* region) {
    return fmt::format(R"("model": "spline", "young": "100 kPa", "poisson": 0.3, "density": 1000,
        "tension": [{{"stretch": 1.02, "stress": "{}"}}], "compression": [{{"stretch": 0.98, "stress": "{}"}}],
        "regions": [{{"where": {{"box": [[0.15, -1, -1], [1, 1, 1]]}}, {}}}])",
                       tension, compression, region);
  };
  const auto pulled = [](const char* first, const char* second) {
    return fmt::format(R"("tension": [{{"stretch": 1.005, "stress": "{}"}}, {{"stretch": 1.02, "stress": "{}"}}])",
                       first, second);
  };
  const char* stiff = R"("young": "200 kPa")";
  material("/bodies/0/material/tension/stress", rubber("1 kPa", "-2 kPa", stiff), rubber("3 kPa", "-2 kPa", stiff),
           3e3);
  material("/bodies/0/material/compression/stress", rubber("2 kPa", "-1 kPa", stiff), rubber("2 kPa", "-3 kPa", stiff),
           -3e3);
  material("/bodies/0/material/regions/0/tension/stress", rubber("1 kPa", "-2 kPa", pulled("100 Pa", "300 Pa").c_str()),
           rubber("1 kPa", "-2 kPa", pulled("600 Pa", "600 Pa").c_str()), 600);
  material("/bodies/0/material/regions/0/young", rubber("1 kPa", "-2 kPa", stiff),
           rubber("1 kPa", "-2 kPa", R"("young": "60 kPa")"), 6e4);
  material("/bodies/0/material/second_share",
           R"("model": "mooney_rivlin", "young": "10 kPa", "poisson": 0.45, "second_share": 0.1, "density": 1000)",
           R"("model": "mooney_rivlin", "young": "10 kPa", "poisson": 0.45, "second_share": 0.9, "density": 1000)",
           0.9);
  const std::string sheet = R"({"cloth": {"size": [0.3, 0.1], "cells": [3, 1]}})";
  material("/bodies/0/material/young", R"("model": "membrane", "young": "1 MPa", "thickness": "1 mm", "density": 1000)",
           R"("model": "membrane", "young": "3 MPa", "thickness": "1 mm", "density": 1000)", 3e6, sheet);
  changes.push_back({"/bodies/0/springs/0/stiffness",
                     {.more = pinned + R"(, "springs": [{"stiffness": "20 N/m"}])"},
                     {.more = pinned + R"(, "springs": [{"stiffness": "70 N/m"}])"},
                     70});
  const std::string floor =
      R"("gravity": [0, -9.81, 0], "colliders": [{"plane": {"name": "floor", "point": [0, 0, 0],
          "normal": [0.3, 1, 0], "friction": )";
  // One gravity, of all bodies and for each axis; a force that begins later.
  changes.push_back({"/gravity",
                     {.more = pinned, .scene = R"("gravity": [0, -9.81, 0])"},
                     {.more = pinned, .scene = R"("gravity": [-3, -3, -3])"},
                     -3});
  const auto pulled_by = [](const char* force) {
    return pinned + fmt::format(R"(, "loads": [{{"model": "force", "where": {{"nearest": [0.3, 0, 0]}},
        "force": {}, "from": "30 ms"}}])",
                                force);
  };
  changes.push_back({"/bodies/0/loads/0/force",
                     {.more = pulled_by(R"([0, "1 N", 0])")},
                     {.more = pulled_by(R"(["2 N", "2 N", "2 N"])")},
                     2});
  const auto landing = [](const char* stiffness) {
    return fmt::format(R"("gravity": [0, -9.81, 0], "colliders": [{{"plane": {{"name": "floor", "point": [0, 0, 0],
        "normal": [0.3, 1, 0], "friction": 0.3, "damping": "0.5 s/m", "stiffness": "{}"}}}}])",
                       stiffness);
  };
  changes.push_back(
      {"/colliders/0/plane/stiffness", {.scene = landing("1 MPa/m")}, {.scene = landing("4 MPa/m")}, 4e6});
  changes.push_back({"/colliders/0/plane/friction", {.scene = floor + "0.2}}]"}, {.scene = floor + "0.6}}]"}, 0.6});
  return changes;
}

Vector end_of(const CompiledScene& scene, const RunHooks& hooks = {}, const std::vector<double>& values = {}) {
  const RunResult result = simulate(scene, hooks, nullptr, values);
  EXPECT_EQ(result.status, RunStatus::finished) << result.explanation;
  return result.state.q;
}

TEST(Parameters, AChangedValueMovesAsASceneThatWasWrittenWithIt) {
  for (const Change& change : all_changes()) {
    SCOPED_TRACE(
        fmt::format("{} = {} in {} {}", change.name, change.value, change.before.material, change.before.more));
    const CompiledScene before = make(change.before), after = make(change.after);
    const Vector first = end_of(before), wanted = end_of(after);
    const double size = (wanted - after.start.q).norm();
    ASSERT_GT((first - wanted).norm(), 1e-4 * size) << "this number does nothing here";
    const std::vector<double> values = values_with(*before.system, change.name, change.value);
    EXPECT_LT((end_of(before, {}, values) - wanted).norm(), 1e-9 * size);
    EXPECT_EQ(end_of(before), first) << "the first System has changed";
  }
}

TEST(Parameters, EveryRegisteredDampingCanBeTurnedWhileItRuns) {
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::damping) continue;
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      Numbers numbers{.more = with_damping(example)};
      if (entry.is_for_sheets) {
        numbers.mesh = R"({"cloth": {"size": [0.3, 0.2], "cells": [3, 2]}})";
        numbers.material = R"("model": "cloth", "young": "100 kPa", "density": 1000, "thickness": "1 cm")";
      }
      std::optional<CompiledScene> scene;
      try {
        scene = make(numbers);
      } catch (const Error&) {
        numbers.material += R"(, "mass": "lumped")";
        scene = make(numbers);
      }
      int turned = 0;
      for (const ParameterLayout::Entry& parameter : scene->system->parameters().entries()) {
        if (!parameter.info.name.starts_with("/bodies/0/damping/0/")) continue;
        ++turned;
        EXPECT_FALSE(parameter.info.range_text().empty());
      }
      EXPECT_GT(turned, 0) << "no parameter";
      // Half way everything is tripled; the next step knows it.
      std::vector<double> lost[2];
      for (const bool turns : {false, true}) {
        RunHooks hooks;
        hooks.turn = [&](double time, const ParameterLayout& layout, std::vector<double>& values) {
          if (!turns || time < 0.049) return;
          values = layout.nominal();
          for (const ParameterLayout::Entry& parameter : layout.entries())
            for (int k = parameter.first; k < parameter.first + parameter.size(); ++k)
              if (parameter.info.name.starts_with("/bodies/0/damping/0/") && !parameter.info.name.ends_with("/at"))
                values[static_cast<std::size_t>(k)] =
                    std::min(3 * values[static_cast<std::size_t>(k)], parameter.info.high);
        };
        const RunResult run = simulate(*scene, hooks);
        EXPECT_EQ(run.status, RunStatus::finished) << run.explanation;
        for (std::size_t c = 0; c < run.ledger.columns.size(); ++c)
          if (run.ledger.columns[c].starts_with("damping.")) lost[turns ? 1 : 0] = run.ledger.values[c];
      }
      ASSERT_EQ(lost[0].size(), 21U);
      for (std::size_t i = 0; i <= 10; ++i) EXPECT_EQ(lost[0][i], lost[1][i]) << i;
      // More or less: three times the modulus and the time of a Maxwell element may lose less in this step.
      const double usual = lost[0][11] - lost[0][10], now = lost[1][11] - lost[1][10];
      EXPECT_GT(std::abs(now - usual), 0.01 * std::abs(usual));
    }
  }
}

TEST(Parameters, TwoThreadsShareASystemAndGetTheBitsThatEachGetsAlone) {
  const CompiledScene scene = make({.more = with_damping(R"({"model": "rayleigh", "beta": "1 ms"})"), .end = "0.3 s"});
  const std::vector<double> soft = values_with(*scene.system, "/bodies/0/material/young", 5e4),
                            damped = values_with(*scene.system, "/bodies/0/damping/0/beta", 2e-2);
  const Vector soft_alone = end_of(scene, {}, soft), damped_alone = end_of(scene, {}, damped);
  ASSERT_NE(soft_alone, damped_alone);
  for (int round = 0; round < 3; ++round) {
    Vector soft_end, damped_end;
    std::thread first([&] { soft_end = end_of(scene, {}, soft); });
    std::thread second([&] { damped_end = end_of(scene, {}, damped); });
    first.join();
    second.join();
    EXPECT_EQ(soft_end, soft_alone);
    EXPECT_EQ(damped_end, damped_alone);
  }
}

/// Keeps the last checkpoint, and gives one back.
class Checkpoints final : public RunSink {
 public:
  std::optional<Checkpoint> from, last;
  std::optional<Checkpoint> earlier() override { return from; }
  void begin(const RunResult&, int) override {}
  void resume(const Checkpoint&, RunResult&, bool) override {}
  void row(RunTable, const std::vector<double>&) override {}
  void frame(const Frame&) override {}
  void checkpoint(Checkpoint checkpoint) override {
    if (!last) last = std::move(checkpoint);
  }
  void end(RunStatus) override {}
};

TEST(Parameters, ALiveChangeIsInTheCheckpointAndResumesBitIdentically) {
  for (const char* stepper : {"bathe", "newmark", "bdf2", "symplectic_euler", "leapfrog"}) {
    SCOPED_TRACE(stepper);
    CompiledScene scene = make({.material = R"("model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000,
                                               "mass": "lumped")",
                                .more = with_damping(R"({"model": "rayleigh", "alpha": "1 /s", "beta": "0.1 ms"})"),
                                .stepper = stepper});
    scene.run.dt = 1e-3;
    scene.run.checkpoint_every = 0.05;
    RunHooks hooks;
    hooks.turn = [](double time, const ParameterLayout& layout, std::vector<double>& values) {
      if (std::abs(time - 0.05) < 1e-9) layout.set("/bodies/0/damping/0/alpha", 30, values);
      if (std::abs(time - 0.03) < 1e-9) layout.set("/bodies/0/material/young", 2e5, values);
    };
    Checkpoints whole;
    const RunResult result = simulate(scene, hooks, &whole);
    ASSERT_EQ(result.status, RunStatus::finished) << result.explanation;
    ASSERT_TRUE(whole.last);
    EXPECT_NEAR(whole.last->state.time, 0.05, 1e-12);
    EXPECT_EQ(whole.last->state.parameters, values_with(*scene.system, "/bodies/0/material/young", 2e5));
    Checkpoints resumed;
    resumed.from = whole.last;
    const RunResult rest = simulate(scene, hooks, &resumed);
    EXPECT_EQ(rest.state.hash(), result.state.hash());
  }
}

TEST(Parameters, WhoeverStiffensAStretchedBodyDoesTheWork) {
  // Linear, by the midpoint rule: the integrator itself loses nothing.
  const CompiledScene scene = make({.material = R"("model": "linear", "young": "100 kPa", "poisson": 0.3,
                                                   "density": 1000)",
                                    .more = with_damping(R"({"model": "rayleigh", "beta": "0.1 ms"})"),
                                    .stepper = "midpoint",
                                    .end = "0.2 s"});
  RunHooks hooks;
  hooks.turn = [](double time, const ParameterLayout& layout, std::vector<double>& values) {
    if (std::abs(time - 0.1) < 1e-9) layout.set("/bodies/0/material/young", 2e5, values);
  };
  const RunResult run = simulate(scene, hooks);
  ASSERT_EQ(run.status, RunStatus::finished) << run.explanation;
  const std::vector<double>&external = run.ledger.column("external"), &elastic = run.ledger.column("elastic.bar"),
        &numerical = run.ledger.column("numerical");
  // At 0.1 s its elastic energy doubles (the law is linear in E), and that is all the external work there is.
  EXPECT_EQ(external[20], 0);
  EXPECT_NEAR(external[21], elastic[20], 1e-9 * elastic[20]);
  EXPECT_EQ(external.back(), external[21]);
  EXPECT_LT(std::abs(numerical.back()), 1e-6 * elastic[20]) << "booked as loss of the integrator";
}

TEST(Parameters, AfterAChangeTheLedgerBooksTheForcesThatTheAccelerationBalances) {
  // The trapezoidal rule starts from a_n, which a change makes anew with the stiffness that the next step holds.
  const CompiledScene scene =
      make({.more = with_damping(R"({"model": "rayleigh", "beta": "20 ms"})"), .stepper = "trapezoid", .end = "0.2 s"});
  RunHooks hooks;
  hooks.turn = [](double time, const ParameterLayout& layout, std::vector<double>& values) {
    if (std::abs(time - 0.1) < 1e-9) layout.set("/bodies/0/damping/0/alpha", 1e-9, values);
  };
  const auto lost_in_step = [](const RunResult& run, const char* column) {
    return run.ledger.column(column)[21] - run.ledger.column(column)[20];
  };
  const RunResult turned = simulate(scene, hooks), plain = simulate(scene);
  const double damped = lost_in_step(plain, "damping.bar.rayleigh");
  ASSERT_GT(damped, 0);
  EXPECT_LT(std::abs(lost_in_step(turned, "numerical") - lost_in_step(plain, "numerical")), 1e-3 * damped)
      << lost_in_step(turned, "numerical") << " " << lost_in_step(plain, "numerical") << " " << damped;
}

TEST(Parameters, BadValuesAndUnknownNamesAreToldAndTheRunGoesOnAsItWas) {
  const CompiledScene scene = make({.more = with_damping(R"({"model": "rayleigh", "beta": "1 ms"})")});
  const ParameterLayout& layout = scene.system->parameters();
  std::vector<double> values;
  EXPECT_THROW(layout.set("/bodies/0/damping/0/beta", -1, values), Error);
  EXPECT_THROW(layout.set("/bodies/0/material/poisson", 0.5, values), Error);
  try {
    layout.set("/bodies/0/damping/0/bta", 1, values);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/bodies/0/damping/0/beta"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(values.empty());
  values = layout.nominal();
  for (double& value : values) value = NAN;
  try {
    scene.system->with(values);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), values.size());
  }
  EXPECT_EQ(scene.system->with({}).get(), scene.system.get());
  EXPECT_EQ(scene.system->with(layout.nominal()).get(), scene.system.get());
}

TEST(Parameters, ReducedBodiesTurnTheirDampingToo) {
  Numbers numbers{.more = with_damping(R"({"model": "rayleigh", "alpha": "1 /s", "beta": "1 ms"})") +
                          R"(, "reduced": {"modes": 4, "cache": false})"};
  Numbers other = numbers;
  other.more = with_damping(R"({"model": "rayleigh", "alpha": "1 /s", "beta": "8 ms"})") +
               R"(, "reduced": {"modes": 4, "cache": false})";
  const CompiledScene scene = make(numbers), wanted = make(other);
  const Vector end = end_of(scene, {}, values_with(*scene.system, "/bodies/0/damping/0/beta", 8e-3));
  ASSERT_GT((end_of(scene) - end).norm(), 1e-4 * end.norm());
  EXPECT_LT((end - end_of(wanted)).norm(), 1e-9 * end.norm());
}

}  // namespace
}  // namespace dashpot::test_parameters
