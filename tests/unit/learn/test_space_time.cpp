// The joint space-time estimator: its equations against differences and dense algebra, and the bar of reference D,
// section 8.

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/alternation.hpp"
#include "dashpot/learn/law_unknowns.hpp"
#include "dashpot/learn/pod.hpp"
#include "dashpot/learn/space_time.hpp"
#include "dashpot/learn/space_time_run.hpp"
#include "dashpot/learn/space_time_tracking.hpp"
#include "unit/learn/paths.hpp"
#include "unit/learn/rubber_bar.hpp"

namespace dashpot::test_space_time {
namespace {

using learn::ArrowSystem;
using learn::FitProblem;
using learn::FitResult;
using learn::PodBasis;
using learn::SpaceTimeRun;
using test_support::instants;
using test_support::measured;
using test_support::RubberBar;

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Matrix m(rows, columns);
  for (double& x : m.reshaped()) x = normal(random);
  return m;
}

TEST(SpaceTime, BandedFactorSolvesWhatTheDenseMatrixDoes) {
  constexpr int steps = 6, r = 3;
  // H = J^T J of a residual that depends on three positions in a row, as that of backward Euler does.
  Matrix dense = Matrix::Zero(steps * r, steps * r);
  ArrowSystem arrow(steps, r, 0);
  for (int i = 0; i < steps; ++i) {
    Matrix J = Matrix::Zero(r, steps * r);
    for (int back = 0; back < 3 && back <= i; ++back)
      J.middleCols((i - back) * r, r) = random_matrix(r, r, static_cast<unsigned>(10 * i + back + 1));
    dense += J.transpose() * J;
  }
  for (int i = 0; i < steps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    arrow.diagonal[at] = dense.block(i * r, i * r, r, r);
    if (i >= 1) arrow.below[at] = dense.block(i * r, (i - 1) * r, r, r);
    if (i >= 2) arrow.second[at] = dense.block(i * r, (i - 2) * r, r, r);
  }
  learn::PentadiagonalCholesky factor;
  ASSERT_TRUE(factor.factorize(arrow, 0));
  const Matrix b = random_matrix(steps * r, 2, 99), x = factor.solve(b);
  EXPECT_GT(x.norm(), 0.1);
  EXPECT_LT((dense * x - b).norm(), 1e-9 * b.norm());
  arrow.diagonal[2] *= -1;
  EXPECT_FALSE(factor.factorize(arrow, 0));
}

TEST(SpaceTime, ModesSpanFramesAndLeaveHeldDofsAlone) {
  const Matrix shapes = random_matrix(12, 3, 1), amounts = random_matrix(3, 20, 2);
  Matrix frames = shapes * amounts;
  std::vector<std::uint8_t> is_free(12, 1);
  is_free[4] = 0;
  frames.row(4).setConstant(0.7);
  const PodBasis basis = learn::pod_basis(frames, is_free, 10);
  EXPECT_EQ(basis.size(), 3);
  EXPECT_LT((basis.modes.transpose() * basis.modes - Matrix::Identity(3, 3)).norm(), 1e-12);
  EXPECT_EQ(basis.modes.row(4).norm(), 0);
  EXPECT_LT((basis.lift(basis.project(frames.col(7))) - frames.col(7)).norm(), 1e-12);
  EXPECT_EQ(learn::pod_basis(frames, is_free, 2).size(), 2);
  EXPECT_EQ(learn::full_basis(frames.col(0), is_free).size(), 11);
}

/// A short motion of a damped bar, measured between its steps too.
struct Short {
  std::shared_ptr<const CompiledScene> scene =
      RubberBar{.end = 0.05, .damping = R"([{"model": "rayleigh", "beta": "2 ms", "stiffness": "rest"}])"}.believed();
  FitProblem problem;
  Short() {
    const auto truth = RubberBar{.end = 0.05}.truth();
    problem.runs.push_back({"bar", scene, {measured(truth, instants(0.004, 0.003, 12), 1e-4)}});
    learn::add_law_unknowns(problem, {});
  }
};

TEST(SpaceTime, BlocksAreTheDerivativesOfTheResiduals) {
  const Short motion;
  const SpaceTimeRun run(motion.problem.runs[0]);
  const int steps = run.num_steps();
  const auto truth = learn::simulate_frames(run, *motion.scene->system, {});
  ASSERT_TRUE(truth.finished);
  const PodBasis basis = learn::pod_basis(truth.frames, motion.scene->system->is_free(), 5);
  Matrix z(basis.size(), steps);
  for (int i = 0; i < steps; ++i) z.col(i) = basis.project(truth.frames.col(i));
  z += 1e-4 * random_matrix(z.rows(), z.cols(), 3);
  std::vector<int> parameters;
  for (const learn::Unknown& unknown : motion.problem.unknowns)
    parameters.push_back(motion.scene->system->parameters().at(unknown.parameter).first + unknown.number);
  const auto m = static_cast<Eigen::Index>(parameters.size());
  const learn::SpaceTimeWeights weights{1e-3};
  ArrowSystem arrow(steps, basis.size(), m);
  const auto at_z = run.linearize(*motion.scene->system, basis, z, weights, parameters, Vector::Ones(m), arrow);
  ASSERT_GT(at_z.force, 0.1);
  ASSERT_GT(at_z.misfit, 0.1);
  // The slope of F along random directions, by z and by the weights.
  const Matrix dz = random_matrix(z.rows(), z.cols(), 4);
  const Vector dx = random_matrix(m, 1, 5);
  const auto along = [&](double s, double t) {
    std::vector<double> values = motion.scene->system->parameter_values();
    for (Eigen::Index k = 0; k < m; ++k)
      values[static_cast<std::size_t>(parameters[static_cast<std::size_t>(k)])] += t * dx[k];
    return run.value(*motion.scene->system->with(values), basis, z + s * dz, weights).sum();
  };
  EXPECT_NEAR(along(0, 0), at_z.sum(), 1e-9 * at_z.sum());
  const double h = 1e-7, t = 1e-4;
  const double by_z = 2 * arrow.gradient_z.dot(Eigen::Map<const Vector>(dz.data(), dz.size()));
  const double by_x = 2 * arrow.gradient_x.dot(dx);
  EXPECT_GT(std::abs(by_z), 1);
  EXPECT_GT(std::abs(by_x), 1);
  EXPECT_NEAR((along(h, 0) - along(-h, 0)) / (2 * h), by_z, 1e-5 * std::abs(by_z));
  EXPECT_NEAR((along(0, t) - along(0, -t)) / (2 * t), by_x, 1e-5 * std::abs(by_x));
}

TEST(SpaceTime, TrueMotionWithTheTrueLawLeavesNoForceUnbalanced) {
  const auto truth = RubberBar{.end = 0.05}.truth();
  const learn::ObservedRun observed{"bar", truth, {measured(truth, instants(0.0025, 0.0025, 20), 1e-5)}};
  const SpaceTimeRun run(observed);
  const auto forward = learn::simulate_frames(run, *truth->system, {});
  const PodBasis basis = learn::full_basis(forward.frames.rowwise().mean(), truth->system->is_free());
  Matrix z(basis.size(), run.num_steps());
  for (int i = 0; i < run.num_steps(); ++i) z.col(i) = basis.project(forward.frames.col(i));
  const learn::SpaceTimeWeights weights{1e-3};
  EXPECT_LT(run.value(*truth->system, basis, z, weights).sum(), 1e-3);
  Matrix moved = z;
  moved(3, 10) += 1e-5;
  EXPECT_GT(run.value(*truth->system, basis, moved, weights).sum(), 1);
}

TEST(SpaceTime, StiffSpringsDrawAWrongBodyOntoTheMeasuredNodes) {
  const auto truth = RubberBar{.end = 0.2}.truth();
  const auto believed = RubberBar{.end = 0.2}.believed();
  const auto paths = measured(truth, instants(0.0025, 0.0025, 80), 1e-5);
  const learn::ObservedRun observed{"bar", believed, {paths}};
  const SpaceTimeRun run(observed);
  const auto worst = [&](const learn::TrackedRun& tracked) {
    EXPECT_TRUE(tracked.finished) << tracked.explanation;
    double most = 0;
    for (int i = 0; i < run.num_steps(); ++i)
      for (std::size_t p = 0; p < paths->positions()[0].size(); ++p)
        most = std::max(most, (tracked.frames.col(i).segment<3>(static_cast<Eigen::Index>(3 * p)) -
                               paths->positions()[static_cast<std::size_t>(i)][p])
                                  .norm());
    return most / RubberBar::size;
  };
  const double free = worst(learn::simulate_frames(run, *believed->system, {}));
  const double held = worst(learn::track(run, *believed->system, {.stiffness = 1000}));
  EXPECT_GT(free, 0.1);
  EXPECT_LT(held, 0.003);
}

TEST(SpaceTime, JointGaussNewtonReachesTheBarOfTheReference) {
  const auto truth = RubberBar{}.truth();
  FitProblem problem;
  problem.runs.push_back(
      {"bar",
       RubberBar{}.believed(),
       {measured(truth, instants(0.0025, 0.0025, 160), 1e-5, 0, RubberBar::surface_points(*truth))}});
  learn::add_law_unknowns(problem, {});
  EXPECT_GT(RubberBar{}.error_of(problem, Vector::Zero(16)), 30);
  learn::SpaceTimeOptions options;
  const FitResult found = learn::fit_space_time(problem, options, {});
  EXPECT_LT(RubberBar{}.error_of(problem, found.x), 0.003) << found.explanation;  // there with eta 10
  EXPECT_LE(found.iterations.size(), 4u);
  EXPECT_GT(found.JtJ.trace(), 1);
  options.stiffness = 1000;  // measurements are held more strictly than 40 modes can follow: more of them
  options.num_modes = 80;
  EXPECT_LT(RubberBar{}.error_of(problem, learn::fit_space_time(problem, options, {}).x), 0.03);  // there 0.007
}

TEST(SpaceTime, TheAlternationComesNearAndKeepsItsBestLaw) {
  const auto truth = RubberBar{}.truth();
  FitProblem problem;
  problem.runs.push_back(
      {"bar",
       RubberBar{}.believed(),
       {measured(truth, instants(0.0025, 0.0025, 160), 1e-5, 0, RubberBar::surface_points(*truth))}});
  learn::add_law_unknowns(problem, {});
  learn::AlternationOptions options;
  options.stiffness = 10;
  options.iterations = 3;
  learn::FitOptions hooks;
  double least = HUGE_VAL;
  hooks.on_iteration = [&](const learn::FitIteration& step, const Vector&) { least = std::min(least, step.chi2); };
  const FitResult found = learn::fit_alternation(problem, options, hooks);
  EXPECT_NEAR(found.chi2, least, 1e-6 * least);
  const double error = RubberBar{}.error_of(problem, found.x);
  EXPECT_LT(error, 4.5);  // reference D: 3.7 after 6 iterations
  EXPECT_GT(error, 0.1);  // why it is only a baseline
}

TEST(SpaceTime, ScenesThatItCannotFollowAreRefusedWithTheReason) {
  const auto truth = RubberBar{.end = 0.05}.truth();
  FitProblem problem;
  problem.runs.push_back({"bar",
                          RubberBar{.end = 0.05, .stepper = "bathe"}.believed(),
                          {measured(truth, instants(0.0025, 0.0025, 20), 1e-5)}});
  learn::add_law_unknowns(problem, {});
  try {
    learn::fit_space_time(problem, {}, {});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("bathe"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::test_space_time
