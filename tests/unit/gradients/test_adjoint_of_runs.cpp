// Gradients of whole runs, three ways: by the adjoint, by forward sensitivities, and by central differences of runs;
// for every parameter of every damping and material that a scene can name.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/adjoint_run.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "support/registered_bodies.hpp"

namespace dashpot::test_adjoint_of_runs {
namespace {

using Start = SensitivityStepper::Start;
constexpr double dt = 5e-3;
constexpr int num_steps = 5;

NewtonOptions tight() {
  NewtonOptions newton;
  newton.tolerance = 1e-13;
  newton.max_iterations = 60;
  return newton;
}

/// L_i: sums over all instants after the start of weights . q and weights . v, the last instant with more weight.
constexpr int num_objectives = 2;
Vector weights(const State& state, int objective, bool of_v) {
  Vector w(state.q.size());
  for (Eigen::Index k = 0; k < w.size(); ++k)
    w[k] = std::sin(1.0 + 1.7 * static_cast<double>(k) + 3.1 * objective + (of_v ? 0.4 : 0)) * (of_v ? 0.01 : 1) *
           (state.step == num_steps ? 2 : 1);
  return w;
}

double objective_at(const State& state, int i) {
  return state.step == 0 ? 0 : weights(state, i, false).dot(state.q) + weights(state, i, true).dot(state.v);
}

void objective_slopes(const State& state, StateAdjoint& adjoint) {
  if (state.step == 0) return;
  for (int i = 0; i < num_objectives; ++i) {
    adjoint.q.col(i) += weights(state, i, false);
    adjoint.v.col(i) += weights(state, i, true);
  }
}

struct Case {
  std::shared_ptr<const System> system;
  State start;
};

/// Bent and moving, so that everything answers.
State moving_start(const CompiledScene& scene) {
  State state = scene.start;
  for (Eigen::Index k = 0; k < state.q.size(); ++k) {
    const auto number = static_cast<double>(k);
    state.q[k] += 1e-3 * std::sin(1 + 2.3 * number);
    state.v[k] += 0.3 * std::cos(2 + 1.1 * number) + 0.5 * std::sin(static_cast<double>(k % 3) + 1);
  }
  scene.system->prescribe(state.time, &state.q, &state.v, nullptr);
  Workspace workspace = scene.system->make_workspace();
  EXPECT_TRUE(make_consistent(*scene.system, state, workspace));
  return state;
}

/// The objectives of a run with these values; false: it failed.
bool run_with(const Case& one, const Integrator& integrator, const std::vector<double>& values, Vector& L) {
  const auto system = one.system->with(values);
  State state = one.start;
  Workspace workspace = system->make_workspace();
  if (!make_consistent(*system, state, workspace)) return false;
  const auto stepper = make_stepper(integrator, tight(), {});
  L.setZero(num_objectives);
  for (int i = 0; i < num_steps; ++i) {
    if (stepper->step(*system, state, workspace, dt).status == StepStatus::failed) return false;
    for (int k = 0; k < num_objectives; ++k) L[k] += objective_at(state, k);
  }
  return true;
}

RunGradient adjoint_of(const Case& one, const Integrator& integrator, const std::vector<int>& numbers,
                       double memory = 1e9) {
  RecordingStepper stepper(integrator, tight(), {}, memory);
  State state = one.start;
  Workspace workspace = one.system->make_workspace();
  for (int i = 0; i < num_steps; ++i) {
    const StepReport report = stepper.step(*one.system, state, workspace, dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
  }
  GradientOptions options;
  options.values = numbers;
  options.num_objectives = num_objectives;
  return gradient_of_run(*one.system, integrator, stepper, state, objective_slopes, options);
}

Matrix forward_of(const Case& one, const Integrator& integrator, const std::vector<int>& numbers) {
  SensitivityStepper stepper(integrator, tight(), {}, numbers);
  State state = one.start;
  stepper.begin(*one.system, state, Start::given);
  Workspace workspace = one.system->make_workspace();
  Matrix gradient = Matrix::Zero(num_objectives, static_cast<Eigen::Index>(numbers.size()));
  for (int i = 0; i < num_steps; ++i) {
    const StepReport report = stepper.step(*one.system, state, workspace, dt);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (int o = 0; o < num_objectives; ++o)
        gradient(o, static_cast<Eigen::Index>(k)) +=
            weights(state, o, false).dot(stepper.columns()[k].q) + weights(state, o, true).dot(stepper.columns()[k].v);
  }
  return gradient;
}

/// Central differences of runs, of second order at a border of the range too, and by how much the parameter was moved;
/// zero: a run failed.
double difference_of(const Case& one, const Integrator& integrator, int number, Vector& slope) {
  const std::vector<double>& values = one.system->parameter_values();
  const auto at = static_cast<std::size_t>(number);
  const ParameterLayout::Entry* entry = nullptr;
  for (const ParameterLayout::Entry& e : one.system->parameters().entries())
    if (e.first <= number && number < e.first + e.size()) entry = &e;
  double typical = 0;
  for (int i = entry->first; i < entry->first + entry->size(); ++i)
    typical = std::max(typical, std::abs(values[static_cast<std::size_t>(i)]));
  const double h = typical > 0 ? 2e-5 * typical : 1e-7;  // what is zero may be stiff
  std::vector<std::pair<double, double>> points = {{h, 0.5 / h}, {-h, -0.5 / h}};
  const auto admits = [&](double shift) {
    std::vector<double> moved = values;
    moved[at] += shift;
    try {
      one.system->with(moved);
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  if (!admits(-h)) points = {{0, -1.5 / h}, {h, 2 / h}, {2 * h, -0.5 / h}};
  if (!admits(h)) points = {{0, 1.5 / h}, {-h, -2 / h}, {-2 * h, 0.5 / h}};
  slope.setZero(num_objectives);
  for (const auto& [shift, weight] : points) {
    std::vector<double> moved = values;
    moved[at] += shift;
    Vector L;
    if (!run_with(one, integrator, moved, L)) return 0;
    slope += weight * L;
  }
  return h;
}

struct Tally {
  int compared = 0, with_effect = 0, refused = 0, fixed = 0, remembered = 0;
};

/// Compares for all parameters of a scene.
void expect_gradients(const std::string& scene_text, const Integrator& integrator, Tally& tally) {
  const CompiledScene scene = compile(parse_scene(scene_text));
  const Case one{scene.system, moving_start(scene)};
  if (!one.system->filters().empty()) {
    EXPECT_THROW(adjoint_of(one, integrator, {}), Error);
    ++tally.refused;
    return;
  }
  std::vector<int> numbers;
  for (std::size_t i = 0; i < one.system->parameter_values().size(); ++i) {
    std::vector<double> other = one.system->parameter_values();
    other[i] += 1e-6 * std::max(1e-3, std::abs(other[i]));
    try {
      one.system->with(other);
      numbers.push_back(static_cast<int>(i));
    } catch (const Error&) {  // some terms are made for one value
      ++tally.fixed;
    }
  }
  const bool remembers = std::any_of(one.system->dissipations().begin(), one.system->dissipations().end(),
                                     [](const auto& term) { return term->num_internal_variables() > 0; });
  Matrix backward;
  try {
    const RunGradient found = adjoint_of(one, integrator, numbers);
    backward = found.of_parameters;
    EXPECT_LT(found.worst_mismatch, 1e-5);
    tally.remembered += remembers;
  } catch (const Error& error) {  // the check found a tangent that is no derivative, and says whose
    EXPECT_NE(std::string(error.what()).find("example_based"), std::string::npos) << error.what();
    ++tally.refused;
  }
  const Matrix forward = forward_of(one, integrator, numbers);
  Vector L;
  ASSERT_TRUE(run_with(one, integrator, {}, L));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int number = numbers[i];
    const auto k = static_cast<Eigen::Index>(i);
    SCOPED_TRACE(fmt::format("{}, parameter {}", integrator.name(), number));
    Vector expected;
    const double h = difference_of(one, integrator, number, expected);
    if (h == 0) continue;
    const double round_off = 3e-13 * L.norm() / h;  // of runs converged to 1e-13
    const double tolerance = 2e-4 * expected.norm() + round_off;
    EXPECT_LT((forward.col(k) - expected).norm(), tolerance)
        << "forward " << forward.col(k).transpose() << " runs " << expected.transpose();
    if (backward.size() > 0)
      EXPECT_LT((backward.col(k) - expected).norm(), tolerance)
          << "adjoint " << backward.col(k).transpose() << " runs " << expected.transpose();
    ++tally.compared;
    tally.with_effect += expected.norm() > 100 * round_off;
  }
}

std::string scene_with(const std::string& body, const std::string& more = "") {
  return fmt::format(R"({{"dashpot": 1, "gravity": [1, -9.81, 0.5], "time": {{"dt": "5 ms", "end": "25 ms"}},
    "bodies": [{{"name": "body", {}, "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]{}}})",
                     body, more);
}

TEST(Gradient, OfEveryRegisteredDampingIsThatOfItsRuns) {
  Tally tally;
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::damping) continue;
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      const auto text = [&](const char* mass) {
        return scene_with(fmt::format(R"({}, "damping": [{}])", testing::mesh_and_material(entry, mass), example));
      };
      std::string scene = text("consistent");
      try {
        compile(parse_scene(scene));
      } catch (const Error&) {
        scene = text("lumped");
      }
      for (const char* name : {"backward_euler", "bathe"}) expect_gradients(scene, Integrator(name), tally);
    }
  }
  EXPECT_GT(tally.with_effect, 100);
  EXPECT_GT(tally.refused, 5);
  EXPECT_GT(tally.remembered, 10);
}

TEST(Gradient, OfEveryRegisteredMaterialIsThatOfItsRuns) {
  Tally tally;
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::material) continue;
    for (const std::string& example : entry.examples) {
      SCOPED_TRACE(example);
      const std::string scene = scene_with(fmt::format(
          R"("mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}}, "material": {})", example));
      for (const char* name : {"midpoint", "generalized_alpha"}) expect_gradients(scene, Integrator(name), tally);
    }
  }
  EXPECT_GT(tally.with_effect, 20);
}

TEST(Gradient, OfEveryImplicitIntegratorIsThatOfItsRuns) {
  // A lagged tangent, whose derivative by what it was made at is part of every step.
  const std::string scene = scene_with(
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "neo_hookean", "young": "60 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "alpha": "0.4 /s", "beta": "8 ms", "stiffness": "projected_tangent"}])");
  Tally tally;
  int count = 0;
  for (const std::string& name : integrator_names()) {
    const Integrator integrator(name);
    if (integrator.is_explicit()) continue;
    expect_gradients(scene, integrator, tally);
    ++count;
  }
  EXPECT_GE(count, 6);
  EXPECT_GE(tally.with_effect, 5 * count);
}

TEST(Gradient, OfWhatIsRememberedIsThatOfItsRunsWithEveryImplicitIntegrator) {
  const std::string scene = scene_with(
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "neo_hookean", "young": "60 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "prony", "branches": [{"share": 0.4, "tau": "20 ms"}, {"share": 0.2, "tau": "5 ms"}]},
                  {"model": "rayleigh", "alpha": "0.4 /s", "beta": "8 ms"}])");
  Tally tally;
  int count = 0;
  for (const std::string& name : integrator_names()) {
    const Integrator integrator(name);
    if (integrator.is_explicit()) continue;
    expect_gradients(scene, integrator, tally);
    ++count;
  }
  EXPECT_GE(count, 6);
  EXPECT_EQ(tally.remembered, count);
  EXPECT_GE(tally.with_effect, 7 * count);
}

TEST(Gradient, OfManyObjectivesAtOnceIsThatOfEachAlone) {
  // One or two are followed back by numbers, more by vectors.
  const CompiledScene scene = compile(parse_scene(scene_with(
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "learned", "nominal": "corotational", "young": "60 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "alpha": "0.4 /s", "beta": "8 ms"}])")));
  const Case one{scene.system, moving_start(scene)};
  const auto gradient = [&](const std::vector<int>& which) {
    RecordingStepper stepper("bathe", tight(), {});
    State state = one.start;
    Workspace workspace = one.system->make_workspace();
    for (int i = 0; i < num_steps; ++i) stepper.step(*one.system, state, workspace, dt);
    GradientOptions options;
    for (std::size_t k = 0; k < one.system->parameter_values().size(); ++k)
      options.values.push_back(static_cast<int>(k));
    options.num_objectives = static_cast<int>(which.size());
    const auto slopes = [&](const State& at, StateAdjoint& adjoint) {
      for (std::size_t k = 0; k < which.size(); ++k)
        adjoint.q.col(static_cast<Eigen::Index>(k)) += weights(at, which[k], false);
    };
    return gradient_of_run(*one.system, "bathe", stepper, state, slopes, options).of_parameters;
  };
  const Matrix together = gradient({0, 1, 2, 3});
  for (int k = 0; k < 4; ++k) {
    const Matrix alone = gradient({k});
    ASSERT_GT(alone.norm(), 0);
    for (Eigen::Index i = 0; i < alone.cols(); ++i)
      EXPECT_NEAR(together(k, i), alone(0, i), 1e-6 * std::abs(alone(0, i)) + 1e-9 * alone.norm()) << i;
  }
}

TEST(Gradient, GoesThroughContactWithFriction) {
  // On the floor and partly in it; the penalty is smooth.
  const std::string scene = R"({"dashpot": 1, "gravity": [1, -9.81, 0.5], "time": {"dt": "5 ms", "end": "25 ms"},
    "bodies": [{"name": "body", "mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "beta": "2 ms"}]}],
    "colliders": [{"plane": {"name": "floor", "friction": 0.3, "restitution": 0.5, "restitution_speed": "1 m/s"}}]})";
  Tally tally;
  expect_gradients(scene, Integrator("backward_euler"), tally);
  EXPECT_GE(tally.with_effect, 6);
}

/// A bar that starts where gravity has bent it; then the gravity of the run is another one only through parameters.
TEST(Gradient, OfAStartInEquilibriumFollowsTheEquilibrium) {
  const std::string text = R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "25 ms"},
    "bodies": [{"name": "body", "mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "beta": "2 ms"}], "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
      "start": {"from": "equilibrium", "loads": [
        {"model": "force", "where": {"box": [[0.299, -1, -1], [0.301, 1, 1]]}, "force": [0, "2 N", 0]}]}}]})";
  const CompiledScene scene = compile(parse_scene(text));
  const std::vector<int> numbers = {scene.system->parameters().at("/bodies/0/material/young").first,
                                    scene.system->parameters().at("/bodies/0/damping/0/beta").first};
  for (const char* name : {"backward_euler", "trapezoid"}) {
    const Integrator integrator(name);
    SensitivityStepper forward(integrator, tight(), {}, numbers);
    forward.begin(*scene.system, scene.start, Start::equilibrium);
    RecordingStepper stepper(integrator, tight(), {});
    State state = scene.start, followed = scene.start;
    Workspace workspace = scene.system->make_workspace(), other = scene.system->make_workspace();
    for (int i = 0; i < num_steps; ++i) {
      ASSERT_NE(stepper.step(*scene.system, state, workspace, dt).status, StepStatus::failed);
      ASSERT_NE(forward.step(*scene.system, followed, other, dt).status, StepStatus::failed);
    }
    GradientOptions options;
    options.values = numbers;
    options.start = Start::equilibrium;
    const auto last = [&](const State& at, StateAdjoint& adjoint) {
      if (at.step == num_steps) adjoint.q.col(0) += weights(at, 0, false);
    };
    const RunGradient found = gradient_of_run(*scene.system, integrator, stepper, state, last, options);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double expected = weights(state, 0, false).dot(forward.columns()[k].q);
      ASSERT_GT(std::abs(expected), 0);
      EXPECT_NEAR(found.of_parameters(0, static_cast<Eigen::Index>(k)), expected, 1e-6 * std::abs(expected)) << name;
    }
    options.start = Start::given;
    const RunGradient held = gradient_of_run(*scene.system, integrator, stepper, state, last, options);
    EXPECT_GT(std::abs(held.of_parameters(0, 0) - found.of_parameters(0, 0)), 0.1 * std::abs(found.of_parameters(0, 0)))
        << "the equilibrium does not matter here";
  }
}

TEST(Gradient, ByTheStartIsThatOfItsRuns) {
  const CompiledScene scene = compile(parse_scene(scene_with(
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "alpha": "1 /s", "beta": "4 ms"}])")));
  const Case one{scene.system, moving_start(scene)};
  for (const char* name : {"backward_euler", "generalized_alpha"}) {
    const RunGradient found = adjoint_of(one, Integrator(name), {});
    const Vector along = weights(one.start, 5, false);
    for (const bool of_v : {false, true}) {
      Vector slope = Vector::Zero(num_objectives), L;
      const double h = 1e-6;
      for (const double sign : {1.0, -1.0}) {
        Case moved = one;
        Vector& x = of_v ? moved.start.v : moved.start.q;
        x += sign * h * along;
        one.system->prescribe(0, &moved.start.q, &moved.start.v, nullptr);
        ASSERT_TRUE(run_with(moved, Integrator(name), {}, L));
        slope += sign / (2 * h) * L;
      }
      Vector free = along;
      one.system->reduce(free);
      const Matrix& bar = of_v ? found.of_start.v : found.of_start.q;
      ASSERT_GT(slope.norm(), 1e-3);
      EXPECT_LT((bar.transpose() * free - slope).norm(), 1e-5 * slope.norm()) << name << (of_v ? ", v" : ", q");
    }
  }
}

TEST(Gradient, IsTheSameWithFewCheckpointsAsWithAllSteps) {
  const CompiledScene scene = compile(parse_scene(scene_with(
      R"("mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
      "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "beta": "4 ms"}])")));
  const std::shared_ptr<const System> system = scene.system;
  constexpr int steps = 100;
  const auto gradient_with = [&](double memory, RunGradient& found) {
    RecordingStepper stepper("bathe", {}, {}, memory);
    State state = moving_start(scene);
    Workspace workspace = system->make_workspace();
    for (int i = 0; i < steps; ++i) ASSERT_NE(stepper.step(*system, state, workspace, dt).status, StepStatus::failed);
    GradientOptions options;
    options.values = {0, 1, 2};
    const auto objective = [&](const State& at, StateAdjoint& adjoint) { adjoint.q.col(0) += at.q; };
    found = gradient_of_run(*system, "bathe", stepper, state, objective, options);
  };
  RunGradient all, few;
  gradient_with(1e9, all);
  const double record = record_bytes(moving_start(scene), 2);
  gradient_with(30 * record, few);
  EXPECT_EQ(all.num_steps_again, 0);
  EXPECT_EQ(few.num_steps_again, steps);
  EXPECT_LT(few.peak_bytes, 0.5 * all.peak_bytes);
  ASSERT_GT(all.of_parameters.norm(), 0);
  EXPECT_EQ((all.of_parameters - few.of_parameters).norm(), 0) << "steps that are taken again have the same bits";
}

TEST(Gradient, OfTenThousandStepsFitsIntoMemory) {
  // Ten thousand tets have some 2500 nodes; a record of backward Euler is six vectors of a State and one displacement.
  const double record = 7 * 3 * 2500 * sizeof(double);
  const CheckpointPlan plan = checkpoint_plan(10000, record, 512e6);
  EXPECT_LE(plan.bytes, 512e6);
  EXPECT_EQ(plan.steps_again, 10000);
  const CheckpointPlan small = checkpoint_plan(200, record, 512e6);
  EXPECT_EQ(small.distance, 1);
  EXPECT_EQ(small.steps_again, 0);
}

}  // namespace
}  // namespace dashpot::test_adjoint_of_runs
