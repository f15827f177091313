// Conjugate gradients preconditioned along chains, on sheets that are stiff along their rows and columns.
#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/chain_factor.hpp"
#include "dashpot/linsolve/iterative_solver.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "support/noise_vector.hpp"

namespace dashpot::test_chain_solver {
namespace {

using testing::noise;
using testing::rnd;

/// An n x n sheet of blocks of B: mass, springs along rows and columns, and the squares of second differences.
struct Sheet {
  std::shared_ptr<const BlockPattern> pattern;
  BlockMatrix A;
  std::vector<std::uint8_t> is_free;
  std::shared_ptr<BlockChains> chains = std::make_shared<BlockChains>();

  Sheet(int n, int B, double mass, double spring, double bending, bool has_places) {
    const auto block = [n](int i, int j) { return n * i + j; };
    std::vector<int> start{0}, groups;
    const auto triples = [&](auto visit) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j + 2 < n; ++j) {
          visit(block(i, j), block(i, j + 1), block(i, j + 2), 0);
          visit(block(j, i), block(j + 1, i), block(j + 2, i), 1);
        }
    };
    triples([&](int a, int b, int c, int) {
      groups.insert(groups.end(), {a, b, c});
      start.push_back(static_cast<int>(groups.size()));
    });
    pattern = std::make_shared<const BlockPattern>(B, n * n, start, groups);
    A = BlockMatrix(pattern);
    for (int i = 0; i < n * n; ++i) A.view(i, pattern->diagonal_slot(i)).diagonal().array() += mass;
    triples([&](int a, int b, int c, int axis) {
      const int blocks[3] = {a, b, c};
      const double along[3] = {-1, 1, 0}, second[3] = {1, -2, 1};
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s) {
          auto view = A.view(blocks[r], pattern->slot(blocks[r], blocks[s]));
          view(axis, axis) += spring * along[r] * along[s];
          view(2, 2) += bending * second[r] * second[s];
          if (B == 5) view(3 + axis, 3 + axis) += 0.3 * spring * along[r] * along[s];
          if (B == 5) view(axis, 3 + axis) -= 0.4 * spring * along[r] * along[s];
          if (B == 5) view(3 + axis, axis) -= 0.4 * spring * along[r] * along[s];
        }
    });
    is_free.assign(static_cast<std::size_t>(B * n * n), 1);
    for (int j = 0; j < n; ++j)
      for (int c = 0; c < 3; ++c) is_free[static_cast<std::size_t>(B * block(0, j) + c)] = 0;
    chains->families.resize(2);
    for (int i = 0; i < n; ++i) {
      std::vector<int> row, column;
      for (int j = 0; j < n; ++j) {
        row.push_back(block(i, j));
        column.push_back(block(j, i));
      }
      chains->families[0].push_back(row);
      chains->families[1].push_back(column);
    }
    if (has_places)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) chains->places.push_back({i, j});
  }

  SolveReport solve(const Vector& b, Vector& x, double tolerance) const {
    LinearSolverOptions options;
    options.kind = LinearSolverKind::conjugate_gradient;
    options.cg_tolerance = tolerance;
    options.chains = chains;
    const auto solver = make_linear_solver(options, pattern->num_dofs(), true, true);
    solver->analyze(pattern, is_free);
    SolveReport report;
    report.status = solver->factorize(A);
    if (report.status != SolveStatus::ok) return report;
    Matrix solution = Matrix::Zero(b.size(), 1);
    report = solver->solve(b, solution);
    x = solution.col(0);
    return report;
  }
  /// |b - A x|/|b| over free dofs.
  double residual(const Vector& b, const Vector& x) const {
    Vector r(b.size());
    A.multiply(x, r);
    double left = 0, all = 0;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      if (is_free[static_cast<std::size_t>(i)] == 0) continue;
      left += (b[i] - r[i]) * (b[i] - r[i]);
      all += b[i] * b[i];
    }
    return std::sqrt(left / all);
  }
};

TEST(ChainFactor, InvertsWhatLiesAlongItsChainsAndLeavesTheRest) {
  for (const int B : {3, 5}) {
    const Sheet sheet(7, B, 2, 1, 3, false);
    Matrix along = Matrix::Zero(sheet.pattern->num_dofs(), sheet.pattern->num_dofs());
    const Matrix dense = sheet.A.dense();
    for (int i = 0; i < 7; ++i) {
      const Eigen::Index begin = Eigen::Index{7} * B * i, size = Eigen::Index{7} * B;
      along.block(begin, begin, size, size) = dense.block(begin, begin, size, size);
    }
    ChainFactor factor;
    factor.analyze(*sheet.pattern, sheet.is_free, sheet.chains->families[0]);
    const Vector x = noise(along.rows(), 3);
    Vector rest(x.size());
    factor.multiply_rest(sheet.A, x, rest);
    EXPECT_LT((rest - (dense - along) * x).norm(), 1e-13 * rest.norm());
    EXPECT_GT(rest.norm(), 0.1);
    for (Eigen::Index i = 0; i < along.rows(); ++i)
      if (sheet.is_free[static_cast<std::size_t>(i)] == 0) {
        along.row(i).setZero();
        along.col(i).setZero();
        along(i, i) = 1;
      }
    ASSERT_EQ(factor.factorize(sheet.A), SolveStatus::ok);
    Vector b = x, z(x.size());
    for (Eigen::Index i = 0; i < b.size(); ++i)
      if (sheet.is_free[static_cast<std::size_t>(i)] == 0) b[i] = 0;
    factor.solve(b, z);
    const Vector exact = along.llt().solve(b);
    EXPECT_LT((z - exact).norm(), 1e-5 * exact.norm());  // single precision
  }
}

TEST(ChainSolver, FindsTheSolution) {
  for (const int B : {3, 5})
    for (const bool has_places : {false, true}) {
      const Sheet sheet(23, B, 1e-2, 30, 5, has_places);
      const Vector b = noise(sheet.pattern->num_dofs(), 5);
      Vector x;
      const SolveReport report = sheet.solve(b, x, 1e-10);
      ASSERT_EQ(report.status, SolveStatus::ok) << to_string(report.status);
      EXPECT_LT(report.residual, 1e-10);
      EXPECT_LT(sheet.residual(b, x), 1.001e-10);
      for (Eigen::Index i = 0; i < x.size(); ++i)
        if (sheet.is_free[static_cast<std::size_t>(i)] == 0) ASSERT_EQ(x[i], 0);
    }
}

TEST(ChainSolver, WithPlacesItsIterationsDoNotGrowWithTheSheet) {
  // Finer sheets of the same cloth: bending grows as n^4 against mass.
  std::vector<int> with, without;
  for (const int n : {16, 32, 64}) {
    const double fine = n / 16.0;
    for (const bool has_places : {true, false}) {
      const Sheet sheet(n, 3, 1, 100 * fine * fine, 1 * std::pow(fine, 4), has_places);
      Vector b = noise(sheet.pattern->num_dofs(), 5), x;
      for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = i % 3 == 2 ? 1 : b[i];  // weight
      const SolveReport report = sheet.solve(b, x, 1e-6);
      ASSERT_EQ(report.status, SolveStatus::ok);
      (has_places ? with : without).push_back(report.iterations);
    }
  }
  EXPECT_LE(with[2], 1.5 * with[1] + 2);
  EXPECT_GT(without[2], 2 * with[2]);  // what the coarse space is for
}

TEST(ChainSolver, WhatIsStiffAlongChainsAloneTakesAFewIterationsHoweverStiff) {
  for (const double spring : {1e2, 1e4, 1e6}) {
    const Sheet sheet(40, 5, 1, spring, 1e-3, false);
    Vector x;
    const SolveReport report = sheet.solve(noise(sheet.pattern->num_dofs(), 5), x, 1e-6);
    ASSERT_EQ(report.status, SolveStatus::ok);
    EXPECT_LE(report.iterations, 12) << spring;
  }
}

TEST(ChainSolver, GivesTheSameBitsForAnyNumberOfThreads) {
  const Sheet sheet(40, 5, 1e-2, 30, 5, true);
  const Vector b = noise(sheet.pattern->num_dofs(), 5);
  Vector one, two;
  const int threads = num_threads();
  set_num_threads(1);
  sheet.solve(b, one, 1e-8);
  set_num_threads(2);
  sheet.solve(b, two, 1e-8);
  set_num_threads(threads);
  EXPECT_EQ((one - two).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(one.norm(), 0);
}

TEST(ChainSolver, SaysWhereTheMatrixIsNotDefiniteOrNotFinite) {
  Sheet sheet(12, 3, 1, 30, 5, true);
  Vector x;
  const Vector b = noise(sheet.pattern->num_dofs(), 5);
  sheet.A.view(40, sheet.pattern->diagonal_slot(40))(1, 1) = -1e4;
  EXPECT_EQ(sheet.solve(b, x, 1e-8).status, SolveStatus::not_positive_definite);
  const Sheet fine(12, 3, 1, 30, 5, true);
  Vector bad = b;
  bad[100] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fine.solve(bad, x, 1e-8).status, SolveStatus::not_finite);
}

TEST(ChainSolver, ChainsThatShareABlockAndBlocksOfOtherSizesAreRefused) {
  Sheet sheet(6, 3, 1, 30, 5, false);
  sheet.chains->families[0][0].push_back(sheet.chains->families[0][1][0]);
  Vector x;
  EXPECT_THROW(sheet.solve(noise(sheet.pattern->num_dofs(), 1), x, 1e-6), Error);
  LinearSolverOptions options;
  options.kind = LinearSolverKind::conjugate_gradient;
  options.chains = sheet.chains;
  const auto solver = make_linear_solver(options, 8, true, true);
  const auto pairs = std::make_shared<const BlockPattern>(2, 4, std::vector<int>{0}, std::vector<int>{});
  EXPECT_THROW(solver->analyze(pairs, std::vector<std::uint8_t>(8, 1)), Error);
}

}  // namespace
}  // namespace dashpot::test_chain_solver
