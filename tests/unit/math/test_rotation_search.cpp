// Newton on the rotations against the polar decomposition by singular values.
#include <gtest/gtest.h>

#include <random>

#include <Eigen/Geometry>

#include "dashpot/math/pack_float.hpp"
#include "dashpot/math/rotation_search.hpp"

namespace dashpot::math::test_rotation_search {
namespace {

constexpr int decided_by_singular_values = rotation_search::max_steps + 1;

struct Samples {
  std::mt19937 engine{12};
  std::normal_distribution<double> normal;
  double uniform(double low, double high) { return low + (high - low) * (engine() / 4294967296.0); }
  Vec3 vector() { return {normal(engine), normal(engine), normal(engine)}; }
  /// Turned about a random axis by `angle`.
  Mat3 rotation(double angle) { return Eigen::AngleAxisd(angle, vector().normalized()).toRotationMatrix(); }
  Mat3 any_rotation() {
    return Eigen::Quaterniond(normal(engine), normal(engine), normal(engine), normal(engine))
        .normalized()
        .toRotationMatrix();
  }
  Mat3 matrix(double s0, double s1, double s2) {
    return any_rotation() * Vec3(s0, s1, s2).asDiagonal() * any_rotation().transpose();
  }
};

Quaternion<double> start_at(const Mat3& R) { return to_quaternion(from_eigen(R)); }

/// max / min of the sums of two stretches: how well F determines R.
double condition(const Matrix3<double>& F) {
  const Svd3<double> f = svd3(F);
  return (f.s[0] + f.s[1]) / (f.s[1] + f.s[2]);
}

TEST(RotationSearch, QuaternionsAndMatricesOfRotationsAreTheSame) {
  Samples samples;
  for (int k = 0; k < 1000; ++k) {
    const Mat3 R = samples.any_rotation();
    const Quaternion<double> q = start_at(R);
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
    const Quaternion<double> longer{3 * q.w, 3 * q.x, 3 * q.y, 3 * q.z};
    EXPECT_LT((to_eigen(rotation_matrix(longer)) - R).norm(), 1e-14);
  }
}

TEST(RotationSearch, FindsThePolarRotationOfEveryMatrixFromEveryStart) {
  Samples samples;
  int num_inverted = 0, num_by_newton = 0;
  for (int k = 0; k < 100000; ++k) {
    Mat3 A;
    for (int c = 0; c < 3; ++c) A.col(c) = samples.vector();
    const Matrix3<double> F = from_eigen(A);
    num_inverted += determinant(F) < 0;
    Quaternion<double> q = start_at(samples.any_rotation());
    int num_steps = 0;
    const Mat3 R = to_eigen(nearest_rotation(F, q, num_steps)), expected = to_eigen(polar3(F).R);
    num_by_newton += num_steps < decided_by_singular_values;
    ASSERT_LT((R - expected).norm(), 1e-14 * condition(F) + 1e-11 * std::sqrt(condition(F))) << A;
    ASSERT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-14);
    ASSERT_LT((to_eigen(rotation_matrix(q)) - R).norm(), 2e-15);
  }
  EXPECT_GT(num_inverted, 40000);
  EXPECT_GT(num_by_newton, 1000);
}

TEST(RotationSearch, NearStartsNeedFewSteps) {
  Samples samples;
  struct {
    double angle, most_steps;
  } const cases[] = {{1e-4, 1}, {1e-2, 2}, {0.2, 3}, {0.5, 4}};
  for (const auto& [angle, most_steps] : cases) {
    double sum = 0;
    for (int k = 0; k < 2000; ++k) {
      const double low = 0.6, high = 1.6;
      const Matrix3<double> F = from_eigen(
          samples.matrix(samples.uniform(low, high), samples.uniform(low, high), samples.uniform(low, high)));
      const Mat3 expected = to_eigen(polar3(F).R);
      Quaternion<double> q = start_at(samples.rotation(angle) * expected);
      int num_steps = 0;
      const Mat3 R = to_eigen(nearest_rotation(F, q, num_steps));
      ASSERT_LT((R - expected).norm(), 1e-11);
      ASSERT_LE(num_steps, most_steps) << angle;
      // Asked again, only round-off is left.
      const Mat3 again = to_eigen(nearest_rotation(F, q, num_steps));
      ASSERT_LT((again - expected).norm(), 2e-14);
      sum += num_steps;
    }
    EXPECT_GT(sum, 0);
  }
}

TEST(RotationSearch, FlatThinAndTurnedInsideOut) {
  Samples samples;
  for (const double small : {1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-3, -0.5, -0.799})
    for (int k = 0; k < 300; ++k) {
      const Matrix3<double> F = from_eigen(samples.matrix(1.2, 0.8, small));
      Quaternion<double> q = start_at(samples.rotation(0.05) * to_eigen(polar3(F).R));
      int num_steps = 0;
      const Mat3 R = to_eigen(nearest_rotation(F, q, num_steps));
      EXPECT_LT((R - to_eigen(polar3(F).R)).norm(), 1e-14 * condition(F) + 1e-11 * std::sqrt(condition(F))) << small;
    }
}

TEST(RotationSearch, WhereManyRotationsAreNearestOneOfThemIsFound) {
  Samples samples;
  const double stretches[][3] = {{1, 0, 0}, {2, 1e-13, 0}, {1, 0.5, -0.5}, {1, 1, -1}, {1e-3, 0, 0}};
  for (const auto& s : stretches)
    for (int k = 0; k < 300; ++k) {
      const Matrix3<double> F = from_eigen(samples.matrix(s[0], s[1], s[2]));
      Quaternion<double> q = start_at(samples.any_rotation());
      int num_steps = 0;
      const Mat3 R = to_eigen(nearest_rotation(F, q, num_steps));
      EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-14);
      EXPECT_GT(R.determinant(), 0);
      EXPECT_NEAR((R.transpose() * to_eigen(F)).trace(), s[0] + s[1] + s[2], 1e-13 * s[0]);
    }
}

TEST(RotationSearch, ZeroKeepsTheStart) {
  Samples samples;
  const Mat3 start = samples.any_rotation();
  Quaternion<double> q = start_at(start);
  int num_steps = 0;
  EXPECT_LT((to_eigen(nearest_rotation(Matrix3<double>{}, q, num_steps)) - start).norm(), 1e-14);
}

TEST(RotationSearch, LanesDoNotDisturbEachOther) {
  Samples samples;
  for (int k = 0; k < 2000; ++k) {
    Matrix3<Pack4> F4;
    Matrix3<Pack8> F8;
    Quaternion<Pack4> q4;
    Quaternion<Pack8> q8;
    Matrix3<double> F[8];
    for (int l = 0; l < 8; ++l) {
      // One lane far from its start, one without a unique answer, the others near.
      F[l] = from_eigen(l == 2 ? samples.matrix(1, 0, 0) : samples.matrix(1.3, 1.1, l == 1 ? -0.4 : 0.7));
      const Mat3 guess = l == 3 ? samples.any_rotation() : samples.rotation(0.1) * to_eigen(polar3(F[l]).R);
      const Quaternion<double> q = start_at(guess);
      for (int e = 0; e < 9; ++e) F8.m[e].set(l, F[l].m[e]);
      q8.w.set(l, q.w), q8.x.set(l, q.x), q8.y.set(l, q.y), q8.z.set(l, q.z);
      if (l >= 4) continue;
      for (int e = 0; e < 9; ++e) F4.m[e].set(l, F[l].m[e]);
      q4.w.set(l, q.w), q4.x.set(l, q.x), q4.y.set(l, q.y), q4.z.set(l, q.z);
    }
    int num_steps = 0;
    const Matrix3<Pack4> R4 = nearest_rotation(F4, q4, num_steps);
    const Matrix3<Pack8> R8 = nearest_rotation(F8, q8, num_steps);
    for (int l = 0; l < 8; ++l) {
      if (l == 2) continue;
      const Matrix3<double> expected = polar3(F[l]).R;
      for (int e = 0; e < 9; ++e) {
        if (l < 4) ASSERT_NEAR(R4.m[e][l], expected.m[e], 1e-11);
        ASSERT_NEAR(R8.m[e][l], expected.m[e], 5e-6);
      }
    }
  }
}

}  // namespace
}  // namespace dashpot::math::test_rotation_search
