// Blocks of different sizes in one system: offsets, storage, products and solvers against dense matrices.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/linsolve/coupled_direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_dof_layout {
namespace {

using testing::mixed_layout;
using testing::random_matrix;
using testing::random_symmetric;
using testing::random_vector;
using testing::ring_pattern;

TEST(DofLayout, BlocksFollowEachOtherWithoutGaps) {
  const DofLayout layout = mixed_layout();
  EXPECT_FALSE(layout.is_uniform());
  EXPECT_EQ(layout.leading_size(), 3);
  EXPECT_EQ(layout.num_leading(), 24);
  EXPECT_EQ(layout.num_blocks(), 43);
  EXPECT_EQ(layout.num_dofs(), 24 * 3 + 9 * 5 + 1 + 9 + 8 * 3);
  int next = 0;
  for (int block = 0; block < layout.num_blocks(); ++block) {
    EXPECT_EQ(layout.offset(block), next);
    for (int c = 0; c < layout.size(block); ++c) EXPECT_EQ(layout.block_of(next++), block);
  }
  EXPECT_EQ(next, layout.num_dofs());
}

TEST(DofLayout, EqualBlocksAreUniformHoweverTheyWereAdded) {
  DofLayout layout;
  layout.append(3, 2);
  layout.append(3, 5);
  EXPECT_EQ(layout, DofLayout(3, 7));
  EXPECT_TRUE(layout.is_uniform());
  DofLayout joined(3, 1);
  joined.append(mixed_layout());
  EXPECT_EQ(joined.num_blocks(), 44);
  EXPECT_EQ(joined.num_leading(), 25);
  EXPECT_EQ(joined.num_dofs(), 3 + mixed_layout().num_dofs());
  EXPECT_THROW(layout.append(0, 1), Error);
  EXPECT_THROW(layout.append(3, -1), Error);
}

TEST(MixedPattern, NodesKeepTheirPlacesAndNoTwoBlocksOverlap) {
  const auto pattern = ring_pattern(mixed_layout());
  const DofLayout& layout = pattern->layout();
  BlockMatrix A(pattern);
  std::vector<int> writes(A.num_values(), 0);
  for (int row = 0; row < pattern->num_blocks(); ++row)
    for (int s = pattern->row_start()[at(row)]; s < pattern->row_start()[at(row) + 1]; ++s) {
      const int column = pattern->column()[at(s)];
      if (row < 24 && column < 24) EXPECT_EQ(A.block(s), A.origin() + 9 * s);
      EXPECT_EQ(A.block(s), A.values() + pattern->position(s));
      for (int k = 0; k < layout.size(row) * layout.size(column); ++k)
        ++writes[at(static_cast<int>(A.block(s) - A.values()) + k)];
    }
  EXPECT_LE(*std::max_element(writes.begin(), writes.end()), 1);
  EXPECT_THROW(pattern->block_size(), Error);
}

TEST(MixedPattern, ProductsAreThoseOfTheDenseMatrix) {
  const auto pattern = ring_pattern(mixed_layout());
  const BlockMatrix A = random_matrix(pattern, 3);
  const Matrix dense = A.dense();
  const Vector x = random_vector(pattern->num_dofs(), 8);
  Vector y(x.size());
  A.multiply(x, y);
  ASSERT_GT(y.norm(), 1);
  EXPECT_LT((y - dense * x).norm(), 1e-13 * y.norm());
  A.multiply_add(-0.5, x, y);
  EXPECT_LT((y - 0.5 * dense * x).norm(), 1e-13 * (dense * x).norm());
  const Matrix X = testing::random_dense(pattern->num_dofs(), 5, 4);
  Matrix Y;
  multiply_columns(A, X, Y);
  EXPECT_LT((Y - dense * X).norm(), 1e-13 * Y.norm());
  const BlockMatrix S = random_symmetric(pattern, 4, 1.0);
  EXPECT_LT(S.asymmetry(), 1e-16);
  EXPECT_GT(A.asymmetry(), 0.1);
  EXPECT_LT((quadratic_form(S, X) - X.transpose() * S.dense() * X).norm(), 1e-12 * Y.norm());
}

TEST(MixedPattern, SomeRowsOfAMatrixActAsTheWholeDoesThere) {
  const auto pattern = ring_pattern(mixed_layout());
  const DofLayout& layout = pattern->layout();
  const BlockMatrix whole = random_matrix(pattern, 5);
  for (const BlockRange rows : {BlockRange{4, 9}, BlockRange{20, 36}, BlockRange{30, 41}}) {
    BlockMatrix some(pattern, rows);
    for (int row = rows.begin; row < rows.end; ++row)
      for (int s = pattern->row_start()[at(row)]; s < pattern->row_start()[at(row) + 1]; ++s)
        some.view(row, s) = whole.view(row, s);
    const DofRange dofs = layout.dofs(rows);
    Matrix expected = Matrix::Zero(layout.num_dofs(), layout.num_dofs());
    expected.middleRows(dofs.begin, dofs.size()) = whole.dense().middleRows(dofs.begin, dofs.size());
    EXPECT_EQ(some.dense(), expected);
    BlockMatrix sum = whole;
    sum.add_scaled(2.0, some);
    EXPECT_LT((sum.dense() - whole.dense() - 2 * expected).norm(), 1e-13 * expected.norm());
  }
}

std::vector<std::uint8_t> some_held(int num_dofs) {
  std::vector<std::uint8_t> is_free(at(num_dofs), 1);
  for (std::size_t i = 0; i < is_free.size(); i += 7) is_free[i] = 0;
  return is_free;
}

TEST(MixedPattern, EverySolverThatTakesItGivesTheDenseSolution) {
  const auto pattern = ring_pattern(mixed_layout());
  const int n = pattern->num_dofs();
  const BlockMatrix A = random_symmetric(pattern, 6, 60.0);
  const std::vector<std::uint8_t> is_free = some_held(n);
  const Matrix b = testing::random_dense(n, 2, 9), expected = testing::dense_solution(A.dense(), is_free, b);
  ASSERT_GT(expected.norm(), 1e-3);
  std::vector<std::unique_ptr<LinearSolver>> solvers;
  for (auto make : {make_eigen_cholesky_solver, make_eigen_lu_solver, make_dense_cholesky_solver, make_dense_lu_solver,
                    make_cholmod_solver, make_umfpack_solver})
    if (auto solver = make()) solvers.push_back(std::move(solver));
  solvers.push_back(make_adaptive_solver({}));
  for (const auto& solver : solvers) {
    solver->analyze(pattern, is_free);
    ASSERT_EQ(solver->factorize(A), SolveStatus::ok) << solver->name();
    Matrix x = Matrix::Zero(n, 2);
    EXPECT_EQ(solver->solve(b, x).status, SolveStatus::ok) << solver->name();
    EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm()) << solver->name();
  }
}

TEST(MixedPattern, ConjugateGradientsRefuseItAndNameTheRemedy) {
  const auto pattern = ring_pattern(mixed_layout());
  const auto solver = make_conjugate_gradient_solver({});
  try {
    solver->analyze(pattern, std::vector<std::uint8_t>(at(pattern->num_dofs()), 1));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("different sizes"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("automatic"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::test_dof_layout
