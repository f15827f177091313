#include "dashpot/linsolve/block_matrix.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/linsolve/tall_product.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_block_matrix {
namespace {

using testing::random_matrix;
using testing::random_vector;
using testing::ring_pattern;

class BlockSizes : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(BlockMatrix, BlockSizes, ::testing::Values(1, 2, 3, 4, 5, 7));

TEST(BlockPattern, HoldsEveryCoupledPairOnceSortedAndEveryDiagonal) {
  // Two tets sharing a face, and a node that belongs to nothing.
  const BlockPattern pattern(3, 6, {0, 4, 8}, {0, 1, 2, 3, 4, 3, 2, 1});
  EXPECT_EQ(pattern.num_slots(), 5 * 5 - 2 + 1);
  EXPECT_EQ(pattern.slot(0, 4), -1);
  EXPECT_EQ(pattern.slot(4, 0), -1);
  EXPECT_EQ(pattern.slot(5, 5), pattern.diagonal_slot(5));
  for (int row = 0; row < 6; ++row)
    for (int s = pattern.row_start()[row]; s < pattern.row_start()[row + 1]; ++s) {
      EXPECT_TRUE(s == pattern.row_start()[row] || pattern.column()[s - 1] < pattern.column()[s]);
      EXPECT_EQ(pattern.slot(row, pattern.column()[s]), s);
      EXPECT_GE(pattern.slot(pattern.column()[s], row), 0);
    }
}

TEST(BlockPattern, OfNothingIsEmptyAndOfUncoupledNodesIsDiagonal) {
  EXPECT_EQ(BlockPattern(3, 0, {}, {}).num_dofs(), 0);
  EXPECT_EQ(BlockPattern(3, 4, {0}, {}).num_slots(), 4);
}

TEST(BlockPattern, RefusesIndicesOutsideTheSystem) {
  EXPECT_THROW(BlockPattern(3, 4, {0, 2}, {0, 4}), Error);
  EXPECT_THROW(BlockPattern(3, 4, {0, 2}, {0, -1}), Error);
  EXPECT_THROW(BlockPattern(3, 4, {0, 3}, {0, 1}), Error);
}

TEST_P(BlockSizes, ProductsEqualTheDenseProduct) {
  const auto pattern = ring_pattern(GetParam(), 41);
  const BlockMatrix A = random_matrix(pattern, 3);
  const Vector x = random_vector(pattern->num_dofs(), 5);
  const Vector expected = A.dense() * x;
  ASSERT_GT(expected.norm(), 1.0);
  Vector y = Vector::Constant(x.size(), 99.0);
  A.multiply(x, y);
  EXPECT_LT((y - expected).norm(), 1e-13 * expected.norm());
  const Vector before = random_vector(pattern->num_dofs(), 6);
  y = before;
  A.multiply_add(-2.5, x, y);
  EXPECT_LT((y - (before - 2.5 * expected)).norm(), 1e-13 * expected.norm());
}

TEST_P(BlockSizes, ProductsHaveTheSameBitsForEveryThreadCount) {
  const auto pattern = ring_pattern(GetParam(), 3000);
  const BlockMatrix A = random_matrix(pattern, 3);
  const Vector x = random_vector(pattern->num_dofs(), 5);
  const int threads = num_threads();
  Vector one(x.size()), three(x.size());
  set_num_threads(1);
  A.multiply(x, one);
  set_num_threads(3);
  A.multiply(x, three);
  set_num_threads(threads);
  EXPECT_GT(one.norm(), 1.0);
  EXPECT_TRUE((one.array() == three.array()).all());
}

TEST(BlockMatrix, ScaledSumAndZeroReachEveryValue) {
  const auto pattern = ring_pattern(3, 2500);  // several parallel ranges
  BlockMatrix A = random_matrix(pattern, 1);
  const BlockMatrix before = A, B = random_matrix(pattern, 2);
  A.add_scaled(-0.5, B);
  for (std::size_t i = 0; i < A.num_values(); ++i) ASSERT_EQ(A.values()[i], before.values()[i] + -0.5 * B.values()[i]);
  A.set_zero();
  for (std::size_t i = 0; i < A.num_values(); ++i) ASSERT_EQ(A.values()[i], 0.0);
}

TEST(BlockMatrix, AsymmetryIsZeroForSymmetricMatricesAndSeesOneChangedEntry) {
  const auto pattern = ring_pattern(3, 20);
  BlockMatrix A = testing::random_symmetric(pattern, 4, 0.0);
  EXPECT_EQ(A.asymmetry(), 0.0);
  A.block(pattern->slot(0, 1))[2] += 1e-3;
  EXPECT_NEAR(A.asymmetry() * A.dense().cwiseAbs().maxCoeff(), 1e-3, 1e-15);
}

TEST(BlockMatrix, SeveralColumnsAtOnceAreTheColumnsOneByOne) {
  for (const int block_size : {2, 3})
    for (const int count : {1, 3, 4, 7, 9, 12, 15}) {
      const auto pattern = testing::ring_pattern(block_size, 700);  // several ranges of rows
      const BlockMatrix A = testing::random_matrix(pattern, 3);
      const int n = pattern->num_dofs();
      const Matrix X = testing::random_vector(n * count, 4).reshaped(n, count);
      Matrix Y, expected(n, count);
      multiply_columns(A, X, Y);
      for (int k = 0; k < count; ++k) A.multiply(X.col(k), expected.col(k));
      ASSERT_GT(expected.norm(), 1);
      EXPECT_LT((Y - expected).norm(), 1e-13 * expected.norm()) << block_size << ", " << count;
    }
}

TEST(BlockMatrix, TheQuadraticFormOfColumnsIsTheirProductWithTheProductAndItsBitsDoNotDependOnThreads) {
  for (const int block_size : {2, 3})
    for (const int count : {1, 4, 6, 10, 12, 14}) {
      const auto pattern = testing::ring_pattern(block_size, 700);
      const BlockMatrix A = testing::random_symmetric(pattern, 3, 2);
      const int n = pattern->num_dofs();
      const Matrix X = testing::random_vector(n * count, 4).reshaped(n, count);
      Matrix AX;
      multiply_columns(A, X, AX);
      const Matrix expected = X.transpose() * AX, form = quadratic_form(A, X);
      ASSERT_GT(expected.norm(), 1);
      EXPECT_LT((form - expected).norm(), 1e-13 * expected.norm()) << block_size << ", " << count;
      const int threads = num_threads();
      set_num_threads(1);
      EXPECT_EQ(quadratic_form(A, X), form);
      set_num_threads(threads);
    }
}

TEST(TallProduct, EqualsThePlainProductForAllNumbersOfColumnsAndRows) {
  for (const int rows : {5, 256, 4999})
    for (const int left : {1, 4, 9})
      for (const int right : {1, 2, 7, 10}) {
        const Matrix A = testing::random_dense(rows + 3, left, 1), B = testing::random_dense(rows + 3, right, 2);
        const Matrix product = transposed_times_matrix(A.middleRows(1, rows), B.middleRows(2, rows));
        const Matrix expected = A.middleRows(1, rows).transpose() * B.middleRows(2, rows);
        ASSERT_GT(expected.norm(), 0.1);
        EXPECT_LT((product - expected).norm(), 1e-12 * expected.norm()) << rows << ", " << left << ", " << right;
      }
}

TEST_P(BlockSizes, SomeRowsOfAMatrixActAsTheWholeDoesThere) {
  const auto pattern = ring_pattern(GetParam(), 12);
  const BlockMatrix whole = random_matrix(pattern, 5);
  const BlockRange rows{4, 9};
  BlockMatrix some(pattern, rows);
  for (int s = pattern->row_start()[4]; s < pattern->row_start()[9]; ++s)
    std::copy(whole.block(s), whole.block(s) + GetParam() * GetParam(), some.block(s));
  EXPECT_EQ(some.num_values(), at(pattern->row_start()[9] - pattern->row_start()[4]) * at(GetParam() * GetParam()));

  const Vector x = random_vector(pattern->num_dofs(), 3);
  const Eigen::Index first = rows.begin * GetParam(), count = rows.size() * GetParam();
  Vector of_whole(x.size()), of_some = Vector::Constant(x.size(), 9.0);
  whole.multiply(x, of_whole);
  some.multiply(x, of_some);
  EXPECT_GT(of_whole.norm(), 0);
  EXPECT_EQ(of_some.segment(first, count), of_whole.segment(first, count));
  EXPECT_TRUE((of_some.head(first).array() == 9.0).all() &&
              (of_some.tail(x.size() - first - count).array() == 9.0).all());

  Matrix columns;
  Vector inside = Vector::Zero(x.size()), of_inside(x.size());
  inside.segment(first, count) = x.segment(first, count);
  whole.multiply(inside, of_inside);
  multiply_columns(some, x.segment(first, count), columns);
  ASSERT_EQ(columns.rows(), count);
  EXPECT_LE((columns.col(0) - of_inside.segment(first, count)).norm(), 1e-14 * of_inside.norm());

  BlockMatrix sum = whole;
  sum.add_scaled(2, some);
  Vector of_sum(x.size());
  sum.multiply(x, of_sum);
  EXPECT_LE((of_sum - of_whole).segment(first, count).norm() / of_whole.segment(first, count).norm() - 2, 1e-13);
  EXPECT_EQ(of_sum.head(first), of_whole.head(first));
}

}  // namespace
}  // namespace dashpot::test_block_matrix
