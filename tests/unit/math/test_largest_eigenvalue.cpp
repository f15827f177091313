#include "dashpot/math/largest_eigenvalue.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace dashpot::math::test_largest_eigenvalue {
namespace {

LinearMap product(const Matrix& matrix) {
  return [&matrix](const Vector& x, Vector& y) { y = matrix * x; };
}

/// Symmetric, with entries of no pattern.
Matrix symmetric(Eigen::Index n, double shift) {
  Matrix A(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) A(i, j) = std::sin(shift + static_cast<double>(3 * i + 5 * j + i * j * 7));
  return A + A.transpose();
}

TEST(LargestEigenvalue, OfAPairOfMatricesIsThatOfTheDenseSolver) {
  const Matrix A = symmetric(150, 0.1), root = symmetric(150, 0.7), M = root * root + Matrix::Identity(150, 150);
  const Matrix inverse = M.inverse();
  const double exact = Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(A, M).eigenvalues()[149];
  ASSERT_GT(exact, 0.1);
  Vector x;
  const LargestEigenvalue found =
      largest_eigenvalue(lanczos_start(150), product(A), product(inverse), {.tolerance = 1e-8, .max_steps = 600}, &x);
  EXPECT_NEAR(found.value, exact, 1e-9 * exact);
  EXPECT_LE(found.residual, 1e-8 * exact);
  EXPECT_NEAR(x.dot(M * x), 1, 1e-6);
  EXPECT_LT((A * x - exact * (M * x)).norm(), 1e-6 * (A * x).norm());
}

TEST(LargestEigenvalue, StoppedEarlyItIsBelowAndTheResidualReachesAnEigenvalue) {
  const Matrix A = symmetric(80, 0.4), one = Matrix::Identity(80, 80);
  const Vector exact = Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues();
  const LargestEigenvalue found =
      largest_eigenvalue(lanczos_start(80), product(A), product(one), {.tolerance = 1e-12, .max_steps = 6});
  EXPECT_EQ(found.steps, 6);
  EXPECT_LT(found.value, exact[79]);
  EXPECT_LE((exact.array() - found.value).abs().minCoeff(), found.residual);
}

TEST(LargestEigenvalue, DirectionsWithoutWeightDoNotCount) {
  Matrix A = Matrix::Identity(3, 3), W = A;
  A(1, 1) = 9;
  A(2, 2) = 4;
  W(1, 1) = 0;  // e.g. prescribed
  EXPECT_NEAR(largest_eigenvalue(lanczos_start(3), product(A), product(W)).value, 4, 1e-12);
  W.setZero();
  EXPECT_EQ(largest_eigenvalue(lanczos_start(3), product(A), product(W)).value, 0);
  EXPECT_EQ(largest_eigenvalue(Vector(0), product(A), product(W)).value, 0);
}

}  // namespace
}  // namespace dashpot::math::test_largest_eigenvalue
