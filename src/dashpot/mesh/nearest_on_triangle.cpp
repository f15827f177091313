#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot {

NearestOnTriangle nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  using F = TriangleFeature;
  const auto result = [&](double u, double v, double w, F feature, int which) {
    return NearestOnTriangle{u * a + v * b + w * c, Vec3(u, v, w), feature, which};
  };
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return result(1, 0, 0, F::corner, 0);
  const Vec3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return result(0, 1, 0, F::corner, 1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 / (d1 - d3);
    return result(1 - t, t, 0, F::edge, 0);
  }
  const Vec3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return result(0, 0, 1, F::corner, 2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 / (d2 - d6);
    return result(1 - t, 0, t, F::edge, 2);
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return result(0, 1 - t, t, F::edge, 1);
  }
  const double scale = 1 / (va + vb + vc);
  return result(1 - (vb + vc) * scale, vb * scale, vc * scale, F::face, 0);
}

}  // namespace dashpot
