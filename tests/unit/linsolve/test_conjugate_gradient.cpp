#include "dashpot/linsolve/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/adaptive_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "support/tet_bar.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_conjugate_gradient {
namespace {

using testing::make_tet_bar;
using testing::random_vector;
using testing::TetBar;
using testing::TetBarOptions;

TetBar small_bar() {
  TetBarOptions options;
  options.cells = {16, 3, 3};
  return make_tet_bar(options);
}

/// Relative residual over the free dofs.
double residual(const BlockMatrix& A, const std::vector<std::uint8_t>& is_free, const Vector& x, const Vector& b) {
  Vector r = b;
  A.multiply_add(-1, x, r);
  double sum = 0, sum_b = 0;
  for (Eigen::Index i = 0; i < r.size(); ++i)
    if (is_free[static_cast<std::size_t>(i)]) sum += r[i] * r[i], sum_b += b[i] * b[i];
  return std::sqrt(sum / sum_b);
}

TEST(ConjugateGradient, MeetsItsToleranceInTheTrueResidual) {
  const TetBar bar = small_bar();
  const auto is_free = bar.free_dofs(true);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  for (const double mass_scale : {1.0, 1e4, 1e7})
    for (const double tolerance : {1e-2, 1e-5, 1e-8, 1e-11}) {
      LinearSolverOptions options;
      options.cg_tolerance = tolerance;
      ConjugateGradientSolver cg(options);
      cg.analyze(bar.pattern, is_free);
      const BlockMatrix A = bar.step_matrix(mass_scale);
      ASSERT_EQ(cg.factorize(A), SolveStatus::ok);
      Vector x = Vector::Zero(b.size());
      const SolveReport report = cg.solve(b, x);
      ASSERT_EQ(report.status, SolveStatus::ok);
      EXPECT_GT(report.iterations, 0);
      EXPECT_LE(report.residual, tolerance);
      EXPECT_LE(residual(A, is_free, x, b), tolerance * 1.01 + 1e-13);
      // It must not work much harder than it was asked to.
      EXPECT_GT(report.residual, tolerance * 1e-3);
    }
}

TEST(ConjugateGradient, StopsSoonerWhenFewerDigitsAreAskedForButNeverBelowItsOwnTolerance) {
  const TetBar bar = small_bar();
  const auto is_free = bar.free_dofs(true);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  const BlockMatrix A = bar.step_matrix(1e7);
  ConjugateGradientSolver cg{LinearSolverOptions{}};
  cg.analyze(bar.pattern, is_free);
  ASSERT_EQ(cg.factorize(A), SolveStatus::ok);
  const auto solve = [&](double tolerance) {
    cg.set_tolerance(tolerance);
    Vector x = Vector::Zero(b.size());
    const SolveReport report = cg.solve(b, x);
    EXPECT_LE(residual(A, is_free, x, b), 1.01 * std::max(tolerance, LinearSolverOptions{}.cg_tolerance));
    return report.iterations;
  };
  const int fine = solve(LinearSolverOptions{}.cg_tolerance), coarse = solve(1e-3);
  EXPECT_LT(coarse, 0.6 * fine);
  EXPECT_EQ(solve(1e-14), fine);
}

TEST(ConjugateGradient, NeedsNoIterationsFromTheSolutionAndFewFromNearby) {
  const TetBar bar = small_bar();
  ConjugateGradientSolver cg{LinearSolverOptions{}};
  cg.analyze(bar.pattern, bar.free_dofs(true));
  ASSERT_EQ(cg.factorize(bar.step_matrix(1e4)), SolveStatus::ok);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  Vector x = Vector::Zero(b.size());
  const int cold = cg.solve(b, x).iterations;
  ASSERT_GT(cold, 5);
  Vector near = x * 1.0001, same = x;
  EXPECT_EQ(cg.solve(b, same).iterations, 0);
  EXPECT_TRUE((same.array() == x.array()).all() || (same - x).norm() < 1e-14 * x.norm());
  EXPECT_LT(cg.solve(b, near).iterations, cold);
}

TEST(ConjugateGradient, KeepsTheBestIterateWhenItMustStop) {
  const TetBar bar = small_bar();
  LinearSolverOptions options;
  options.cg_max_iterations = 5;
  ConjugateGradientSolver cg(options);
  cg.analyze(bar.pattern, bar.free_dofs(true));
  const BlockMatrix A = bar.step_matrix(1e5);
  ASSERT_EQ(cg.factorize(A), SolveStatus::ok);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  Vector x = Vector::Zero(b.size());
  const SolveReport report = cg.solve(b, x);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_EQ(report.iterations, 5);
  EXPECT_NEAR(report.residual, residual(A, bar.free_dofs(true), x, b), 1e-10);
  EXPECT_LT(report.residual, 0.9);
}

TEST(ConjugateGradient, RefusesBlocksItHasNoKernelFor) {
  ConjugateGradientSolver cg{LinearSolverOptions{}};
  EXPECT_THROW(cg.analyze(testing::ring_pattern(7, 5), std::vector<std::uint8_t>(35, 1)), Error);
}

LinearSolverOptions strict(int max_iterations) {
  LinearSolverOptions options;
  options.cg_max_iterations = max_iterations;
  return options;
}

TEST(AdaptiveSolver, UsesConjugateGradientsForAnEasyStepAndSaysSo) {
  const TetBar bar = small_bar();
  const auto solver = make_adaptive_solver({});
  solver->analyze(bar.pattern, bar.free_dofs(true));
  ASSERT_EQ(solver->factorize(bar.step_matrix(16e6)), SolveStatus::ok);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  Vector x = Vector::Zero(b.size());
  const SolveReport report = solver->solve(b, x);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_GT(report.iterations, 0);
  EXPECT_EQ(solver->name(), "automatic (conjugate_gradient)");
  EXPECT_EQ(solver->factor_bytes(), 0u);
}

TEST(AdaptiveSolver, FallsBackToCholeskyPausesAndTriesAgainByCountsOnly) {
  const TetBar bar = small_bar();
  const auto is_free = bar.free_dofs(true);
  const BlockMatrix hard = bar.step_matrix(1e-6), easy = bar.step_matrix(1e9);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  AdaptiveSolver solver(strict(20), make_eigen_cholesky_solver());
  solver.analyze(bar.pattern, is_free);
  Vector x = Vector::Zero(b.size());
  const auto step = [&](const BlockMatrix& A) {
    EXPECT_EQ(solver.factorize(A), SolveStatus::ok);
    x.setZero();
    const SolveReport report = solver.solve(b, x);
    EXPECT_EQ(report.status, SolveStatus::ok);
    EXPECT_LT(residual(A, is_free, x, b), 2e-8);
    return report.iterations;
  };
  EXPECT_EQ(step(hard), 20);
  EXPECT_EQ(solver.name(), "automatic (eigen_cholesky)");
  for (int i = 0; i < 8; ++i) EXPECT_EQ(step(hard), 0) << i;
  EXPECT_EQ(step(hard), 20);  // tried again, in vain: the next pause is twice as long
  for (int i = 0; i < 16; ++i) EXPECT_EQ(step(easy), 0) << i;
  EXPECT_GT(step(easy), 0);  // and now stays with conjugate gradients
  EXPECT_GT(step(easy), 0);
  EXPECT_EQ(solver.name(), "automatic (conjugate_gradient)");
  EXPECT_EQ(solver.history(), (std::vector<std::int64_t>{0, 8}));
}

TEST(AdaptiveSolver, ContinuesFromItsMemoryWithTheSameBits) {
  const TetBar bar = small_bar();
  const BlockMatrix hard = bar.step_matrix(1e-6);
  const Vector b = random_vector(bar.pattern->num_dofs(), 1);
  AdaptiveSolver first(strict(20), make_eigen_cholesky_solver());
  first.analyze(bar.pattern, bar.free_dofs(true));
  Vector x = Vector::Zero(b.size());
  const auto solve = [&](AdaptiveSolver& solver) {
    EXPECT_EQ(solver.factorize(hard), SolveStatus::ok);
    x.setZero();
    EXPECT_EQ(solver.solve(b, x).status, SolveStatus::ok);
    return x;
  };
  for (int i = 0; i < 4; ++i) solve(first);
  AdaptiveSolver resumed(strict(20), make_eigen_cholesky_solver());
  resumed.analyze(bar.pattern, bar.free_dofs(true));
  resumed.set_history(first.history());
  for (int i = 0; i < 20; ++i) {
    const Vector expected = solve(first);
    EXPECT_TRUE((expected.array() == solve(resumed).array()).all()) << i;
    EXPECT_EQ(first.name(), resumed.name());
  }
}

TEST(AdaptiveSolver, GivesManyRightHandSidesToCholeskySooner) {
  if (!has_suitesparse()) GTEST_SKIP() << "the fallback has no operation count";
  TetBarOptions options;
  options.cells = {24, 6, 6};
  const TetBar bar = make_tet_bar(options);
  AdaptiveSolver solver({}, make_cholmod_solver());
  solver.analyze(bar.pattern, bar.free_dofs(true));
  const int one = solver.iteration_budget(1), many = solver.iteration_budget(4);
  EXPECT_GT(one, 64);
  EXPECT_LT(many, one);
}

}  // namespace
}  // namespace dashpot::test_conjugate_gradient
