#include <gtest/gtest.h>

#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "support/tet_bar.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_linear_solvers {
namespace {

using testing::random_matrix;
using testing::random_symmetric;
using testing::random_vector;
using testing::ring_pattern;

std::unique_ptr<LinearSolver> make(const std::string& name) {
  LinearSolverOptions options;
  options.cg_tolerance = 1e-12;
  if (name == "cholmod") return make_cholmod_solver();
  if (name == "umfpack") return make_umfpack_solver();
  if (name == "eigen_cholesky") return make_eigen_cholesky_solver();
  if (name == "eigen_lu") return make_eigen_lu_solver();
  if (name == "conjugate_gradient") return make_conjugate_gradient_solver(options);
  return make_adaptive_solver(options);
}

std::vector<std::string> with_suitesparse(std::vector<std::string> names, const std::string& extra) {
  if (has_suitesparse()) names.push_back(extra);
  return names;
}
const std::vector<std::string> symmetric_solvers =
    with_suitesparse({"eigen_cholesky", "conjugate_gradient", "adaptive"}, "cholmod");
const std::vector<std::string> general_solvers = with_suitesparse({"eigen_lu"}, "umfpack");

enum class Mask { none, blocks, mixed };

std::vector<std::uint8_t> free_flags(int num_dofs, int block_size, Mask mask) {
  std::vector<std::uint8_t> is_free(static_cast<std::size_t>(num_dofs), 1);
  for (int i = 0; i < num_dofs; ++i) {
    if (mask != Mask::none && (i / block_size) % 5 == 2) is_free[static_cast<std::size_t>(i)] = 0;
    if (mask == Mask::mixed && i % 7 == 3) is_free[static_cast<std::size_t>(i)] = 0;
  }
  return is_free;
}

void expect_dense_solution(LinearSolver& solver, const BlockMatrix& A, const std::vector<std::uint8_t>& is_free) {
  const int n = A.pattern().num_dofs();
  Matrix b(n, 3);
  for (int k = 0; k < 3; ++k) b.col(k) = random_vector(n, 100 + static_cast<unsigned>(k));
  const Matrix expected = testing::dense_solution(A.dense(), is_free, b);
  ASSERT_GT(expected.norm(), 1e-3);
  ASSERT_EQ(solver.factorize(A), SolveStatus::ok);
  Matrix x = Matrix::Constant(n, 3, 0.1);
  const SolveReport report = solver.solve(b, x);
  EXPECT_EQ(report.status, SolveStatus::ok) << to_string(report.status);
  EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm());
  for (int i = 0; i < n; ++i) EXPECT_TRUE(is_free[static_cast<std::size_t>(i)] || x.row(i).norm() == 0.0) << i;
}

using Case = std::tuple<std::string, int, Mask>;
std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const char* masks[] = {"Free", "BlocksHeld", "DofsHeld"};
  return std::get<0>(info.param) + std::to_string(std::get<1>(info.param)) +
         masks[static_cast<int>(std::get<2>(info.param))];
}
const auto block_sizes = ::testing::Values(1, 2, 3, 4, 5);
const auto masks = ::testing::Values(Mask::none, Mask::blocks, Mask::mixed);

class SymmetricSolver : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(LinearSolver, SymmetricSolver,
                         ::testing::Combine(::testing::ValuesIn(symmetric_solvers), block_sizes, masks), case_name);

TEST_P(SymmetricSolver, SolvesPositiveDefiniteSystemsLikeDenseLu) {
  const auto [name, b, mask] = GetParam();
  const auto pattern = ring_pattern(b, 37);
  const auto is_free = free_flags(pattern->num_dofs(), b, mask);
  const auto solver = make(name);
  solver->analyze(pattern, is_free);
  expect_dense_solution(*solver, random_symmetric(pattern, 1, 6.0 * b), is_free);
  // The analysis serves every matrix of the pattern.
  expect_dense_solution(*solver, random_symmetric(pattern, 2, 7.0 * b), is_free);
}

class GeneralSolver : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(LinearSolver, GeneralSolver,
                         ::testing::Combine(::testing::ValuesIn(general_solvers), block_sizes, masks), case_name);

TEST_P(GeneralSolver, SolvesIndefiniteAndNonSymmetricSystemsLikeDenseLu) {
  const auto [name, b, mask] = GetParam();
  const auto pattern = ring_pattern(b, 37);
  const auto is_free = free_flags(pattern->num_dofs(), b, mask);
  const auto solver = make(name);
  ASSERT_TRUE(solver->handles_nonsymmetric());
  solver->analyze(pattern, is_free);
  expect_dense_solution(*solver, random_symmetric(pattern, 1, 0.3), is_free);
  const BlockMatrix A = random_matrix(pattern, 2);
  ASSERT_GT(A.asymmetry(), 0.1);
  expect_dense_solution(*solver, A, is_free);
}

class EverySolver : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<LinearSolver> solver_ = make(GetParam());
};
std::vector<std::string> every_solver() {
  std::vector<std::string> all = symmetric_solvers;
  all.insert(all.end(), general_solvers.begin(), general_solvers.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(LinearSolver, EverySolver, ::testing::ValuesIn(every_solver()),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(EverySolver, GivesZeroWhereNothingIsFree) {
  const auto pattern = ring_pattern(3, 4);
  solver_->analyze(pattern, std::vector<std::uint8_t>(12, 0));
  ASSERT_EQ(solver_->factorize(random_symmetric(pattern, 1, 20)), SolveStatus::ok);
  Vector x = Vector::Ones(12);
  EXPECT_EQ(solver_->solve(Vector::Ones(12), x).status, SolveStatus::ok);
  EXPECT_EQ(x.norm(), 0.0);
}

TEST_P(EverySolver, SolvesOneEquation) {
  const auto pattern = std::make_shared<BlockPattern>(1, 1, std::vector<int>{0}, std::vector<int>{});
  BlockMatrix A(pattern);
  A.values()[0] = 4;
  solver_->analyze(pattern, {1});
  ASSERT_EQ(solver_->factorize(A), SolveStatus::ok);
  Vector x = Vector::Zero(1);
  EXPECT_EQ(solver_->solve(Vector::Constant(1, 10.0), x).status, SolveStatus::ok);
  EXPECT_NEAR(x[0], 2.5, 1e-15);
}

TEST_P(EverySolver, GivesZeroForZeroForce) {
  const auto pattern = ring_pattern(3, 6);
  solver_->analyze(pattern, std::vector<std::uint8_t>(18, 1));
  ASSERT_EQ(solver_->factorize(random_symmetric(pattern, 1, 20)), SolveStatus::ok);
  Vector x = Vector::Ones(18);
  EXPECT_EQ(solver_->solve(Vector::Zero(18), x).status, SolveStatus::ok);
  EXPECT_EQ(x.norm(), 0.0);
}

TEST_P(EverySolver, ReportsNumbersThatAreNotFinite) {
  const auto pattern = ring_pattern(3, 6);
  solver_->analyze(pattern, std::vector<std::uint8_t>(18, 1));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const int slot : {pattern->diagonal_slot(2), pattern->slot(0, 1)}) {
      BlockMatrix A = random_symmetric(pattern, 1, 20);
      A.block(slot)[3] = bad;
      A.block(pattern->slot(pattern->column()[static_cast<std::size_t>(slot)],
                            slot == pattern->diagonal_slot(2) ? 2 : 0))[1] = bad;
      EXPECT_EQ(solver_->factorize(A), SolveStatus::not_finite);
      Vector x = Vector::Ones(18);
      EXPECT_EQ(solver_->solve(Vector::Ones(18), x).status, SolveStatus::not_finite);
      EXPECT_EQ(x.norm(), 0.0);
    }
  ASSERT_EQ(solver_->factorize(random_symmetric(pattern, 1, 20)), SolveStatus::ok);
  Vector b = Vector::Ones(18), x = Vector::Ones(18);
  b[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solver_->solve(b, x).status, SolveStatus::not_finite);
  EXPECT_EQ(x.norm(), 0.0);
  EXPECT_EQ(solver_->solve(Vector::Ones(18), x).status, SolveStatus::ok);
}

TEST_P(EverySolver, ForgivesAGuessThatIsNotFinite) {
  const auto pattern = ring_pattern(3, 6);
  solver_->analyze(pattern, std::vector<std::uint8_t>(18, 1));
  ASSERT_EQ(solver_->factorize(random_symmetric(pattern, 1, 20)), SolveStatus::ok);
  Vector x = Vector::Constant(18, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver_->solve(Vector::Ones(18), x).status, SolveStatus::ok);
  EXPECT_TRUE(x.allFinite());
}

TEST_P(EverySolver, RefusesMisuse) {
  const auto pattern = ring_pattern(3, 6);
  Vector x(18);
  EXPECT_THROW(solver_->analyze(pattern, std::vector<std::uint8_t>(17, 1)), Error);
  EXPECT_THROW(make(GetParam())->factorize(random_symmetric(pattern, 1, 20)), Error);
  solver_->analyze(pattern, std::vector<std::uint8_t>(18, 1));
  EXPECT_THROW(solver_->solve(Vector::Ones(18), x), Error);
  EXPECT_THROW(solver_->factorize(random_symmetric(ring_pattern(3, 7), 1, 20)), Error);
}

TEST_P(EverySolver, HasTheSameBitsForEveryThreadCount) {
  testing::TetBarOptions options;
  // Iterative solvers need enough nodes for several chunks; direct ones are serial and the slow ones need to stay
  // small.
  const bool iterative = GetParam() == "conjugate_gradient" || GetParam() == "adaptive";
  options.cells = iterative ? std::array{24, 9, 9} : std::array{12, 4, 4};
  const testing::TetBar bar = testing::make_tet_bar(options);
  const BlockMatrix A = bar.step_matrix(16 / 25e-6);
  const Vector b = random_vector(bar.pattern->num_dofs(), 3);
  const int threads = num_threads();
  std::vector<Vector> results;
  for (const int n : {1, 2, 3}) {
    set_num_threads(n);
    const auto solver = make(GetParam());
    solver->analyze(bar.pattern, bar.free_dofs(true));
    ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
    Vector x = Vector::Zero(b.size());
    ASSERT_EQ(solver->solve(b, x).status, SolveStatus::ok);
    results.push_back(x);
  }
  set_num_threads(threads);
  EXPECT_GT(results[0].norm(), 0.0);
  EXPECT_TRUE((results[0].array() == results[1].array()).all());
  EXPECT_TRUE((results[0].array() == results[2].array()).all());
}

class CholeskyLike : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(LinearSolver, CholeskyLike, ::testing::ValuesIn(symmetric_solvers),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(CholeskyLike, NoticesNegativeCurvature) {
  const auto pattern = ring_pattern(3, 37);
  const auto solver = make(GetParam());
  solver->analyze(pattern, std::vector<std::uint8_t>(111, 1));
  // Positive diagonal blocks (CG cannot see it there), but strong coupling of neighbors.
  BlockMatrix A = random_symmetric(pattern, 1, 6);
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}}) {
    Eigen::Map<Matrix> block(A.block(pattern->slot(i, j)), 3, 3);
    block = Matrix::Identity(3, 3) * 50;
  }
  SolveStatus status = solver->factorize(A);
  Vector x = Vector::Ones(111);
  const SolveReport report = solver->solve(random_vector(111, 5), x);
  EXPECT_EQ(report.status, SolveStatus::not_positive_definite);
  EXPECT_EQ(x.norm(), 0.0);
  // A negative diagonal block is seen at once.
  A = random_symmetric(pattern, 1, -20);
  status = solver->factorize(A);
  EXPECT_EQ(status, SolveStatus::not_positive_definite);
  EXPECT_EQ(solver->solve(random_vector(111, 5), x).status, SolveStatus::not_positive_definite);
  ASSERT_EQ(solver->factorize(random_symmetric(pattern, 1, 30)), SolveStatus::ok);
  EXPECT_EQ(solver->solve(random_vector(111, 5), x).status, SolveStatus::ok);
}

TEST(LuSolver, SaysThatASingularMatrixIsSingular) {
  for (const std::string& name : general_solvers) {
    const auto pattern = ring_pattern(2, 5);
    const auto solver = make(name);
    solver->analyze(pattern, std::vector<std::uint8_t>(10, 1));
    const BlockMatrix A(pattern);  // all zero
    const SolveStatus status = solver->factorize(A);
    EXPECT_EQ(status, SolveStatus::singular) << name;
    Vector x = Vector::Ones(10);
    EXPECT_EQ(solver->solve(Vector::Ones(10), x).status, SolveStatus::singular);
    EXPECT_EQ(x.norm(), 0.0);
  }
}

TEST(MakeLinearSolver, ChoosesByReuseAndSymmetry) {
  const LinearSolverOptions automatic;
  const std::string cholesky = has_suitesparse() ? "cholmod" : "eigen_cholesky";
  EXPECT_EQ(make_linear_solver(automatic, 100000, false, true)->name(), cholesky);
  EXPECT_EQ(make_linear_solver(automatic, 280, true, true)->name(), cholesky);
  EXPECT_EQ(make_linear_solver(automatic, 74, true, true)->name(), "dense_cholesky");
  EXPECT_EQ(make_linear_solver(automatic, 74, true, false)->name(), "dense_lu");
  EXPECT_EQ(make_linear_solver(automatic, 100000, true, true)->name(), "automatic (conjugate_gradient)");
  EXPECT_TRUE(make_linear_solver(automatic, 100000, true, false)->handles_nonsymmetric());
}

TEST(MakeLinearSolver, RefusesWhatCannotWork) {
  for (const LinearSolverKind kind :
       {LinearSolverKind::cholmod, LinearSolverKind::conjugate_gradient, LinearSolverKind::eigen_cholesky}) {
    LinearSolverOptions options;
    options.kind = kind;
    EXPECT_THROW(make_linear_solver(options, 1000, true, false), Error) << to_string(kind);
  }
  LinearSolverOptions options;
  options.cg_tolerance = 0;
  options.cg_max_iterations = 0;
  try {
    make_linear_solver(options, 1000, true, true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
}

}  // namespace
}  // namespace dashpot::test_linear_solvers
