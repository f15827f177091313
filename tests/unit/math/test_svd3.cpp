// The singular value decomposition is what every stretch material stands on: it must be exact for matrices that are
// random, nearly symmetric in their stretches, singular, inverted, huge and tiny.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "dashpot/math/pack.hpp"
#include "dashpot/math/polar3.hpp"
#include "dashpot/math/positive_part3.hpp"

namespace dashpot::test_svd3 {
namespace {

using math::Matrix3;
using math::Pack4;

Mat3 random_rotation(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q(normal(generator), normal(generator), normal(generator), normal(generator));
  return q.normalized().toRotationMatrix();
}

/// Random matrices, and matrices made of every combination of awkward stretches.
std::vector<Mat3> nasty_matrices() {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::vector<Mat3> result = {Mat3::Zero(), Mat3::Identity(), -Mat3::Identity(), Mat3::Ones(),
                              Vec3(1, 2, 3).asDiagonal()};
  for (int i = 0; i < 3000; ++i) result.push_back(Mat3::NullaryExpr([&](int, int) { return normal(generator); }));
  const double stretches[] = {0,     1,    1 + 1e-3, 1 + 1e-6, 1 + 1e-9, 1 + 1e-15, -1, 1e-3,
                              -1e-3, 1e-8, 1e-12,    -1e-12,   1e-17,    1e-30,     5,  -0.3};
  for (const double a : stretches)
    for (const double b : stretches)
      for (const double c : stretches) {
        const Mat3 U = random_rotation(generator), V = random_rotation(generator);
        result.push_back(U * Vec3(a, b, c).asDiagonal() * V.transpose());
      }
  const std::size_t count = result.size();
  for (std::size_t i = 0; i < count; i += 7) {
    result.push_back(1e150 * result[i]);
    result.push_back(1e-150 * result[i]);
  }
  for (int k = 0; k < 9; ++k) {
    Mat3 single = Mat3::Zero();
    single(k) = -2;
    result.push_back(single);
  }
  return result;
}

void expect_rotation_variant(const Mat3& F, const Mat3& U, const Vec3& s, const Mat3& V) {
  const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
  EXPECT_LT((U * (s / size).asDiagonal() * V.transpose() - F / size).cwiseAbs().maxCoeff(), 4e-15) << F;
  EXPECT_LT((U.transpose() * U - Mat3::Identity()).cwiseAbs().maxCoeff(), 4e-15) << F;
  EXPECT_LT((V.transpose() * V - Mat3::Identity()).cwiseAbs().maxCoeff(), 4e-15) << F;
  EXPECT_GT(U.determinant(), 0.5);
  EXPECT_GT(V.determinant(), 0.5);
  EXPECT_GE(s[0], s[1] * (1 - 1e-14));
  EXPECT_GE(s[1], std::abs(s[2]) * (1 - 1e-14) - 1e-15 * size);
}

TEST(Svd3, ReconstructsEveryNastyMatrixFromTwoRotations) {
  for (const Mat3& F : nasty_matrices()) {
    const auto f = math::svd3(math::from_eigen(F));
    expect_rotation_variant(F, to_eigen(f.U), Vec3::Map(f.s), to_eigen(f.V));
    if (HasFailure()) break;
  }
}

TEST(Svd3, FourAtOnceAgreeWithOneAtATime) {
  const std::vector<Mat3> matrices = nasty_matrices();
  for (std::size_t i = 0; i + 4 <= matrices.size(); i += 4) {
    Matrix3<Pack4> F;
    for (int k = 0; k < 9; ++k)
      F.m[k] = Pack4(matrices[i](k), matrices[i + 1](k), matrices[i + 2](k), matrices[i + 3](k));
    const auto f = math::svd3(F);
    for (int lane = 0; lane < 4; ++lane) {
      Mat3 U, V;
      for (int k = 0; k < 9; ++k) U(k) = f.U.m[k][lane], V(k) = f.V.m[k][lane];
      expect_rotation_variant(matrices[i + static_cast<std::size_t>(lane)], U,
                              Vec3(f.s[0][lane], f.s[1][lane], f.s[2][lane]), V);
    }
    if (HasFailure()) break;
  }
}

TEST(Svd3, StretchesAgreeWithAnIndependentDecomposition) {
  for (const Mat3& F : nasty_matrices()) {
    const Eigen::JacobiSVD<Mat3> reference(F);
    const auto f = math::svd3(math::from_eigen(F));
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(std::abs(f.s[i]), reference.singularValues()[i],
                  4e-15 * std::max(1e-300, reference.singularValues()[0]));
  }
}

TEST(Svd3, AnInvertedElementHasOneNegativeStretchTheSmallest) {
  const Mat3 F = Vec3(2, -0.5, 1).asDiagonal();
  const auto f = math::svd3(math::from_eigen(F));
  EXPECT_NEAR(f.s[0], 2, 1e-15);
  EXPECT_NEAR(f.s[1], 1, 1e-15);
  EXPECT_NEAR(f.s[2], -0.5, 1e-15);
}

TEST(Svd3, NotANumberGoesInAndComesOutWithoutAnEndlessLoop) {
  Mat3 F = Mat3::Identity();
  F(1, 2) = std::nan("");
  EXPECT_TRUE(std::isnan(math::svd3(math::from_eigen(F)).s[0]));
}

TEST(Polar3, RotationTimesSymmetricGivesBackF) {
  for (const Mat3& F : nasty_matrices()) {
    const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
    const auto f = math::polar3(math::from_eigen(F));
    const Mat3 R = to_eigen(f.R), S = to_eigen(f.S);
    EXPECT_LT((R * (S / size) - F / size).cwiseAbs().maxCoeff(), 8e-15);
    EXPECT_NEAR(R.determinant(), 1, 1e-13);
  }
}

TEST(Symmetric3, ClampingLeavesTheNearestPositiveSemidefiniteMatrix) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  int indefinite = 0;
  for (int i = 0; i < 1000; ++i) {
    Mat3 A = Mat3::NullaryExpr([&](int, int) { return normal(generator); });
    A = (A + A.transpose()).eval();
    const Eigen::SelfAdjointEigenSolver<Mat3> reference(A);
    indefinite += reference.eigenvalues().minCoeff() < 0;
    const Mat3 expected = reference.eigenvectors() * reference.eigenvalues().cwiseMax(0).asDiagonal() *
                          reference.eigenvectors().transpose();
    const Mat3 clamped = to_eigen(math::clamp_positive_semidefinite(
        math::Symmetric3<double>{{A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(0, 2), A(1, 2)}}));
    EXPECT_LT((clamped - expected).norm(), 1e-13 * A.norm());
  }
  EXPECT_GT(indefinite, 500);
}

/// All combinations of awkward eigenvalues, turned at random, and random matrices.
std::vector<Mat3> nasty_symmetric_matrices() {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<Mat3> result{Mat3::Zero()};
  const double values[] = {0, 1, -1, 2, -2, 1e-3, -1e-3, 1e-6, -1e-6, 1e-12, -1e-12, 1 + 1e-9, -1 - 1e-9, 1e9, -1e9};
  for (const double x : values)
    for (const double y : values)
      for (const double z : values) {
        const Mat3 R = random_rotation(generator);
        result.push_back(R * Vec3(x, y, z).asDiagonal() * R.transpose());
      }
  for (int i = 0; i < 3000; ++i) result.push_back(Mat3::NullaryExpr([&](int, int) { return normal(generator); }));
  for (Mat3& A : result) A = (0.5 * (A + A.transpose())).eval();
  return result;
}

TEST(PositivePart3, IsTheNearestPositiveSemidefiniteMatrixInEveryLane) {
  const std::vector<Mat3> all = nasty_symmetric_matrices();
  int mixed = 0;
  for (std::size_t i = 0; i + 4 <= all.size(); i += 4) {
    math::Symmetric3<Pack4> packed;
    for (int l = 0; l < 4; ++l)
      for (int r = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c) packed(r, c).set(l, all[i + static_cast<std::size_t>(l)](r, c));
    const math::Symmetric3<Pack4> found = math::positive_part3(packed);
    for (int l = 0; l < 4; ++l) {
      const Mat3& A = all[i + static_cast<std::size_t>(l)];
      const Eigen::SelfAdjointEigenSolver<Mat3> reference(A);
      const Vec3 w = reference.eigenvalues();
      mixed += w[0] < 0 && w[2] > 0;
      const Mat3 expected =
          reference.eigenvectors() * w.cwiseMax(0).asDiagonal() * reference.eigenvectors().transpose();
      Mat3 B;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) B(r, c) = found(r, c)[l];
      EXPECT_LE((B - expected).norm(), 1e-8 * A.norm()) << A;
      if (w.cwiseAbs().minCoeff() > 0.05 * A.norm()) {
        EXPECT_LE((B - expected).norm(), 1e-13 * A.norm()) << A;
      }
    }
  }
  EXPECT_GT(mixed, 2000);
}

}  // namespace
}  // namespace dashpot::test_svd3
