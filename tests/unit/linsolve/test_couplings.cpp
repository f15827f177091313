// Blocks outside the pattern: every solver must give what a dense solve of A + B gives.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/coupled_direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_couplings {
namespace {

using testing::mixed_layout;
using testing::random_symmetric;
using testing::random_vector;
using testing::ring_pattern;

/// Couplings of random directions between blocks the ring does not couple: off-diagonal parts into B, the rest into A.
DynamicBlocks add_springs(BlockMatrix& A, int first, int count, double stiffness) {
  const BlockPattern& pattern = A.pattern();
  const DofLayout& layout = pattern.layout();
  const int n = pattern.num_blocks();
  DynamicBlocks couplings;
  couplings.clear(pattern);
  for (int k = 0; k < count; ++k) {
    const int i = (first + 5 * k) % n, j = (first + 5 * k + n / 2) % n;
    if (pattern.slot(i, j) >= 0) continue;
    // stiffness/2 (d . x_i - e . x_j)^2: the block between i and j is not symmetric by itself.
    const Vector d = random_vector(layout.size(i), 50 + static_cast<unsigned>(k)).normalized();
    const Vector e = random_vector(layout.size(j), 80 + static_cast<unsigned>(k)).normalized();
    A.view(i, pattern.diagonal_slot(i)) += stiffness * d * d.transpose();
    A.view(j, pattern.diagonal_slot(j)) += stiffness * e * e.transpose();
    const Matrix across = -stiffness * d * e.transpose(), back = across.transpose();
    if (k % 2 == 0)
      couplings.add(i, j, across.data());
    else
      couplings.add(j, i, back.data());
  }
  couplings.finish();
  return couplings;
}

Matrix dense(const BlockMatrix& A, const DynamicBlocks& couplings) {
  Matrix sum = A.dense();
  const DofLayout& layout = A.pattern().layout();
  for (int pair = 0; pair < couplings.num_pairs(); ++pair) {
    const Eigen::Map<const Matrix> block = couplings.view(pair);
    const int i = layout.offset(couplings.row(pair)), j = layout.offset(couplings.column(pair));
    sum.block(i, j, block.rows(), block.cols()) += block;
    sum.block(j, i, block.cols(), block.rows()) += block.transpose();
  }
  return sum;
}

std::vector<std::uint8_t> some_held(const BlockPattern& pattern) {
  std::vector<std::uint8_t> is_free(static_cast<std::size_t>(pattern.num_dofs()), 1);
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (i % 11 == 4 || i / static_cast<std::size_t>(pattern.layout().leading_size()) % 9 == 3) is_free[i] = 0;
  return is_free;
}

std::unique_ptr<LinearSolver> make(const std::string& name) {
  LinearSolverOptions options;
  options.cg_tolerance = 1e-12;
  if (name == "precondition") options.couplings = CouplingStrategy::precondition;
  if (name == "reanalyze") options.couplings = CouplingStrategy::reanalyze;
  if (name == "conjugate_gradient") return make_conjugate_gradient_solver(options);
  if (name == "adaptive") return make_adaptive_solver(options);
  if (name == "lu")
    return std::make_unique<CoupledDirectSolver>(options,
                                                 has_suitesparse() ? make_umfpack_solver() : make_eigen_lu_solver());
  if (name == "eigen") return std::make_unique<CoupledDirectSolver>(options, make_eigen_cholesky_solver());
  return std::make_unique<CoupledDirectSolver>(
      options, has_suitesparse() ? make_cholmod_solver() : make_eigen_cholesky_solver());
}

/// Solver and block size; 0: blocks of different sizes.
class Couplings : public ::testing::TestWithParam<std::tuple<std::string, int>> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Couplings,
                         ::testing::Combine(::testing::Values("conjugate_gradient", "precondition", "reanalyze",
                                                              "automatic", "adaptive", "lu", "eigen"),
                                            ::testing::Values(0, 1, 2, 3, 5)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + std::to_string(std::get<1>(test.param));
                         });

TEST_P(Couplings, AreSolvedLikeADenseSystemWhileTheyMoveComeAndGo) {
  const auto& [name, b] = GetParam();
  const auto pattern = b == 0 ? ring_pattern(mixed_layout()) : ring_pattern(b, 43);
  const auto is_free = some_held(*pattern);
  const auto solver = make(name);
  if (b == 0 && name == "conjugate_gradient") {  // blocks of different sizes
    EXPECT_THROW(solver->analyze(pattern, is_free), Error);
    return;
  }
  solver->analyze(pattern, is_free);
  for (int round = 0; round < 6; ++round) {
    BlockMatrix A = random_symmetric(pattern, 7 + static_cast<unsigned>(round), 30);
    const DynamicBlocks couplings = add_springs(A, 3 * round, round == 3 ? 0 : 9, 500);
    if (round != 3) {
      ASSERT_GT(couplings.num_pairs(), 4);
    }
    const Matrix sum = dense(A, couplings);
    if (round != 3) {
      ASSERT_GT((sum - A.dense()).norm(), 1);
    }
    ASSERT_EQ(solver->factorize_coupled(A, couplings), SolveStatus::ok);
    Matrix right(pattern->num_dofs(), 2), x = Matrix::Zero(pattern->num_dofs(), 2);
    right << random_vector(pattern->num_dofs(), 3), random_vector(pattern->num_dofs(), 4);
    const SolveReport report = solver->solve(right, x);
    EXPECT_EQ(report.status, SolveStatus::ok) << to_string(report.status);
    const Matrix expected = testing::dense_solution(sum, is_free, right);
    EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm()) << name << ", round " << round;
    if (name == "precondition") {
      EXPECT_EQ(report.iterations > 0, round != 3);
    }
  }
  if (name == "precondition") {
    EXPECT_EQ(solver->num_reanalyses(), 0);
  }
  if (name == "reanalyze") {
    EXPECT_GE(solver->num_reanalyses(), 1);
  }
}

TEST(DynamicBlocks, SumsWhatWasAddedToAPairFromEitherSide) {
  DynamicBlocks blocks;
  for (int round = 0; round < 2; ++round) {
    blocks.clear(2);
    const double first[4] = {1, 2, 3, 4}, second[4] = {10, 20, 30, 40};
    blocks.add(5, 2, first);
    blocks.add(2, 5, second);
    blocks.add(1, 9, second);
    blocks.finish();
    ASSERT_EQ(blocks.num_pairs(), 2);
    EXPECT_EQ(blocks.row(1), 2);
    EXPECT_EQ(blocks.column(1), 5);
    const double expected[4] = {11, 23, 32, 44};  // the first block transposed, plus the second
    for (int i = 0; i < 4; ++i) EXPECT_EQ(blocks.block(1)[i], expected[i]) << i;
  }
}

TEST(CoupledDirectSolver, AnalyzesAgainWhenIterationsHaveCostAsMuchAndResumesWithTheSameBits) {
  const auto pattern = ring_pattern(3, 43);
  const auto is_free = some_held(*pattern);
  const auto solve = [&](LinearSolver& solver, int round) {
    BlockMatrix A = random_symmetric(pattern, 7 + static_cast<unsigned>(round), 30);
    const DynamicBlocks couplings = add_springs(A, 0, 9, 500);
    solver.factorize_coupled(A, couplings);
    Matrix x = Matrix::Zero(pattern->num_dofs(), 1);
    const SolveReport report = solver.solve(random_vector(pattern->num_dofs(), 5), x);
    EXPECT_EQ(report.status, SolveStatus::ok);
    return x;
  };
  const auto whole = make("automatic");
  whole->analyze(pattern, is_free);
  std::vector<std::vector<std::int64_t>> memories;
  std::vector<Matrix> solutions;
  for (int round = 0; round < 60; ++round) {
    memories.push_back(whole->history());
    solutions.push_back(solve(*whole, round));
  }
  EXPECT_EQ(whole->num_reanalyses(), 1) << "the same pairs stay inside the extended pattern";
  for (const int round : {0, 1, 30, 59}) {
    const auto resumed = make("automatic");
    resumed->analyze(pattern, is_free);
    resumed->set_history(memories[static_cast<std::size_t>(round)]);
    EXPECT_EQ(solve(*resumed, round), solutions[static_cast<std::size_t>(round)]) << round;
    EXPECT_LE(resumed->num_reanalyses(), 1);
  }
}

TEST(CoupledDirectSolver, ForgetsTheExtensionLongAfterTheLastCoupling) {
  const auto pattern = ring_pattern(3, 43);
  const auto solver = make("reanalyze");
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(pattern->num_dofs()), 1));
  BlockMatrix A = random_symmetric(pattern, 7, 30);
  const DynamicBlocks couplings = add_springs(A, 0, 9, 500);
  solver->factorize_coupled(A, couplings);
  ASSERT_GT(solver->history().size(), 2u);
  for (int k = 0; k < 300; ++k) solver->factorize(A);
  EXPECT_TRUE(solver->history().empty());
  EXPECT_EQ(solver->num_reanalyses(), 2);
}

TEST(Couplings, AreRefusedByNameWhereASolverCannotTakeThem) {
  const auto pattern = ring_pattern(3, 43);
  const auto solver = make_eigen_cholesky_solver();
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(pattern->num_dofs()), 1));
  BlockMatrix A = random_symmetric(pattern, 7, 30);
  const DynamicBlocks couplings = add_springs(A, 0, 9, 500);
  try {
    solver->factorize_coupled(A, couplings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(solver->name()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::test_couplings
