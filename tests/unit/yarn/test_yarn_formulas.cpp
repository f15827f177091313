// Formulas of yarns against table B2 of the reference (section 2.6), to its printed digits.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "dashpot/yarn/formula/bend.hpp"
#include "dashpot/yarn/formula/friction.hpp"
#include "dashpot/yarn/formula/segment.hpp"
#include "dashpot/yarn/formula/shear.hpp"

namespace dashpot::test_yarn_formulas {
namespace {

using V = math::Vector3<double>;

constexpr double rho = 0.002;
constexpr formula::Segment<double> segment = {{0.011, 0.002, -0.001}, 0.01};
constexpr formula::SegmentMotion<double> motion = {{0.1, -0.2, 0.3}, {0.4, 0.05, -0.3}, 0.02, -0.05};

void expect_near(const V& found, double x, double y, double z) {
  const double scale = std::abs(x) + std::abs(y) + std::abs(z);
  EXPECT_NEAR(found.x, x, 1e-9 * scale);
  EXPECT_NEAR(found.y, y, 1e-9 * scale);
  EXPECT_NEAR(found.z, z, 1e-9 * scale);
}
void expect_close(double found, double expected) { EXPECT_NEAR(found, expected, 1e-9 * std::abs(expected)); }

TEST(YarnSegment, HasTheKineticEnergyOfTheReference) {
  expect_close(formula::segment_kinetic_energy(rho, segment, motion), 1.245646666666667e-6);
  // v . M v / 2 is the same
  const formula::SegmentMotion<double> p = formula::segment_mass_times(rho, segment, motion);
  EXPECT_NEAR(0.5 * (dot(motion.x0, p.x0) + dot(motion.x1, p.x1) + motion.u0 * p.u0 + motion.u1 * p.u1),
              1.245646666666667e-6, 1e-18);
}

TEST(YarnSegment, HasTheConvectiveForceOfTheReference) {
  const formula::SegmentMotion<double> c = formula::segment_convective_force(rho, segment, motion);
  // Mdot v - dT/dq
  expect_near(c.x0, -1.3e-5 + 1.239333333333e-5, 9e-6 + 9.2e-7, -9e-6 - 7.126666666667e-6);
  expect_near(c.x1, -1.3e-5 - 1.239333333333e-5, 9e-6 - 9.2e-7, -9e-6 + 7.126666666667e-6);
  EXPECT_NEAR(c.u0, 2.593933333e-5 + 1.100353333e-4, 1e-12);
  EXPECT_NEAR(c.u1, -1.674853333e-4 - 1.100353333e-4, 1e-12);
}

TEST(YarnSegment, HasTheStretchForceAndDissipationOfTheReference) {
  const formula::SegmentStretch<double> at = formula::segment_stretch(segment);
  EXPECT_NEAR(at.strain, 0.122497216032, 1e-12);
  formula::SegmentGradient<double> gradient;
  formula::stretch_energy(5.0, segment, at, gradient);
  EXPECT_NEAR(gradient.e.x, 0.600210564939, 1e-11);
  EXPECT_NEAR(gradient.e.y, 0.109129193625, 1e-11);
  EXPECT_NEAR(gradient.e.z, -0.054564596813, 1e-11);
  EXPECT_NEAR(gradient.D, -0.65, 1e-12);
  const V edot = motion.x1 - motion.x0;
  const double rate = dot(at.gradient.e, edot) + at.gradient.D * (motion.u1 - motion.u0);
  EXPECT_NEAR(rate, 47.055795992714, 1e-10);
  const double force = 0.03 * 5 * segment.D * rate;
  EXPECT_NEAR(force * at.gradient.e.x, -6.916904761905 * -1, 1e-10);
  EXPECT_NEAR(force * at.gradient.D, -7.923, 1e-10);
}

TEST(YarnSegment, SlidingUniformlyThroughCrossingsAtRestStretchesNothing) {
  const formula::SegmentStretch<double> at = formula::segment_stretch(segment);
  const double Ddot = 0.3 - 0.3;
  EXPECT_EQ(at.gradient.D * Ddot, 0);
  EXPECT_GT(std::abs(at.gradient.D), 1);  // sliding of one end alone does
}

TEST(YarnBend, HasTheAngleEnergyAndForcesOfTheReference) {
  const formula::Bend<double> bend = {{0.010, 0.001, 0.002}, {0.009, -0.002, -0.0015}, 0.021};
  const formula::BendFrame<double> frame = formula::bend_frame(bend);
  EXPECT_NEAR(frame.angle, 0.477691740422, 1e-12);
  formula::BendGradient<double> g;
  expect_close(formula::bend_energy(1e-6, bend, frame, g), 1.0866161850e-5);
  EXPECT_NEAR(g.L, -5.17436279e-4, 1e-12);  // f_u2 = -dV/dL
  // rates of the reference: a = x1 - x0, b = x2 - x1
  const formula::BendGradient<double> rate = {{0.1, 0.5, -0.15}, {-0.2, -0.2, 0.3}, -0.05};
  const double strain_rate = dot(frame.of_strain, rate);
  EXPECT_NEAR(std::abs(strain_rate), 751.232271734, 1e-8);
  const formula::BendViscosity<double> c = formula::bend_viscosity(0.1 * 1e-6, bend, frame);
  EXPECT_EQ(c.tip_difference, 0);  // beyond the blend
  EXPECT_NEAR(0.5 * c.in_plane * strain_rate * strain_rate, 1.185134845e-3, 1e-12);
  const double force = c.in_plane * strain_rate;
  EXPECT_NEAR(force * frame.of_strain.L, -3.417690013e-3, 1e-12);
  const V on_middle = force * (frame.of_strain.a - frame.of_strain.b);  // dV_d/d(xdot_1); the force is its negative
  EXPECT_NEAR(on_middle.x, 1.117658288e-3, 1e-11);
  EXPECT_NEAR(on_middle.y, 1.9660350036e-2, 1e-11);
  EXPECT_NEAR(on_middle.z, 2.2468472307e-2, 1e-11);
}

TEST(YarnBend, DampsAStraightYarnAlikeInAllDirections) {
  const formula::Bend<double> bend = {{0.01, 0, 0}, {0.01, 0, 0}, 0.02};
  const formula::BendFrame<double> frame = formula::bend_frame(bend);
  const formula::BendViscosity<double> c = formula::bend_viscosity(1.0, bend, frame);
  const auto power = [&](const formula::BendGradient<double>& rate) {
    const double s = dot(frame.of_strain, rate), d = dot(formula::tipping(frame, -1), rate),
                 t = dot(formula::tipping(frame, 1), rate);
    return c.in_plane * s * s + c.tip_difference * d * d + c.tip_sum * t * t;
  };
  const double along_y = power({{0, 0.1, 0}, {0, -0.1, 0}, 0});
  EXPECT_GT(along_y, 0);
  for (const double angle : {0.3, 1.0, 2.0}) {
    const double y = 0.1 * std::cos(angle), z = 0.1 * std::sin(angle);
    expect_close(power({{0, y, z}, {0, -y, -z}, 0}), along_y);
  }
  EXPECT_NEAR(power({{0, 0.1, 0.2}, {0, 0.1, 0.2}, 0}), 0, 1e-12 * along_y);  // it turns as a whole
}

TEST(YarnBend, DampsAsTheVectorStrainDoesWhereItIsSmall) {
  // V_d = beta B |kdot|^2/L of k = theta n, by a difference of k
  const double beta_B = 0.7;
  const formula::Bend<double> bend = {{0.01, 0.0002, -0.0001}, {0.012, -0.0001, 0.0002}, 0.02};
  const formula::BendGradient<double> rate = {{0.1, 0.2, -0.15}, {-0.2, 0.3, 0.25}, 0};
  const auto k = [](const formula::Bend<double>& at) {
    const formula::BendFrame<double> frame = formula::bend_frame(at);
    return frame.angle * frame.normal;
  };
  const double eps = 1e-7;
  const V ahead = k({bend.a + eps * rate.a, bend.b + eps * rate.b, 0.02}),
          behind = k({bend.a + -eps * rate.a, bend.b + -eps * rate.b, 0.02});
  const V kdot = (0.5 / eps) * (ahead - behind);
  const formula::BendFrame<double> frame = formula::bend_frame(bend);
  ASSERT_LT(frame.angle, formula::blend_begin);
  const formula::BendViscosity<double> c = formula::bend_viscosity(beta_B, bend, frame);
  const double s = dot(frame.of_strain, rate), d = dot(formula::tipping(frame, -1), rate),
               t = dot(formula::tipping(frame, 1), rate);
  const double twice = c.in_plane * s * s + c.tip_difference * d * d + c.tip_sum * t * t;
  EXPECT_NEAR(twice, 2 * beta_B * dot(kdot, kdot) / bend.L, 1e-6 * twice);
  EXPECT_GT(twice, 0);
}

TEST(YarnShear, IsAtRestWhereYarnsCrossAtRightAngles) {
  formula::BendGradient<double> g;
  const formula::Bend<double> square = {{0.01, 0, 0}, {0, 0.02, 0}, 1};
  EXPECT_NEAR(formula::shear_energy(2.0, formula::bend_frame(square), g), 0, 1e-30);
  const formula::Bend<double> sheared = {{0.01, 0, 0}, {0.01, 0.01, 0}, 1};
  const double shear = std::numbers::pi / 4;
  expect_close(formula::shear_energy(2.0, formula::bend_frame(sheared), g), shear * shear);
}

TEST(YarnFriction, BrakesASlidingMassAsCoulombDoesWithItsSpring) {
  // A mass that slides over a spring which is capped: peak m v^2/(2 mu N) + mu N/(2 k_f). [reference ABCE, 2.6]
  const double m = 1e-5, k_f = 5e4, most = 0.3 * 0.02, dt = 2.5e-7;
  double u = 0, v = 0.1, stretch = 0, peak = 0;
  for (int step = 0; step < 20000 && v > 0; ++step) {
    const formula::SlidingFriction f = formula::sliding_friction(k_f, 0, most, stretch, v);
    stretch = f.stretch;
    v -= dt * f.force / m;
    u += dt * v;
    stretch += dt * v;
    peak = std::max(peak, u);
  }
  EXPECT_NEAR(peak, 8.393743e-6, 2e-9);
  EXPECT_NEAR(peak, m * 0.01 / (2 * most) + most / (2 * k_f), 2e-9);
}

TEST(YarnFriction, TheDamperDoesNotExceedCoulomb) {
  const formula::SlidingFriction f = formula::sliding_friction(100, 5, 0.2, 1e-4, 3);
  EXPECT_EQ(f.force, 0.2);
  EXPECT_EQ(f.by_rate, 0);
  EXPECT_DOUBLE_EQ(f.stretch, 0.2 / 100);  // the anchor follows
  const formula::SlidingFriction sticking = formula::sliding_friction(100, 5, 20, 1e-4, 3);
  expect_close(sticking.force, 100 * 1e-4 + 15);
  EXPECT_EQ(sticking.stretch, 1e-4);
}

}  // namespace
}  // namespace dashpot::test_yarn_formulas
