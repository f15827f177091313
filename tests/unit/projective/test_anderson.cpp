// Anderson acceleration alone, on fixed points that are known.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "dashpot/projective/anderson.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_anderson {
namespace {

constexpr int size = 4;

double plain(const Vector& x, const Vector& y) { return x.dot(y); }

/// d -> A d + b with eigenvalues of A between 0.2 and 0.95, as those of local/global iterations.
struct LinearMap {
  Matrix A = Matrix::Zero(size, size);
  Vector b = Vector::Zero(size), fixed_point;
  LinearMap() {
    Matrix basis(size, size);
    for (int i = 0; i < size * size; ++i) basis.data()[i] = rnd(i);
    const Matrix Q = Eigen::HouseholderQR<Matrix>(basis).householderQ();
    const Vector eigenvalues = Vector::LinSpaced(size, 0.2, 0.95);
    A = Q * eigenvalues.asDiagonal() * Q.transpose();
    for (int i = 0; i < size; ++i) b[i] = rnd(40 + i);
    fixed_point = (Matrix::Identity(size, size) - A).partialPivLu().solve(b);
  }
  Vector operator()(const Vector& d) const { return A * d + b; }
};

double error_after(Anderson anderson, const LinearMap& map, int iterations) {
  Vector d = Vector::Zero(size);
  for (int i = 0; i < iterations; ++i) d = anderson.next(d, map(d), plain);
  return (d - map.fixed_point).norm() / map.fixed_point.norm();
}

TEST(AndersonAcceleration, SolvesALinearProblemInAsManyIterationsAsItHasDimensions) {
  const LinearMap map;
  ASSERT_GT(map.fixed_point.norm(), 0.1);
  EXPECT_GT(error_after(Anderson(size), map, size), 1e-6);
  EXPECT_LT(error_after(Anderson(size), map, size + 2), 1e-9);
}

TEST(AndersonAcceleration, RemembersNoMoreThanItsWindow) {
  const LinearMap map;
  EXPECT_GT(error_after(Anderson(1), map, size + 2), 1e-4);
  EXPECT_GT(error_after(Anderson(2), map, size + 2), 1e-6);
}

TEST(AndersonAcceleration, TakesAPlainStepAfterOneThatMadeItWorse) {
  Anderson anderson(5);
  const LinearMap map;
  Vector d = Vector::Zero(size);
  for (int i = 0; i < 3; ++i) d = anderson.next(d, map(d), plain);
  const Vector far_away = map.fixed_point + Vector::Constant(size, 100);
  EXPECT_EQ(anderson.next(far_away, map(far_away), plain), map(far_away));
  const Vector then = map(far_away);
  EXPECT_GT((anderson.next(then, map(then), plain) - map(then)).norm(), 1e-3) << "and then accelerates again";
}

TEST(AndersonAcceleration, ForgetsEverythingWhenAStepBegins) {
  Anderson anderson(5);
  const LinearMap map;
  Vector d = Vector::Zero(size);
  for (int i = 0; i < 3; ++i) d = anderson.next(d, map(d), plain);
  EXPECT_GT((anderson.next(d, map(d), plain) - map(d)).norm(), 1e-6);
  anderson.reset();
  EXPECT_EQ(anderson.next(d, map(d), plain), map(d));
}

TEST(AndersonAcceleration, StaysAtAFixedPoint) {
  Anderson anderson(5);
  const LinearMap map;
  Vector d = map.fixed_point;
  for (int i = 0; i < 4; ++i) d = anderson.next(d, d, plain);
  EXPECT_EQ(d, map.fixed_point);
}

}  // namespace
}  // namespace dashpot::testing::test_anderson
