// The least of a quadratic over half-spaces, by the conditions that only it meets.
#include <gtest/gtest.h>

#include "dashpot/learn/half_spaces.hpp"
#include "dashpot/math/nonnegative_least_squares.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::learn::test_half_spaces {
namespace {

using testing::rnd;

struct Quadratic {
  Matrix H;
  Vector g;
};
/// Of five unknowns, with curvatures over four decades.
Quadratic quadratic(int seed) {
  Matrix A(5, 5);
  Vector g(5);
  for (int i = 0; i < 5; ++i) {
    g[i] = rnd(seed + i);
    for (int k = 0; k < 5; ++k) A(i, k) = rnd(seed + 10 + 5 * i + k);
  }
  const Matrix scale = Vector{{1e-2, 0.1, 1, 10, 1e2}}.asDiagonal();
  return {scale * (A * A.transpose() + 0.1 * Matrix::Identity(5, 5)) * scale, scale * g};
}

TEST(HalfSpaces, TheLeastOverThemIsBalancedByThoseThatItTouches) {
  int num_touched = 0, num_free = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto [H, g] = quadratic(1000 * trial);
    std::vector<HalfSpace> half_spaces;
    for (int k = 0; k < 8; ++k) {
      HalfSpace& one = half_spaces.emplace_back();
      one.normal = Vector(5);
      for (int i = 0; i < 5; ++i) one.normal[i] = rnd(1000 * trial + 100 + 10 * k + i);
      // (1, ..., 1) is in all of them; every other time they are far away.
      one.bound = one.normal.sum() - (trial % 2 == 0 ? 1 : 1e6) * std::abs(rnd(1000 * trial + 300 + k));
    }
    const auto s = least_in(H, g, half_spaces);
    ASSERT_TRUE(s);
    std::vector<Vector> touched;
    for (const HalfSpace& one : half_spaces) {
      const double beyond = one.normal.dot(*s) - one.bound, size = std::abs(one.bound) + one.normal.norm() * s->norm();
      ASSERT_GE(beyond, -1e-7 * size);
      if (beyond < 1e-7 * size) touched.push_back(one.normal);
    }
    const Vector slope = H * *s + g;
    const double scale = (H * *s).norm() + g.norm();
    (touched.empty() ? num_free : num_touched) += 1;
    if (touched.empty()) {
      ASSERT_LT(slope.norm(), 1e-9 * scale);
      continue;
    }
    Matrix A(5, static_cast<Eigen::Index>(touched.size()));
    for (std::size_t k = 0; k < touched.size(); ++k) A.col(static_cast<Eigen::Index>(k)) = touched[k];
    const Vector pushes = math::nonnegative_least_squares(A, slope);
    ASSERT_LT((A * pushes - slope).norm(), 1e-7 * scale) << "going along them would be better";
  }
  EXPECT_GT(num_touched, 20);
  EXPECT_GT(num_free, 0);
}

TEST(HalfSpaces, WithoutAnyItIsNewtonsStep) {
  const auto [H, g] = quadratic(7);
  EXPECT_LT((H * least_in(H, g, {}).value() + g).norm(), 1e-10 * g.norm());
}

TEST(HalfSpaces, WithoutACommonPointThereIsNone) {
  const auto [H, g] = quadratic(7);
  const Vector normal = Vector::Unit(5, 2);
  EXPECT_FALSE(least_in(H, g, {{normal, 1}, {-normal, -0.5}}));
  EXPECT_FALSE(least_in(H, g, {{Vector::Zero(5), 1}}));
  EXPECT_TRUE(least_in(H, g, {{normal, 1}, {-normal, -1.5}, {Vector::Zero(5), -1}}));
  EXPECT_FALSE(least_in(-H, g, {{normal, 1}}));
}

}  // namespace
}  // namespace dashpot::learn::test_half_spaces
