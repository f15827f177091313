#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/contact/feature_gap.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::contact::test_feature_gap {
namespace {

struct Case {
  int num_points;
  double side;
};

class FeatureGaps : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Kinds, FeatureGaps,
                         ::testing::Values(Case{1, 1}, Case{2, 1}, Case{3, 1}, Case{1, -1}, Case{2, -1}, Case{3, -1}),
                         [](const auto& test) {
                           return std::string(test.param.num_points == 1   ? "Corner"
                                              : test.param.num_points == 2 ? "Edge"
                                                                           : "Triangle") +
                                  (test.param.side > 0 ? "Outside" : "Inside");
                         });

// p, then the corners.
const double coordinates[12] = {0.31, 0.24, 0.17, 0.02, -0.03, 0.01, 1.1, 0.05, -0.08, 0.13, 0.9, 0.07};

FeatureGap gap_at(const Vector& z, const Case& kind) {
  Vec3 x[3];
  for (int k = 0; k < kind.num_points; ++k) x[k] = z.segment<3>(3 + 3 * k);
  return feature_gap(z.head<3>(), x, kind.num_points, kind.side, Vec3::UnitZ());
}
Vector gradient_at(const Vector& z, const Case& kind) {
  const FeatureGap gap = gap_at(z, kind);
  Vector g(z.size());
  for (int k = 0; k <= kind.num_points; ++k) g.segment<3>(3 * k) = gap.weights[k] * gap.normal;
  return g;
}

TEST_P(FeatureGaps, HaveExactFirstAndSecondDerivatives) {
  const Case kind = GetParam();
  const int n = 3 + 3 * kind.num_points;
  const Vector z = Eigen::Map<const Vector>(coordinates, n);
  const FeatureGap gap = gap_at(z, kind);
  EXPECT_GT(gap.gap * kind.side, 0.05);
  Vector direction(n);
  for (int i = 0; i < n; ++i) direction[i] = std::sin(1.0 + 3.7 * i);
  Matrix H(n, n);
  for (int k = 0; k <= kind.num_points; ++k)
    for (int l = 0; l <= kind.num_points; ++l) H.block<3, 3>(3 * k, 3 * l) = gap_hessian_block(gap, k, l);
  EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
  const auto value = [&](const Vector& at) { return Vector::Constant(1, gap_at(at, kind).gap); };
  const auto first =
      testing::derivative_slope(value, z, direction, Vector::Constant(1, gradient_at(z, kind).dot(direction)), 1e-2);
  EXPECT_TRUE(first.ok()) << first.slope << " " << first.relative_remainder;
  const auto second = testing::derivative_slope([&](const Vector& at) { return gradient_at(at, kind); }, z, direction,
                                                H * direction, 1e-2);
  EXPECT_TRUE(second.ok()) << second.slope << " " << second.relative_remainder;
}

TEST_P(FeatureGaps, PushAlongOneLineSoThatMomentaAreKept) {
  const Case kind = GetParam();
  const Vector z = Eigen::Map<const Vector>(coordinates, 3 + 3 * kind.num_points);
  const Vector g = gradient_at(z, kind);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (int k = 0; k <= kind.num_points; ++k) {
    force += g.segment<3>(3 * k);
    torque += Vec3(z.segment<3>(3 * k)).cross(Vec3(g.segment<3>(3 * k)));
  }
  EXPECT_NEAR(g.head<3>().norm(), 1, 1e-15);
  EXPECT_LT(force.norm(), 1e-15);
  EXPECT_LT(torque.norm(), 1e-15);
}

TEST(FeatureGap, OfATriangleIsSmoothThroughZero) {
  const Vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const double z : {1e-9, 0.0, -1e-9}) {
    const FeatureGap gap = feature_gap({0.2, 0.3, z}, x, 3, z < 0 ? -1 : 1, Vec3::UnitZ());
    EXPECT_DOUBLE_EQ(gap.gap, z);
    EXPECT_EQ(gap.normal, Vec3::UnitZ());
  }
}

}  // namespace
}  // namespace dashpot::contact::test_feature_gap
