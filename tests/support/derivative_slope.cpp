#include "support/derivative_slope.hpp"

#include <cmath>

namespace dashpot::testing {

SlopeResult derivative_slope(const std::function<Vector(const Vector&)>& f, const Vector& x, const Vector& direction,
                             const Vector& directional_derivative, double eps0) {
  SlopeResult result;
  result.derivative_norm = directional_derivative.norm();
  result.relative_remainder = 1e300;
  const Vector f0 = f(x);
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  int count = 0;
  for (double eps = eps0; eps > 1e-8; eps *= 0.5) {
    const double remainder = (f(x + eps * direction) - f0 - eps * directional_derivative).norm();
    const double relative = remainder / (eps * result.derivative_norm + 1e-300);
    const double noise = 64 * 2.2e-16 * (f0.norm() + 1e-300);
    if (std::isfinite(relative)) result.relative_remainder = std::fmin(result.relative_remainder, relative);
    if (!std::isfinite(remainder) || remainder < 10 * noise) break;
    const double lx = std::log(eps), ly = std::log(remainder);
    sum_x += lx, sum_y += ly, sum_xx += lx * lx, sum_xy += lx * ly, ++count;
    if (count == 8) break;
  }
  if (count >= 2) result.slope = (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
  if (count < 2) result.slope = 2;  // remainder is round-off from the start: f is linear along d
  if (!f0.allFinite() || !directional_derivative.allFinite() || result.relative_remainder == 1e300) result.slope = 0;
  return result;
}

}  // namespace dashpot::testing
