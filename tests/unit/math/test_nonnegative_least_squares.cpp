#include <gtest/gtest.h>

#include "dashpot/math/nonnegative_least_squares.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_nonnegative_least_squares {
namespace {

/// Columns that are much alike, so that some that were let go have to be held again.
Matrix noise_matrix(int rows, int columns, int seed) {
  Matrix A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) A(i, k) = rnd(seed + 100 * i + k) + 3 * rnd(seed + 50000 + i);
  return A;
}

TEST(NonnegativeLeastSquares, FindsWhatIsThereWhereTheAnswerIsNotNegative) {
  const Matrix A = noise_matrix(12, 5, 1);
  Vector x(5);
  x << 1, 0, 2.5, 0, 0.3;
  EXPECT_LT((math::nonnegative_least_squares(A, A * x) - x).norm(), 1e-12);
}

TEST(NonnegativeLeastSquares, MeetsTheConditionsOfAMinimum) {
  int held = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix A = noise_matrix(9, 6, 1000 * trial);
    Vector b(9);
    for (int i = 0; i < 9; ++i) b[i] = rnd(1000 * trial + 777 + i);
    const Vector x = math::nonnegative_least_squares(A, b), slope = A.transpose() * (b - A * x);
    for (int k = 0; k < 6; ++k) {
      ASSERT_GE(x[k], 0);
      ASSERT_LE(slope[k], 1e-11) << "more of it would lower the residual";
      if (x[k] > 0) ASSERT_NEAR(slope[k], 0, 1e-11);
      held += x[k] == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(held, 100) << "constraints that never hold prove nothing";
}

}  // namespace
}  // namespace dashpot::testing::test_nonnegative_least_squares
