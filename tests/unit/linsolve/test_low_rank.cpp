#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/linsolve/low_rank_groups.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "support/portable_noise.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_low_rank {
namespace {

using testing::random_dense;
using testing::random_symmetric;
using testing::random_vector;
using testing::ring_pattern;

std::unique_ptr<LinearSolver> solver_for(LinearSolverKind kind) {
  LinearSolverOptions options;
  options.kind = kind;
  options.cg_tolerance = 1e-13;
  return make_linear_solver(options, 1000, true, true);
}

TEST(LowRank, SolvesTheUpdatedSystemLikeDenseLuForNonSymmetricPartsAndHeldDofs) {
  const auto pattern = ring_pattern(3, 12);
  const int n = pattern->num_dofs();
  const BlockMatrix A = random_symmetric(pattern, 1, 20);
  std::vector<std::uint8_t> is_free(static_cast<std::size_t>(n), 1);
  for (std::size_t i = 1; i < is_free.size(); i += 5) is_free[i] = 0;
  const std::vector<LowRank> parts{{random_dense(n, 3, 2), random_dense(3, 3, 3) * 9, random_dense(n, 3, 4)},
                                   {random_dense(n, 2, 5), random_dense(2, 1, 6), random_dense(n, 1, 7)}};
  Matrix full = A.dense();
  for (const LowRank& part : parts) full += *part.U * part.S * part.V->transpose();
  ASSERT_GT((full - A.dense()).norm(), 1.0);
  const Matrix b = random_dense(n, 2, 8);
  const Matrix expected = testing::dense_solution(full, is_free, b);

  for (const LinearSolverKind kind :
       {LinearSolverKind::automatic, LinearSolverKind::lu, LinearSolverKind::eigen_cholesky}) {
    const auto solver = solver_for(kind);
    solver->analyze(pattern, is_free);
    ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
    Matrix x = Matrix::Zero(n, 2);
    ASSERT_EQ(solve_with_low_rank(*solver, parts, b, x).status, SolveStatus::ok);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm()) << solver->name();
  }
}

TEST(LowRank, ConjugateGradientsTakeSymmetricUpdatesOnly) {
  const auto pattern = ring_pattern(3, 12);
  const int n = pattern->num_dofs();
  const BlockMatrix A = random_symmetric(pattern, 1, 20);
  const auto solver = solver_for(LinearSolverKind::conjugate_gradient);
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1));
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  const Matrix U = random_dense(n, 2, 2);
  Matrix S = Matrix::Identity(2, 2) * 3;
  const Vector b = random_vector(n, 3);
  Vector x = Vector::Zero(n);
  ASSERT_EQ(solve_with_low_rank(*solver, {{U, S, U}}, b, x).status, SolveStatus::ok);
  const Matrix full = A.dense() + U * S * U.transpose();
  const Vector expected = full.llt().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
  S(0, 1) = 1;
  EXPECT_THROW(solve_with_low_rank(*solver, {{U, S, U}}, b, x), Error);
}

TEST(LowRank, ConjugateGradientsTakeUpdatesOfEveryBlockSizeAndManyColumnsWithHeldDofs) {
  for (const int block_size : {1, 2, 3, 5}) {
    for (const int k : {3, 40}) {  // sums of more than 12 columns are not kept at once
      const auto pattern = ring_pattern(block_size, 31);
      const int n = pattern->num_dofs();
      const BlockMatrix A = random_symmetric(pattern, 1, 30);
      std::vector<std::uint8_t> is_free(static_cast<std::size_t>(n), 1);
      for (std::size_t i = 2; i < is_free.size(); i += 7) is_free[i] = 0;
      const Matrix U = random_dense(n, k, 2), half = random_dense(k, k, 3);
      Matrix S = half * half.transpose();
      S = (0.5 * (S + S.transpose())).eval();
      const Vector b = random_vector(n, 4);
      const Vector expected = testing::dense_solution(A.dense() + U * S * U.transpose(), is_free, b);
      for (const LinearSolverKind kind : {LinearSolverKind::conjugate_gradient, LinearSolverKind::automatic}) {
        const auto solver = solver_for(kind);
        solver->analyze(pattern, is_free);
        ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
        Vector x = random_vector(n, 5);  // a guess
        ASSERT_EQ(solve_with_low_rank(*solver, {{U, S, U}}, b, x).status, SolveStatus::ok);
        EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm()) << block_size << ", " << k;
        Vector plain = Vector::Zero(n);  // the update is forgotten after the solve
        ASSERT_EQ(solver->solve(b, plain).status, SolveStatus::ok);
        EXPECT_LT((plain - testing::dense_solution(A.dense(), is_free, b)).norm(), 1e-9 * plain.norm());
      }
    }
  }
}

TEST(LowRank, ExtremeUpdatesCostConjugateGradientsAFewIterationsAColumnAndBitsDoNotDependOnThreads) {
  const auto pattern = ring_pattern(3, 2500);  // two chunks
  const int n = pattern->num_dofs(), k = 8;
  const BlockMatrix A = random_symmetric(pattern, 1, 12);
  const Matrix U = random_dense(n, k, 2) / std::sqrt(n);
  Vector gains(k);
  gains << 1e4, -0.5, 1e3, 1e2, 10, 1, 3e4, -1;
  const LowRank part{U, gains.asDiagonal(), U};
  LinearSolverOptions options;
  options.kind = LinearSolverKind::conjugate_gradient;
  const auto solver = make_linear_solver(options, n, true, true);
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1));
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  const Vector b = random_vector(n, 3);
  Vector x = Vector::Zero(n), y = x;
  const int without = solver->solve(b, x).iterations;
  x.setZero();
  const SolveReport report = solve_with_low_rank(*solver, {part}, b, x);
  ASSERT_EQ(report.status, SolveStatus::ok);
  Vector Ax(n);
  A.multiply(x, Ax);
  EXPECT_LT((Ax + U * (gains.asDiagonal() * (U.transpose() * x)) - b).norm(), 1.01e-8 * b.norm());
  EXPECT_LE(report.iterations, without + 3 * k) << without;
  const int threads = num_threads();
  set_num_threads(1);
  solve_with_low_rank(*solver, {part}, b, y);
  set_num_threads(threads);
  EXPECT_EQ(x, y);
}

TEST(LowRank, ConjugateGradientsKeepWhatTheyKnowOfAnUpdateUntilTheMatrixOrTheUpdateChanges) {
  const auto pattern = ring_pattern(3, 12);
  const int n = pattern->num_dofs();
  const BlockMatrix A = random_symmetric(pattern, 1, 20), B = random_symmetric(pattern, 2, 20);
  const SharedMatrix U(random_dense(n, 2, 2)), V(random_dense(n, 2, 3));
  const Matrix one = Matrix::Identity(2, 2);
  const auto solver = solver_for(LinearSolverKind::conjugate_gradient);
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1));
  const Vector b = random_vector(n, 4);
  const auto check = [&](const BlockMatrix& matrix, const std::vector<LowRank>& parts) {
    Matrix full = matrix.dense();
    for (const LowRank& part : parts) full += *part.U * part.S * part.U->transpose();
    const Vector expected = full.llt().solve(b);
    Vector x = Vector::Zero(n);
    ASSERT_EQ(solve_with_low_rank(*solver, parts, b, x).status, SolveStatus::ok);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
  };
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  check(A, {{U, one, U}});
  check(A, {{U, 5 * one, U}});
  check(A, {{V, 5 * one, V}});
  check(A, {{V, one, V}, {U, 2 * one, U}});
  check(A, {{U, one, U}, {V, 2 * one, V}});
  ASSERT_EQ(solver->factorize(B), SolveStatus::ok);
  check(B, {{U, one, U}, {V, 2 * one, V}});
}

TEST(LowRank, NoPartsAndZeroPartsChangeNothing) {
  const auto pattern = ring_pattern(3, 5);
  const BlockMatrix A = random_symmetric(pattern, 1, 20);
  const auto solver = solver_for(LinearSolverKind::eigen_cholesky);
  solver->analyze(pattern, std::vector<std::uint8_t>(15, 1));
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  const Vector b = random_vector(15, 3);
  Vector plain(15), none(15), zero(15);
  solver->solve(b, plain);
  ASSERT_GT(plain.norm(), 0.01);
  solve_with_low_rank(*solver, {}, b, none);
  solve_with_low_rank(*solver, {{random_dense(15, 2, 4), Matrix::Zero(2, 2), random_dense(15, 2, 5)}}, b, zero);
  EXPECT_EQ((plain - none).norm(), 0.0);
  EXPECT_LT((plain - zero).norm(), 1e-15);
}

TEST(LowRank, ReportsAnUpdateThatMakesTheSystemSingular) {
  const auto pattern = std::make_shared<BlockPattern>(1, 2, std::vector<int>{0}, std::vector<int>{});
  BlockMatrix A(pattern);
  A.values()[0] = A.values()[1] = 2;
  const auto solver = solver_for(LinearSolverKind::eigen_cholesky);
  solver->analyze(pattern, {1, 1});
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  const Matrix e0 = Matrix::Identity(2, 1);
  Vector x = Vector::Ones(2);
  EXPECT_EQ(solve_with_low_rank(*solver, {{e0, Matrix::Constant(1, 1, -2.0), e0}}, Vector::Ones(2), x).status,
            SolveStatus::singular);
  EXPECT_EQ(x.norm(), 0.0);
}

TEST(LowRank, RefusesSizesThatDoNotMatch) {
  const auto pattern = ring_pattern(3, 5);
  const auto solver = solver_for(LinearSolverKind::eigen_cholesky);
  Vector x(15);
  EXPECT_THROW(solve_with_low_rank(*solver, {{Matrix::Zero(14, 2), Matrix::Zero(2, 2), Matrix::Zero(15, 2)}},
                                   Vector::Ones(15), x),
               Error);
}

// Chain CH5 with example damping (reference ABCE, section 0 and Table A6): A = a/dt^2 M + w/dt C + K and the update
// w/dt (C Q)(Pi - I)(C Q)^T with C-orthonormal Q.
TEST(LowRank, ReproducesTheExampleDampedChainOfTableA6) {
  const Vector mass = (Vector(5) << 1, 1.5, 2, 1, 0.5).finished(),
               spring = (Vector(5) << 100, 80, 60, 40, 20).finished();
  Matrix K = Matrix::Zero(5, 5);
  for (int i = 0; i < 5; ++i) {
    K(i, i) += spring[i];
    if (i > 0) K(i - 1, i - 1) += spring[i], K(i, i - 1) -= spring[i], K(i - 1, i) -= spring[i];
  }
  const Matrix M = mass.asDiagonal(), C = 0.1 * M + 0.02 * K;
  Matrix X(5, 3);
  X << 1, 1, 0, 2, 0, 1, 3, -1, 2, 4, 0, 1, 5, 1, 0;
  const Matrix R = (X.transpose() * C * X).llt().matrixU();
  const Matrix U = C * X * R.inverse();
  const Matrix Pi = R * Eigen::Vector3d(0.1, 3, 10).asDiagonal() * R.inverse();
  Vector b(5);
  for (int i = 0; i < 5; ++i) b[i] = testing::rnd(10 + i);
  const Vector expected[2] = {
      (Vector(5) << -9.091935495344e-5, 8.170122299491e-5, -4.664679528884e-5, 6.531611939730e-5, -3.022511272513e-4)
          .finished(),
      (Vector(5) << -1.526165197424e-4, 1.405889509215e-4, -8.095137626489e-5, 1.120833618574e-4, -5.319286563189e-4)
          .finished()};
  const double dt = 0.05, a[2] = {16, 9}, w[2] = {4, 3};
  const auto pattern = std::make_shared<BlockPattern>(1, 5, std::vector<int>{0, 5}, std::vector<int>{0, 1, 2, 3, 4});
  for (int stage = 0; stage < 2; ++stage) {
    const Matrix dense = a[stage] / (dt * dt) * M + w[stage] / dt * C + K;
    BlockMatrix A(pattern);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) A.block(pattern->slot(i, j))[0] = dense(i, j);
    const auto solver = solver_for(LinearSolverKind::eigen_cholesky);
    solver->analyze(pattern, std::vector<std::uint8_t>(5, 1));
    ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
    Vector x(5);
    ASSERT_EQ(solve_with_low_rank(*solver, {{U, w[stage] / dt * (Pi - Matrix::Identity(3, 3)), U}}, b, x).status,
              SolveStatus::ok);
    EXPECT_LT((x - expected[stage]).cwiseAbs().maxCoeff(), 1e-14) << x.transpose();
  }
}

/// Three chains of four blocks that nothing couples.
std::shared_ptr<const BlockPattern> three_chains() {
  std::vector<int> start{0}, pairs;
  for (const int i : {0, 1, 2, 4, 5, 6, 8, 9, 10}) {
    pairs.insert(pairs.end(), {i, i + 1});
    start.push_back(static_cast<int>(pairs.size()));
  }
  return std::make_shared<BlockPattern>(3, 12, start, pairs);
}

LowRank part_at(int first_dof, int rows, int rank, std::uint64_t seed) {
  LowRank part{random_dense(rows, rank, seed), random_dense(rank, rank, seed + 1), random_dense(rows, rank, seed + 2)};
  part.first_dof = first_dof;
  return part;
}

TEST(LowRank, PartsOfSeparateBodiesShareRightHandSides) {
  const auto pattern = three_chains();
  const BlockMatrix A = random_symmetric(pattern, 1, 20);
  const std::vector<std::uint8_t> is_free(36, 1);
  DynamicBlocks touching;
  touching.clear(*pattern);
  const Matrix stiffness = 0.5 * random_dense(3, 3, 77);
  touching.add(2, 9, stiffness.data());
  touching.finish();
  struct Case {
    std::vector<LowRank> parts;
    Eigen::Index columns, columns_touching;  // blocks 2 and 9 join the first and the last chain
  };
  const std::vector<Case> cases = {
      {{part_at(0, 12, 2, 10), part_at(12, 12, 3, 20), part_at(24, 12, 1, 30)}, 3, 3},
      {{part_at(0, 12, 2, 10), part_at(0, 12, 2, 40), part_at(27, 6, 1, 30)}, 4, 5},
      {{part_at(6, 12, 2, 10), part_at(24, 12, 3, 20)}, 3, 5},  // the first spans two chains
  };
  const Matrix b = random_dense(36, 2, 8);
  for (const Case& c : cases)
    for (const bool touch : {false, true}) {
      const DynamicBlocks& couplings = touch ? touching : DynamicBlocks();
      const BlockComponents components(pattern, couplings);
      EXPECT_EQ(components.size(), touch ? 2 : 3);
      EXPECT_EQ(PartGroups(&components, c.parts, 36).num_columns(), touch ? c.columns_touching : c.columns);
      Matrix full = A.dense();
      if (touch) full.block(6, 27, 3, 3) += stiffness, full.block(27, 6, 3, 3) += stiffness.transpose();
      for (const LowRank& part : c.parts)
        full.block(part.first_dof, part.first_dof, part.num_rows(), part.num_rows()) +=
            *part.U * part.S * part.V->transpose();
      const Matrix expected = testing::dense_solution(full, is_free, b);
      for (const LinearSolverKind kind : {LinearSolverKind::cholmod, LinearSolverKind::automatic}) {
        const auto solver = solver_for(kind);
        solver->analyze(pattern, is_free);
        ASSERT_EQ(solver->factorize_coupled(A, couplings), SolveStatus::ok);
        if (!solver->accepts_low_rank(false)) continue;
        Matrix x = Matrix::Zero(36, 2);
        ASSERT_EQ(solve_with_low_rank(*solver, c.parts, b, x).status, SolveStatus::ok);
        EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm()) << solver->name() << (touch ? ", touching" : "");
      }
    }
}

TEST(LowRank, ConjugateGradientsTakePartsOfOneBodyAmongSeveral) {
  const auto pattern = three_chains();
  const BlockMatrix A = random_symmetric(pattern, 1, 20);
  const auto solver = solver_for(LinearSolverKind::conjugate_gradient);
  solver->analyze(pattern, std::vector<std::uint8_t>(36, 1));
  ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
  LowRank part{random_dense(12, 2, 5), Matrix::Identity(2, 2), {}};
  part.V = part.U;
  part.first_dof = 12;
  Matrix full = A.dense();
  full.block(12, 12, 12, 12) += *part.U * part.U->transpose();
  const Matrix b = random_dense(36, 1, 8);
  Matrix x = Matrix::Zero(36, 1);
  ASSERT_EQ(solve_with_low_rank(*solver, {part}, b, x).status, SolveStatus::ok);
  EXPECT_LT((full * x - b).norm(), 1e-10 * b.norm());
  part.first_dof = 25;  // beyond the last dof
  EXPECT_THROW(solve_with_low_rank(*solver, {part}, b, x), Error);
}

}  // namespace
}  // namespace dashpot::test_low_rank
