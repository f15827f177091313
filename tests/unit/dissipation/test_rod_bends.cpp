// Bends of strands against the angle of a rod [reference ABCE, section 2.5]. Edges a and b that keep their lengths have
// |y| = 2 sin(theta/2), y = b/|b| - a/|a|: what the strand's metric measures is the angle, stretch aside.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/energy/bending.hpp"

namespace dashpot::testing::test_rod_bends {
namespace {

/// The reference's state.
const Vec3 a(1, .2, -.1), b(.7, .6, .3), adot(.3, -.5, .2), bdot(-.4, .1, .9);
constexpr double theta = .651482698453, theta_dot = 1.124562676811;

/// A strand of two edges with the rest lengths of a and b, and a viscosity of 1 J s of its bend.
struct Rod {
  std::vector<Vec3> X{{0, 0, 0}, {a.norm(), 0, 0}, {a.norm() + b.norm(), 0, 0}};
  double weight = 2 / (a.norm() + b.norm());  ///< of the bend: 2 EI / (l1 + l2), EI = 1
  Bending bends{"rod", 3, strand_bends({0, 1, 1, 2}, X, 1.0), X, 0};
  std::unique_ptr<StrainRateDamping> damping;

  explicit Rod(double blend = 0) {
    StrainRateOptions options;
    options.blend = blend;
    damping = make_strain_rate_like("rod", bends, PartwiseValue(1 / weight), options);
  }
  /// Force on the three nodes and power, of edges a, b that move at adot, bdot.
  double evaluate(const Vec3& e, const Vec3& f, const Vec3& edot, const Vec3& fdot, Vector& force) const {
    Vector q(9), v(9), xi;
    q << Vec3::Zero(), e, e + f;
    v << Vec3(.3, .1, -2), Vec3(.3, .1, -2) + edot, Vec3(.3, .1, -2) + edot + fdot;
    force = Vector::Zero(9);
    DissipationRequest request{q, v, xi, 0.01, nullptr};
    request.force = &force;
    return damping->evaluate(request);
  }
};

Vec3 across(const Vec3& rate, const Vec3& edge) { return rate - edge * edge.dot(rate) / edge.squaredNorm(); }

TEST(RodBends, TheMeasureIsTheAngleAndItsRateThatOfTheReference) {
  EXPECT_NEAR(2 * std::asin((b.normalized() - a.normalized()).norm() / 2), theta, 1e-12);
  // Without the stretch of the edges, which does not change the angle, sdot = cos(theta/2) thetadot.
  Vector force;
  const double power = Rod().evaluate(a, b, across(adot, a), across(bdot, b), force);
  EXPECT_NEAR(std::sqrt(power) / std::cos(theta / 2), theta_dot, 1e-11);
}

TEST(RodBends, ForcesArePointedAlongTheGradientOfTheAngle) {
  // f = T ds/dx with T = sdot; across the edges ds/da = cos(theta/2) dtheta/da.
  const Vec3 by_a(.086952066186, -.746206822546, -.622892983227), by_b(-.683423057928, .505062001466, .5845297989);
  Vector force;
  Rod().evaluate(a, b, across(adot, a), across(bdot, b), force);
  const double T = std::cos(theta / 2) * theta_dot, slope = std::cos(theta / 2);
  EXPECT_LT((across(force.segment<3>(6), b) - T * slope * by_b).norm(), 1e-11);
  EXPECT_LT((across(-force.segment<3>(0), a) - T * slope * by_a).norm(), 1e-11);
  EXPECT_LT((force.segment<3>(0) + force.segment<3>(3) + force.segment<3>(6)).norm(), 1e-14);
}

TEST(RodBends, OnlyBlendedOnesResistARotationAndByTheSquareOfTheAngle) {
  const double angle = 0.02, w = 3;
  const Vec3 e(a.norm(), 0, 0), f = b.norm() * Vec3(std::cos(angle), std::sin(angle), 0), spin(0, w, 0);
  const Vec3 y = f.normalized() - e.normalized();  // nearly along the second axis: it does not turn about that
  const Vec3 over(w, 0, 0);                        // across y
  Vector force;
  EXPECT_NEAR(Rod().evaluate(e, f, over.cross(e), over.cross(f), force), 0, 1e-20);
  const double lost = Rod(0.1).evaluate(e, f, over.cross(e), over.cross(f), force);
  EXPECT_NEAR(lost, over.cross(y).squaredNorm(), 1e-12 * lost);
  EXPECT_NEAR(lost / (angle * angle * w * w), 1, 1e-3);
  EXPECT_LT(Rod(0.1).evaluate(e, f, spin.cross(e), spin.cross(f), force), 1e-3 * lost);
}

}  // namespace
}  // namespace dashpot::testing::test_rod_bends
