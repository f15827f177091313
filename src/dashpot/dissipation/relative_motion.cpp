#include "dashpot/dissipation/relative_motion.hpp"

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/math/best_spin.hpp"
#include "dashpot/math/four_points.hpp"

namespace dashpot {
namespace {

using math::FourPoints;
using math::Pack4;

constexpr int grain = 16384;  ///< points a range; a multiple of four

/// Sums over points, of x and v taken from an origin near them: m, m x, m v, m x x^T (xx, yy, zz, yz, zx, xy), m x x v.
constexpr std::size_t num_sums = 16;
using Sums = std::array<double, num_sums>;

/// Adds one point, or four: T is double or Pack4.
template <class T>
void add_point(T m, T x, T y, T z, T u, T v, T w, std::array<T, num_sums>& sum) {
  const T mx = m * x, my = m * y, mz = m * z;
  sum[0] += m;
  sum[1] += mx, sum[2] += my, sum[3] += mz;
  sum[4] += m * u, sum[5] += m * v, sum[6] += m * w;
  sum[7] += mx * x, sum[8] += my * y, sum[9] += mz * z;
  sum[10] += my * z, sum[11] += mz * x, sum[12] += mx * y;
  sum[13] += my * w - mz * v, sum[14] += mz * u - mx * w, sum[15] += mx * v - my * u;
}

Sums sums_over(int begin, int end, const double* mass, const double* x, const double* v, const Vec3& x0,
               const Vec3& v0) {
  std::array<Pack4, num_sums> packs;
  packs.fill(Pack4(0.0));
  int i = begin;
  for (; i + 4 < end; i += 4) {  // the last point is never read by a pack: nothing lies behind it
    const FourPoints p(x + 3 * std::ptrdiff_t(i)), u(v + 3 * std::ptrdiff_t(i));
    add_point(Pack4::load(mass + i), p.x - x0.x(), p.y - x0.y(), p.z - x0.z(), u.x - v0.x(), u.y - v0.y(), u.z - v0.z(),
              packs);
  }
  Sums sums;
  for (std::size_t k = 0; k < num_sums; ++k) sums[k] = (packs[k][0] + packs[k][1]) + (packs[k][2] + packs[k][3]);
  for (; i < end; ++i) {
    const double* p = x + 3 * std::ptrdiff_t(i);
    const double* u = v + 3 * std::ptrdiff_t(i);
    add_point(mass[i], p[0] - x0.x(), p[1] - x0.y(), p[2] - x0.z(), u[0] - v0.x(), u[1] - v0.y(), u[2] - v0.z(), sums);
  }
  return sums;
}

/// Sums of ranges, added in their order.
template <class Range>
auto sum_ranges(int n, Range range) {
  std::vector<decltype(range(0, n))> parts(static_cast<std::size_t>((n + grain - 1) / grain));
  parallel_for(n, grain,
               [&](int begin, int end) { parts[static_cast<std::size_t>(begin / grain)] = range(begin, end); });
  auto total = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k)
    for (std::size_t s = 0; s < total.size(); ++s) total[s] += parts[k][s];
  return total;
}

/// Where the points are and how they move as one.
struct BodyMotion {
  double mass = 0;
  Vec3 center, velocity, spin;
};

BodyMotion body_motion(int n, const double* mass, const double* x, const double* v) {
  const Vec3 x0(x), v0(v);  // nearby origins: no digits are lost far from home or in fast flight
  const Sums s = sum_ranges(n, [&](int begin, int end) { return sums_over(begin, end, mass, x, v, x0, v0); });
  BodyMotion body;
  body.mass = s[0];
  if (!(body.mass > 0)) return body;
  const Vec3 d = Vec3(s[1], s[2], s[3]) / body.mass, e = Vec3(s[4], s[5], s[6]) / body.mass;
  Mat3 second_moment;
  second_moment << s[7], s[12], s[11], s[12], s[8], s[10], s[11], s[10], s[9];
  second_moment -= body.mass * d * d.transpose();
  const Vec3 angular = Vec3(s[13], s[14], s[15]) - body.mass * d.cross(e);
  body.center = x0 + d;
  body.velocity = v0 + e;
  body.spin = math::symmetric_pseudo_solve(math::spin_matrix(second_moment), angular);
  return body;
}

/// v <- v + gamma (velocity + spin x (x - center) - v).
void towards_rigid_motion(const BodyMotion& body, double gamma, int n, const double* x, double* v) {
  const double keep = 1 - gamma;
  const Vec3 w = gamma * body.spin, b = gamma * body.velocity;
  const Vec3 c = body.center;
  parallel_for(n, grain, [&](int begin, int end) {
    for (std::ptrdiff_t i = 3 * std::ptrdiff_t(begin); i < 3 * std::ptrdiff_t(end); i += 3) {
      const double rx = x[i] - c.x(), ry = x[i + 1] - c.y(), rz = x[i + 2] - c.z();
      v[i] = keep * v[i] + (b.x() + (w.y() * rz - w.z() * ry));
      v[i + 1] = keep * v[i + 1] + (b.y() + (w.z() * rx - w.x() * rz));
      v[i + 2] = keep * v[i + 2] + (b.z() + (w.x() * ry - w.y() * rx));
    }
  });
}

/// What `center` takes of a point (or four) at r from the center that moves with u: v <- v - p, and m p is summed.
template <class T>
void take_along_line(T gamma, T m, T rx, T ry, T rz, T ux, T uy, T uz, std::array<T, 3>& v, std::array<T, 3>& taken) {
  const T length2 = rx * rx + ry * ry + rz * rz;
  const T tiny = std::numeric_limits<double>::min();  // at the center itself nothing is taken
  const T share = gamma * (rx * ux + ry * uy + rz * uz) / (length2 + tiny);
  const std::array<T, 3> p{share * rx, share * ry, share * rz};
  for (std::size_t c = 0; c < 3; ++c) {
    v[c] -= p[c];
    taken[c] += m * p[c];
  }
}

/// v <- v - gamma p for a range, p = (u . r) r/|r|^2; returns the sum of gamma m p.
std::array<double, 3> along_lines(int begin, int end, const BodyMotion& body, double gamma, const double* mass,
                                  const double* x, double* v) {
  const Vec3 &c = body.center, &w = body.velocity;
  std::array<Pack4, 3> packs;
  packs.fill(Pack4(0.0));
  int i = begin;
  for (; i + 4 < end; i += 4) {
    const FourPoints p(x + 3 * std::ptrdiff_t(i)), u(v + 3 * std::ptrdiff_t(i));
    std::array<Pack4, 3> moved{u.x, u.y, u.z};
    take_along_line(Pack4(gamma), Pack4::load(mass + i), p.x - c.x(), p.y - c.y(), p.z - c.z(), u.x - w.x(),
                    u.y - w.y(), u.z - w.z(), moved, packs);
    Pack4 rest(0.0);
    transpose(moved[0], moved[1], moved[2], rest);
    // Stores that write one number too far are put right by the next; the last must not, or the next load waits for it.
    double* to = v + 3 * std::ptrdiff_t(i);
    moved[0].store(to), moved[1].store(to + 3), moved[2].store(to + 6);
    to[9] = rest[0], to[10] = rest[1], to[11] = rest[2];
  }
  std::array<double, 3> taken;
  for (std::size_t k = 0; k < 3; ++k) taken[k] = (packs[k][0] + packs[k][1]) + (packs[k][2] + packs[k][3]);
  for (; i < end; ++i) {
    const double* p = x + 3 * std::ptrdiff_t(i);
    double* u = v + 3 * std::ptrdiff_t(i);
    std::array<double, 3> moved{u[0], u[1], u[2]};
    take_along_line(gamma, mass[i], p[0] - c.x(), p[1] - c.y(), p[2] - c.z(), u[0] - w.x(), u[1] - w.y(), u[2] - w.z(),
                    moved, taken);
    for (std::size_t k = 0; k < 3; ++k) u[k] = moved[k];
  }
  return taken;
}

/// v <- v - gamma (p - mean p) (3.3.2 with masses as weights).
void along_lines_to_center(const BodyMotion& body, double gamma, int n, const double* mass, const double* x,
                           double* v) {
  const std::array<double, 3> taken =
      sum_ranges(n, [&](int begin, int end) { return along_lines(begin, end, body, gamma, mass, x, v); });
  const Vec3 back = Vec3(taken[0], taken[1], taken[2]) / body.mass;
  parallel_for(n, grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) Eigen::Map<Vec3>(v + 3 * std::ptrdiff_t(i)) += back;
  });
}

}  // namespace

void damp_relative_motion(TorqueElimination elimination, double gamma, int n, const double* mass, const double* x,
                          double* v) {
  if (n < 2) return;
  BodyMotion body = body_motion(n, mass, x, v);
  if (!(body.mass > 0)) return;
  if (elimination == TorqueElimination::center) return along_lines_to_center(body, gamma, n, mass, x, v);
  if (elimination == TorqueElimination::none) body.spin.setZero();
  towards_rigid_motion(body, gamma, n, x, v);
}

}  // namespace dashpot
