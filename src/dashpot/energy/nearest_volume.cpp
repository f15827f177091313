#include "dashpot/energy/nearest_volume.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

/// p_0, p_1, p_2 = t on Lagrange's condition.
Vec3 stretches_at(const Vec3& s, double t) {
  const double m = t * (t - s[2]);
  const auto root = [m](double x) { return 0.5 * (x + std::sqrt(std::max(x * x + 4 * m, 0.0))); };
  return {root(s[0]), root(s[1]), t};
}

/// t in [low, high] with t p_0 p_1 = d, where the product is below d at `low` and above at `high`: Newton's method,
/// halving where it would leave the bracket.
double solve(const Vec3& s, double d, double low, double high) {
  double t = 0.5 * (low + high);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = stretches_at(s, t);
    const double excess = t * p[0] * p[1] - d;
    (excess > 0 ? high : low) = t;
    const double slope = p[0] * p[1] + t * (2 * t - s[2]) * (p[1] / (2 * p[0] - s[0]) + p[0] / (2 * p[1] - s[1]));
    double next = t - excess / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-16 * t || next == low || next == high) return next;
    t = next;
  }
  return t;
}

double product(const Vec3& p) { return p[0] * p[1] * p[2]; }

Vec3 nearest(const Vec3& s, double d) {
  if (product(s) <= d) {
    const double least = std::max(s[2], 0.0), most = std::max(least, std::cbrt(d));
    return stretches_at(s, least < most ? solve(s, d, least, most) : most);
  }
  // The product rises with t up to s_2/3 and from s_2/2 on; in between it falls where the stretches are nearly equal.
  const double third = s[2] / 3, half = s[2] / 2;
  const bool large = product(stretches_at(s, half)) <= d, small = product(stretches_at(s, third)) >= d;
  const auto between = [&](double low, double high) { return stretches_at(s, solve(s, d, low, high)); };
  if (!large) return small ? between(0, third) : between(third, half);
  const Vec3 all_smaller = between(half, s[2]);
  if (!small) return all_smaller;
  const Vec3 flat = between(0, third);
  return (flat - s).squaredNorm() < (all_smaller - s).squaredNorm() ? flat : all_smaller;
}

/// x moved away from zero, for quotients at stretches that have no derivative.
double divisor(double x) { return std::abs(x) < 1e-9 ? std::copysign(1e-9, x) : x; }

}  // namespace

NearestVolume nearest_volume(const Vec3& s, double d) {
  NearestVolume result;
  result.p = nearest(s, d);
  // dp_i (2 p_i - s_i) = p_i ds_i + dm and sum dp_i / p_i = 0.
  Vec3 b;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    b[i] = 1 / divisor(2 * result.p[i] - s[i]);
    sum += b[i] / divisor(result.p[i]);
  }
  result.dp_ds = -b * b.transpose() / divisor(sum);
  for (int i = 0; i < 3; ++i) result.dp_ds(i, i) += result.p[i] * b[i];
  return result;
}

}  // namespace dashpot
