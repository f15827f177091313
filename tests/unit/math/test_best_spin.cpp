#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/math/best_spin.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::testing::test_best_spin {
namespace {

Mat3 some_gradient() {
  Mat3 F;
  F << 1.2, .1, -.3, .2, .9, .4, -.1, .3, 1.1;
  return F;
}

Mat3 some_rate() {
  Mat3 F;
  F << .5, -.7, .2, 1.1, .3, -.4, .6, -.9, .8;
  return F;
}

TEST(BestSpin, ARigidSpinIsFoundAndWhatIsLeftOfAnyRateHasNoMoment) {
  const Vec3 omega(.3, -.2, .9);
  const Mat3 F = some_gradient();
  EXPECT_LT((math::element_spin(F, math::cross_matrix(omega) * F).omega - omega).norm(), 1e-14);
  const math::ElementSpin spin = math::element_spin(F, some_rate());
  ASSERT_GT(spin.omega.norm(), 0.1);
  const Mat3 stress = (some_rate() - math::cross_matrix(spin.omega) * F) * F.transpose();
  EXPECT_LT((stress - stress.transpose()).norm(), 1e-14);
}

TEST(BestSpin, PointsOnALineDoNotTurnAboutIt) {
  Mat3 F = Mat3::Zero(), Fdot = Mat3::Zero();
  F.col(0) = Vec3(2, 0, 0);
  Fdot.col(0) = Vec3(5, 0, 4);
  EXPECT_LT((math::element_spin(F, Fdot).omega - Vec3(0, -2, 0)).norm(), 1e-14);
  EXPECT_EQ(math::element_spin(Mat3::Zero(), Fdot).omega.norm(), 0);
}

TEST(BestSpin, ForcesHaveTheDerivativesOfTheirBlocks) {
  const Vec3 gradients[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto gradient_of = [&](const Vector& x) {
    Mat3 F = Mat3::Zero();
    for (int a = 0; a < 4; ++a) F += x.segment<3>(3 * a) * gradients[a].transpose();
    return F;
  };
  const auto force = [&](const Vector& q, const Vector& v) {
    const Mat3 F = gradient_of(q);
    const math::ElementSpin spin = math::element_spin(F, gradient_of(v));
    Vector f(12);
    for (int a = 0; a < 4; ++a) f.segment<3>(3 * a) = spin.omega.cross(F * gradients[a]);
    return f;
  };
  Vector q(12), v(12), d(12);
  q << 0, 0, 0, 1.2, .1, 0, .1, .9, .2, -.1, .05, 1.3;
  v << .5, -.2, .1, .3, .4, -.6, -.7, .2, .9, .1, -.5, .3;
  for (int k = 0; k < 12; ++k) d[k] = std::sin(k + 1.0);
  const Mat3 F = gradient_of(q);
  const math::ElementSpin spin = math::element_spin(F, gradient_of(v));
  const Mat3 strain_rate = gradient_of(v) - math::cross_matrix(spin.omega) * F;
  Vector in_v = Vector::Zero(12), in_q = in_v;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const Vec3 Ya = F * gradients[a], Yb = F * gradients[b], Tb = strain_rate * gradients[b];
      in_v.segment<3>(3 * a) += math::spin_force_dv(spin, Ya, Yb) * d.segment<3>(3 * b);
      in_q.segment<3>(3 * a) +=
          math::spin_force_dq(spin, Ya, Yb, Tb, gradients[a].dot(gradients[b])) * d.segment<3>(3 * b);
    }
  EXPECT_TRUE(derivative_slope([&](const Vector& x) { return force(q, x); }, v, d, in_v).ok());
  EXPECT_TRUE(derivative_slope([&](const Vector& x) { return force(x, v); }, q, d, in_q).ok());
}

TEST(BestSpin, LinesHaveTheDerivativesOfTheirBlocks) {
  const auto force = [](const Vector& g, const Vector& gdot) -> Vector { return math::line_spin_dv(Vec3(g)) * gdot; };
  Vector g(3), gdot(3), d(3);
  g << 1, -.4, .7;
  gdot << .3, .8, -.5;
  d << -.2, .9, .6;
  ASSERT_GT(force(g, gdot).norm(), 0.1);
  EXPECT_LT(std::abs(g.dot(force(g, gdot))), 1e-15);
  EXPECT_TRUE(
      derivative_slope([&](const Vector& x) { return force(x, gdot); }, g, d, math::line_spin_dq(g, gdot) * d).ok());
}

}  // namespace
}  // namespace dashpot::testing::test_best_spin
