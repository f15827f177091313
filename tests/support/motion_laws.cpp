#include "support/motion_laws.hpp"

#include <gtest/gtest.h>

#include "support/derivative_slope.hpp"

namespace dashpot::testing {

void expect_exact_derivatives(const PointMotion& motion, double time, double eps0) {
  const auto flat = [&](const std::vector<Vec3>& points) {
    Vector out(3 * motion.num_points());
    for (int i = 0; i < motion.num_points(); ++i) out.segment<3>(3 * i) = points[static_cast<std::size_t>(i)];
    return out;
  };
  std::vector<Vec3> x, v, a;
  motion.evaluate(time, &x, &v, &a);
  const Vector t = Vector::Constant(1, time), forward = Vector::Ones(1);
  const auto position = [&](const Vector& at) {
    std::vector<Vec3> points;
    motion.evaluate(at[0], &points, nullptr, nullptr);
    return flat(points);
  };
  const auto velocity = [&](const Vector& at) {
    std::vector<Vec3> points;
    motion.evaluate(at[0], nullptr, &points, nullptr);
    return flat(points);
  };
  EXPECT_TRUE(derivative_slope(position, t, forward, flat(v), eps0).ok()) << "velocity at t = " << time;
  EXPECT_TRUE(derivative_slope(velocity, t, forward, flat(a), eps0).ok()) << "acceleration at t = " << time;
}

}  // namespace dashpot::testing
