#include "dashpot/shape/roots.hpp"

#include <cmath>

namespace dashpot {

double root_on_segment(FunctionRef<double(const Vec3&)> field, const Vec3& p, const Vec3& q, double f_p, double f_q) {
  double low = 0, high = 1;
  int kept = 0;
  double t = 0.5;
  for (int step = 0; step < 60 && high - low > 1e-10; ++step) {
    t = (low * f_q - high * f_p) / (f_q - f_p);
    if (!(t > low && t < high) || step > 20) t = 0.5 * (low + high);
    const double f = field(p + t * (q - p));
    if (f == 0) return t;
    if ((f < 0) == (f_p < 0)) {
      if (t - low < 1e-10) return t;
      low = t;
      f_p = f;
      if (kept == 1) f_q *= 0.5;
      kept = 1;
    } else {
      if (high - t < 1e-10) return t;
      high = t;
      f_q = f;
      if (kept == 2) f_p *= 0.5;
      kept = 2;
    }
  }
  return t;
}

Vec3 onto_surface(FunctionRef<double(const Vec3&)> f, Vec3 x, double eps) {
  for (int step = 0; step < 4; ++step) {
    const double value = f(x);
    if (std::abs(value) < 1e-3 * eps) break;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i) gradient[i] = (f(x + eps * Vec3::Unit(i)) - value) / eps;
    const double squares = gradient.squaredNorm();
    if (!(squares > 1e-4)) return x;  // a ridge of the field; leave the point where it is
    x -= value / squares * gradient;
  }
  return x;
}

}  // namespace dashpot
