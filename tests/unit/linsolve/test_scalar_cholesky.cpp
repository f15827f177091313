// One scalar matrix over the nodes, three right-hand sides: against dense algebra, and its own promises.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include <Eigen/Cholesky>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/scalar_cholesky.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "random_blocks.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_scalar_cholesky {
namespace {

using Free = std::vector<std::uint8_t>;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// A Laplacian with random positive edge weights, plus `mass` times the identity.
struct Graph {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> of_slot;

  Graph(std::shared_ptr<const BlockPattern> given, double mass, unsigned seed) : pattern(std::move(given)) {
    of_slot.assign(static_cast<std::size_t>(pattern->num_slots()), 0.0);
    std::mt19937 engine(seed);
    for (int row = 0; row < pattern->num_blocks(); ++row) {
      value(row, row) += mass;
      for (int s = pattern->row_start()[static_cast<std::size_t>(row)];
           s < pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s) {
        const int column = pattern->column()[static_cast<std::size_t>(s)];
        if (column <= row) continue;
        const double w = 0.1 + engine() / 4294967296.0;
        value(row, column) = value(column, row) = -w;
        value(row, row) += w;
        value(column, column) += w;
      }
    }
  }
  int size() const { return pattern->num_blocks(); }
  double& value(int row, int column) { return of_slot[static_cast<std::size_t>(pattern->slot(row, column))]; }
  Matrix dense() const {
    Matrix A = Matrix::Zero(size(), size());
    for (int row = 0; row < size(); ++row)
      for (int s = pattern->row_start()[static_cast<std::size_t>(row)];
           s < pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s)
        A(row, pattern->column()[static_cast<std::size_t>(s)]) = of_slot[static_cast<std::size_t>(s)];
    return A;
  }
};

/// `copies` bars that touch nowhere.
std::shared_ptr<const BlockPattern> bars(int nx, int ny, int nz, int copies = 1) {
  const TinyMesh mesh = kuhn_bar(nx, ny, nz, 0.1);
  std::vector<int> start{0}, nodes;
  const int n = static_cast<int>(mesh.X.size());
  for (int copy = 0; copy < copies; ++copy)
    for (std::size_t k = 0; k < mesh.nodes.size(); ++k) {
      nodes.push_back(mesh.nodes[k] + copy * n);
      if (k % 4 == 3) start.push_back(static_cast<int>(nodes.size()));
    }
  return std::make_shared<BlockPattern>(3, copies * n, start, nodes);
}

Free all_free(int n) { return Free(static_cast<std::size_t>(n), 1); }

Vector dense_solve(const Graph& graph, const Free& free, const Vector& b) {
  Matrix A = graph.dense();
  Rows B = Eigen::Map<const Rows>(b.data(), graph.size(), 3);
  for (int i = 0; i < graph.size(); ++i)
    if (!free[static_cast<std::size_t>(i)]) {
      A.row(i).setZero();
      A.col(i).setZero();
      A(i, i) = 1;
      B.row(i).setZero();
    }
  const Rows X = A.llt().solve(B);
  return Eigen::Map<const Vector>(X.data(), b.size());
}

void expect_dense_answer(const Graph& graph, const Free& free) {
  ScalarCholesky solver;
  solver.analyze(*graph.pattern, free);
  ASSERT_EQ(solver.factorize(graph.of_slot), SolveStatus::ok);
  const Vector b = random_vector(3 * graph.size(), 5), expected = dense_solve(graph, free, b);
  ASSERT_GT(expected.norm(), 0);
  Vector x = Vector::Constant(b.size(), 7);
  EXPECT_EQ(solver.solve(b.data(), x.data()), SolveStatus::ok);
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  Vector in_place = b;
  solver.solve(in_place.data(), in_place.data());
  EXPECT_EQ(in_place, x);
}

TEST(ScalarCholesky, SolvesLaplaciansOfTetMeshesForThreeComponentsAtOnce) {
  for (const auto& [nx, ny, nz] : {std::array{1, 1, 1}, {3, 2, 2}, {12, 2, 3}, {7, 7, 7}})
    expect_dense_answer(Graph(bars(nx, ny, nz), 0.5, 3), all_free((nx + 1) * (ny + 1) * (nz + 1)));
}

TEST(ScalarCholesky, SolvesGraphsThatAreNoMeshes) {
  for (const int n : {1, 2, 3, 5, 17, 200, 601}) expect_dense_answer(Graph(ring_pattern(3, n), 0.7, 1), all_free(n));
}

TEST(ScalarCholesky, HeldBlocksDoNotMoveAndHoldTheOthers) {
  // Without mass the Laplacian alone is singular: only held blocks make it definite.
  const Graph graph(bars(8, 6, 5), 0, 4);
  Free free = all_free(graph.size());
  for (int i = 0; i < graph.size(); i += 7) free[static_cast<std::size_t>(i)] = 0;
  expect_dense_answer(graph, free);
  Free one_held = all_free(graph.size());
  one_held[11] = 0;
  expect_dense_answer(graph, one_held);
}

TEST(ScalarCholesky, BodiesThatDoNotTouchAreSolvedTogether) {
  const Graph graph(bars(5, 4, 4, 5), 0.2, 6);
  expect_dense_answer(graph, all_free(graph.size()));
}

TEST(ScalarCholesky, NothingFreeMeansNothingMoves) {
  const Graph graph(bars(2, 1, 1), 1, 2);
  ScalarCholesky solver;
  solver.analyze(*graph.pattern, Free(static_cast<std::size_t>(graph.size()), 0));
  EXPECT_EQ(solver.num_free_blocks(), 0);
  EXPECT_EQ(solver.factorize(graph.of_slot), SolveStatus::ok);
  Vector x = random_vector(3 * graph.size(), 1);
  EXPECT_EQ(solver.solve(x.data(), x.data()), SolveStatus::ok);
  EXPECT_EQ(x.norm(), 0);
}

TEST(ScalarCholesky, ManyRightHandSidesAreSolvedColumnByColumn) {
  const Graph graph(bars(4, 3, 3), 0.5, 8);
  ScalarCholesky solver;
  solver.analyze(*graph.pattern, all_free(graph.size()));
  ASSERT_EQ(solver.factorize(graph.of_slot), SolveStatus::ok);
  Matrix B(3 * graph.size(), 4), X(B.rows(), B.cols());
  for (int k = 0; k < 4; ++k) B.col(k) = random_vector(static_cast<int>(B.rows()), 20 + static_cast<unsigned>(k));
  EXPECT_EQ(solver.solve(B, X), SolveStatus::ok);
  for (int k = 0; k < 4; ++k) {
    const Vector expected = dense_solve(graph, all_free(graph.size()), B.col(k));
    EXPECT_LT((X.col(k) - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(ScalarCholesky, AnotherMatrixOfThePatternNeedsNoNewAnalysis) {
  const Graph first(bars(6, 5, 5), 0.5, 1), second(first.pattern, 3, 2);
  ScalarCholesky solver;
  solver.analyze(*first.pattern, all_free(first.size()));
  const Vector b = random_vector(3 * first.size(), 9);
  Vector x(b.size()), again(b.size());
  for (const Graph* graph : {&first, &second}) {
    ASSERT_EQ(solver.factorize(graph->of_slot), SolveStatus::ok);
    solver.solve(b.data(), x.data());
    const Vector expected = dense_solve(*graph, all_free(graph->size()), b);
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  }
  solver.factorize(first.of_slot);
  solver.factorize(second.of_slot);
  solver.solve(b.data(), again.data());
  EXPECT_EQ(x, again);
}

TEST(ScalarCholesky, MatricesWithoutAFactorAreReportedAndTheNextOneIsFine) {
  const Graph good(bars(4, 3, 3), 0.5, 1);
  Graph indefinite = good, not_a_number = good, infinite = good;
  indefinite.value(13, 13) = -1;
  not_a_number.value(5, 5) = std::numeric_limits<double>::quiet_NaN();
  infinite.value(7, 7) = std::numeric_limits<double>::infinity();
  ScalarCholesky solver;
  solver.analyze(*good.pattern, all_free(good.size()));
  const Vector b = random_vector(3 * good.size(), 9);
  Vector x = b;
  EXPECT_NE(solver.solve(b.data(), x.data()), SolveStatus::ok) << "nothing was factorized yet";
  EXPECT_EQ(x.norm(), 0);
  EXPECT_EQ(solver.factorize(indefinite.of_slot), SolveStatus::not_positive_definite);
  EXPECT_EQ(solver.solve(b.data(), x.data()), SolveStatus::not_positive_definite);
  EXPECT_EQ(solver.factorize(not_a_number.of_slot), SolveStatus::not_finite);
  EXPECT_EQ(solver.factorize(infinite.of_slot), SolveStatus::not_finite);
  EXPECT_EQ(solver.factorize(good.of_slot), SolveStatus::ok);
  EXPECT_EQ(solver.solve(b.data(), x.data()), SolveStatus::ok);
  const Vector expected = dense_solve(good, all_free(good.size()), b);
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
}

TEST(ScalarCholesky, BitsDoNotDependOnTheNumberOfThreads) {
  const Graph graph(bars(11, 11, 11), 0.5, 1);
  const Vector b = random_vector(3 * graph.size(), 9);
  const int threads = num_threads();
  std::vector<Vector> answers;
  for (const int n : {1, threads}) {
    set_num_threads(n);
    ScalarCholesky solver;
    solver.analyze(*graph.pattern, all_free(graph.size()));
    ASSERT_EQ(solver.factorize(graph.of_slot), SolveStatus::ok);
    if (has_suitesparse()) EXPECT_GT(solver.num_parts(), 1);
    for (int k = 0; k < 20; ++k) {
      Vector x(b.size());
      solver.solve(b.data(), x.data());
      answers.push_back(x);
    }
  }
  set_num_threads(threads);
  ASSERT_GT(answers.front().norm(), 0);
  for (const Vector& x : answers) EXPECT_EQ(x, answers.front());
}

}  // namespace
}  // namespace dashpot::testing::test_scalar_cholesky
