// Elastic laws learned from motion, as in reference D, section 8: a bar of neo-Hookean rubber, learned by a
// corotational one that is nearly twice as stiff.

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/learn/law_unknowns.hpp"
#include "unit/learn/paths.hpp"

namespace dashpot::test_learned_law {
namespace {

using learn::FitProblem;
using learn::FitResult;
using test_support::instants;
using test_support::measured;
using test_support::positions_at;

constexpr double step = 1.0 / 400;
constexpr int num_frames = 160;
const std::string training = "[0, 0, -9.81]", unseen = "[2, 12, 3]", other = "[0, 3, -12]";

struct Bar {
  const char* size = "[0.09, 0.03, 0.03]";
  const char* cells = "[6, 2, 2]";
  double dt = step;
  const char* split = "five";  ///< the reference's: five tets a cell
};

std::shared_ptr<const CompiledScene> bar(const std::string& material, const std::string& gravity = training,
                                         const Bar& made = {}) {
  return std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": {}, "time": {{"dt": {:.17g}, "end": 0.4, "stepper": "backward_euler"}},
    "solver": {{"newton": {{"tolerance": 1e-8}}}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": {}, "cells": {}, "split": "{}"}}}},
      "material": {{{}, "poisson": 0.43, "density": 1000}},
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
      gravity, made.dt, made.size, made.cells, made.split, material))));
}

const char* truth_material = R"("model": "neo_hookean", "young": 2e4)";
const char* learned_material = R"("model": "learned", "nominal": "corotational", "young": 3.5e4)";
/// With knots that reach as far as a larger motion.
const char* wide_material =
    R"("model": "learned", "nominal": "corotational", "young": 3.5e4, "stretch_range": [0.6, 1.6])";

/// Largest distance of a node in any frame, in percent of the diagonal of the body.
double worst_error(const std::vector<std::vector<Vec3>>& a, const std::vector<std::vector<Vec3>>& b) {
  double worst = 0;
  Vec3 low = a[0][0], high = low;
  for (const Vec3& x : a[0]) low = low.cwiseMin(x), high = high.cwiseMax(x);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t p = 0; p < a[i].size(); ++p) worst = std::max(worst, (a[i][p] - b[i][p]).norm());
  return 100 * worst / (high - low).norm();
}

struct Learned {
  std::string material;
  FitProblem problem;
  FitResult found;
  /// Against the true material, in a motion under this gravity.
  double error(const std::string& gravity, int frames, const Bar& made = {}) const {
    const auto truth = bar(truth_material, gravity, made), scene = bar(material, gravity, made);
    const std::vector<double> times = instants(step, step, frames);
    return worst_error(positions_at(truth, times),
                       positions_at(scene, times, problem.values({"test", scene, {}}, found.x)));
  }
};

Learned learn_from(const std::shared_ptr<const test_support::Paths>& seen, double ridge = 0.01,
                   const std::string& material = learned_material, const Bar& made = {}) {
  Learned result{material, {}, {}};
  result.problem.runs.push_back({"bar", bar(material, training, made), {seen}});
  learn::LawRequest request;
  request.ridge = ridge;
  learn::add_law_unknowns(result.problem, request);
  EXPECT_EQ(result.problem.unknowns.size(), 16u);
  result.found = learn::fit(result.problem, {});
  EXPECT_EQ(result.found.end, FitResult::End::converged) << result.found.explanation;
  return result;
}

TEST(LearnedLaw, ThePriorOfCurvesIsInSlopesOfTheKnownLaw) {
  FitProblem problem;
  problem.runs.push_back({"bar", bar(learned_material), {}});
  learn::LawRequest request;
  request.ridge = 0;
  request.smoothness = 2;
  learn::add_law_unknowns(problem, request);
  const double E0 = 1e4, mu = 3.5e4 / (2 * 1.43), lambda = 3.5e4 * 0.43 / (1.43 * 0.14);
  const auto prior_of = [&](int first, int count, double rise) {
    Vector x = Vector::Zero(16);
    for (int k = 0; k < count; ++k) x[first + k] = 5 + rise * k;  // straight: no bends; 5: a curve is zero at rest
    return x.dot(problem.precision * x);
  };
  EXPECT_NEAR(prior_of(2, 8, 2 * mu / E0 * 0.8 / 5), 2 * 7.0 / 9, 1e-9);  // knots from 0.65 to 1.45
  EXPECT_NEAR(prior_of(10, 6, lambda / E0 * 0.6 / 3), 2 * 5.0 / 9, 1e-9);
  EXPECT_EQ(prior_of(0, 2, 1), 0) << "the tail is free";
}

TEST(LearnedLaw, PredictsItsOwnMotionALargerOneAndAnotherBody) {
  const std::vector<double> times = instants(step, step, num_frames);
  // Percent; reference D, section 8. Unlearned: above 40, 45 and 15.
  for (const char* split : {"five", "mirrored"}) {
    const Bar made{"[0.09, 0.03, 0.03]", "[6, 2, 2]", step, split},
        second{"[0.07, 0.028, 0.042]", "[5, 2, 3]", step, split};
    const auto truth = bar(truth_material, training, made);
    EXPECT_GT(worst_error(positions_at(truth, times), positions_at(bar(learned_material, training, made), times)), 40);
    const Learned law = learn_from(measured(truth, times, 1e-5), 0.01, learned_material, made);
    EXPECT_LT(law.error(training, num_frames, made), 0.00095) << split;
    const Learned wide = learn_from(measured(truth, times, 1e-5), 0.01, wide_material, made);
    EXPECT_LT(wide.error(other, 120, second), 0.007) << split;
    // Cells of six tets are strained more by the larger motion than those of the reference.
    EXPECT_LT(wide.error(unseen, 120, made), split == std::string("five") ? 0.033 : 0.07) << split;
  }
}

/// The points of six corners and edges, and of three.
std::vector<int> spread_points(std::size_t count) {
  const auto scene = bar(truth_material);
  const std::vector<Vec3> wanted = {Vec3(0.09, 0, 0),     Vec3(0.09, 0.03, 0.03), Vec3(0.045, 0.03, 0),
                                    Vec3(0.045, 0, 0.03), Vec3(0.09, 0.03, 0),    Vec3(0.03, 0, 0.03)};
  std::vector<int> points;
  std::vector<Vec3> x;
  scene->system->kinematics().positions(scene->start.q, x);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t nearest = 0;
    for (std::size_t p = 0; p < x.size(); ++p)
      if ((x[p] - wanted[i]).norm() < (x[nearest] - wanted[i]).norm()) nearest = p;
    points.push_back(static_cast<int>(nearest));
  }
  return points;
}

TEST(LearnedLaw, NeedsFewNodesAndBearsNoise) {
  const std::vector<double> times = instants(step, step, num_frames);
  const double noise = 0.01 * Vec3(0.09, 0.03, 0.03).norm();  // one percent of the diagonal
  const auto error_of = [&](const Bar& made, double sigma, unsigned seed, const std::vector<int>& points,
                            double ridge) {
    const auto seen = measured(bar(truth_material, training, made), times, sigma, seed, points);
    return learn_from(seen, ridge, learned_material, made).error(training, num_frames, made);
  };
  const Bar five, mirrored{"[0.09, 0.03, 0.03]", "[6, 2, 2]", step, "mirrored"};
  EXPECT_LT(error_of(mirrored, 1e-5, 0, spread_points(6), 0.01), 0.001);
  EXPECT_LT(error_of(mirrored, 1e-5, 0, spread_points(3), 0.01), 0.25);
  std::vector<double> all, six;
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    all.push_back(error_of(mirrored, noise, seed, {}, 0.3));
    six.push_back(error_of(five, noise, seed + 1, spread_points(6), 0.01));
  }
  std::sort(all.begin(), all.end());
  std::sort(six.begin(), six.end());
  EXPECT_LT(all[2], 0.13);
  // The reference has 0.30 of one draw of the noise, at six other nodes; over draws it is 0.14 to 0.66 here.
  EXPECT_LT(six[0], 0.30);
  EXPECT_LT(six[2], 0.40);
}

/// The truth of another model at the nodes of this one, which are nodes of that one too.
std::vector<std::vector<Vec3>> truth_of(const Bar& made, const std::vector<double>& times) {
  const auto true_bar = bar(truth_material, training, made), scene = bar(learned_material);
  std::vector<Vec3> there, here;
  true_bar->system->kinematics().positions(true_bar->start.q, there);
  scene->system->kinematics().positions(scene->start.q, here);
  std::vector<std::vector<Vec3>> seen;
  for (const std::vector<Vec3>& frame : positions_at(true_bar, times)) {
    std::vector<Vec3>& x = seen.emplace_back();
    for (const Vec3& rest : here) {
      std::size_t same = 0;
      for (std::size_t p = 0; p < there.size(); ++p)
        if ((there[p] - rest).norm() < (there[same] - rest).norm()) same = p;
      EXPECT_LT((there[same] - rest).norm(), 1e-12);
      x.push_back(frame[same]);
    }
  }
  return seen;
}

TEST(LearnedLaw, MakesUpForAnotherStepAndAnotherMesh) {
  const std::vector<double> times = instants(step, step, 100);
  const double sigma = 1e-3 * Vec3(0.09, 0.03, 0.03).norm();
  const auto error_of = [&](const Bar& made, const std::string& material) {
    const std::vector<std::vector<Vec3>> seen = truth_of(made, times);
    const Learned law = learn_from(std::make_shared<test_support::Paths>(times, seen, sigma), 3, material);
    const auto scene = law.problem.runs[0].scene;
    const double true_law = worst_error(seen, positions_at(bar(truth_material), times));
    const double learned =
        worst_error(seen, positions_at(scene, times, law.problem.values({"", scene, {}}, law.found.x)));
    EXPECT_GT(true_law, 1.4 * learned) << "the true law is no better on this model";
    return learned;
  };
  // Percent; reference D, section 8.
  EXPECT_LT(error_of({"[0.09, 0.03, 0.03]", "[6, 2, 2]", step / 4}, learned_material), 1.68);
  EXPECT_LT(error_of({"[0.09, 0.03, 0.03]", "[12, 4, 4]"},
                     std::string(learned_material) + R"(, "stretch_range": [0.6, 1.5], "volume_range": [0.6, 1.4])"),
            1.47);
}

/// A bar of known elasticity whose stiffness damping follows the largest stretch; `settings` of the damping.
std::shared_ptr<const CompiledScene> damped_bar(const std::string& settings, const std::string& material) {
  return std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
      R"({{"dashpot": 1, "gravity": [0, 0, -9.81], "time": {{"dt": {:.17g}, "end": 0.5, "stepper": "backward_euler"}},
    "solver": {{"newton": {{"tolerance": 1e-8}}}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.12, 0.04, 0.04], "cells": [6, 2, 2]}}}},
      "material": {{{}, "young": 4e4, "poisson": 0.43, "density": 1000}},
      "damping": [{{"model": "stretch_rayleigh", "stiffness": "projected_tangent", {}}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
      step, material, settings))));
}

/// Weights of a cubic spline through a function of the stretch, of fourth order in the spacing of its knots on
/// [1, 1.3].
std::string weights_of(const std::function<double(double)>& f, int count) {
  std::vector<double> weights;
  const double h = 0.3 / (count - 3);
  for (int k = 0; k < count; ++k) {
    const double x = 1 + (k - 1) * h;
    weights.push_back(f(x) - (f(x + h) - 2 * f(x) + f(x - h)) / 6);
  }
  return fmt::format("[{:.17g}]", fmt::join(weights, ", "));
}

double damping_error(const std::string& truth_settings, const std::string& settings) {
  const std::string known = R"("model": "corotational")";
  const std::vector<double> times = instants(step, step, 200);
  const auto truth = damped_bar(truth_settings, known), scene = damped_bar(settings, known);
  EXPECT_GT(worst_error(positions_at(truth, times), positions_at(scene, times)), 1);
  FitProblem problem;
  problem.runs.push_back({"bar", scene, {measured(truth, times, 1e-4 * Vec3(0.12, 0.04, 0.04).norm())}});
  learn::LawRequest request;
  request.elasticity = false;
  request.damping = true;
  learn::add_law_unknowns(problem, request);
  const FitResult found = learn::fit(problem, {});
  EXPECT_EQ(found.end, FitResult::End::converged) << found.explanation;
  return worst_error(positions_at(truth, times), positions_at(scene, times, problem.values({"", scene, {}}, found.x)));
}

TEST(LearnedLaw, FindsDampingThatFollowsTheStretch) {
  const std::string zeros = R"("beta": 0.01, "beta_curve": [0, 0, 0, 0, 0, 0, 0, 0])";
  // Percent; reference D, section 8. The first is a straight line, which a curve contains; the second is none.
  const std::string line = weights_of([](double s) { return 0.15 * (s - 1); }, 8);
  EXPECT_LT(damping_error(R"("beta": 0.002, "beta_scale": 1, "beta_curve": )" + line, zeros), 0.0001);
  const std::string bump = weights_of([](double s) { return 0.03 * std::exp(-std::pow((s - 1) / 0.06, 2)); }, 103);
  EXPECT_LT(damping_error(R"("beta": 0.003, "beta_scale": 1, "beta_curve": )" + bump, zeros), 0.016);
}

}  // namespace
}  // namespace dashpot::test_learned_law
