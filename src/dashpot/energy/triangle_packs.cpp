#include "dashpot/energy/triangle_packs.hpp"

#include <algorithm>

#include "dashpot/energy/element_rows.hpp"
#include "dashpot/math/curve_order.hpp"
#include "dashpot/math/thin_svd.hpp"

namespace dashpot {
namespace {

using element_rows::Four;
using math::Pack4;
using math::select;

constexpr double least_flatness = 1e-4;  // d / |F|^2 of triangles that need no singular values

/// A vector per lane.
struct Packed3 {
  Pack4 x, y, z;
  friend Packed3 operator+(const Packed3& a, const Packed3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Packed3 operator-(const Packed3& a, const Packed3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Packed3 operator*(Pack4 s, const Packed3& a) { return {s * a.x, s * a.y, s * a.z}; }
  void set(int lane, const Vec3& a) { x.set(lane, a.x()), y.set(lane, a.y()), z.set(lane, a.z()); }
  Vec3 lane(int l) const { return {x[l], y[l], z[l]}; }
};
[[gnu::always_inline]] inline Pack4 dot(const Packed3& a, const Packed3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[gnu::always_inline]] inline Packed3 cross(const Packed3& a, const Packed3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Four triangles.
struct Pack {
  Pack4 g[4];  ///< g1x, g1y, g2x, g2y
  Pack4 stretch, limit, least, most;
  int element[4];
};

struct Columns {
  Packed3 first, second;
};

[[gnu::always_inline]] inline Columns deformation(const Pack& pack, const int* nodes, const Four* x) {
  Pack4 d[6];
  element_rows::edges<3>(nodes, x, d);
  const Packed3 a{d[0], d[1], d[2]}, b{d[3], d[4], d[5]};
  return {pack.g[0] * a + pack.g[2] * b, pack.g[1] * a + pack.g[3] * b};
}

/// f += G^T P.
[[gnu::always_inline]] inline void scatter(const Pack& pack, const int* nodes, const Columns& P, Four* f) {
  const Packed3 a = pack.g[0] * P.first + pack.g[1] * P.second, b = pack.g[2] * P.first + pack.g[3] * P.second;
  const Pack4 d[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
  element_rows::scatter<3>(nodes, d, f);
}

/// Where one lane needs its singular values: w R + w' U clamp(s) V^T, and the energy.
struct Exact {
  math::Mat32 target;
  double energy = 0;
};
Exact by_singular_values(const Columns& F, const Pack& pack, int lane) {
  math::Mat32 of_lane;
  of_lane << F.first.lane(lane), F.second.lane(lane);
  const math::ThinSvd svd = math::thin_svd(of_lane);
  Exact exact;
  Eigen::Vector2d target;
  for (int i = 0; i < 2; ++i) {
    const double s = svd.s[i], clamped = std::clamp(s, pack.least[lane], pack.most[lane]);
    target[i] = pack.stretch[lane] + pack.limit[lane] * clamped;
    exact.energy += 0.5 * (pack.stretch[lane] * (s - 1) * (s - 1) + pack.limit[lane] * (s - clamped) * (s - clamped));
  }
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 2; ++column)
      exact.target(row, column) =
          svd.U(row, 0) * target[0] * svd.V(column, 0) + svd.U(row, 1) * target[1] * svd.V(column, 1);
  return exact;
}

/// w R + w' U clamp(s) V^T of four triangles, and their energies.
[[gnu::always_inline]] inline Columns target_of(const Columns& F, const Pack& pack, bool has_limits, Pack4& energy) {
  const Pack4 squares = dot(F.first, F.first) + dot(F.second, F.second);
  const Packed3 normal = cross(F.first, F.second);
  const Pack4 d = sqrt(dot(normal, normal)), t = sqrt(squares + Pack4(2.0) * d);
  math::Mask4 is_plain = d > Pack4(least_flatness) * squares;
  if (has_limits) {
    const Pack4 larger = Pack4(0.5) * (t + sqrt(max(squares - Pack4(2.0) * d, Pack4(0.0))));
    is_plain = is_plain && ((larger <= pack.most && d >= pack.least * larger) || pack.limit <= Pack4(0.0));
  }
  const Packed3 n = (Pack4(1.0) / d) * normal;
  const Pack4 over = Pack4(1.0) / t;
  const Columns R{over * (F.first + cross(F.second, n)), over * (F.second + cross(n, F.first))};
  const Packed3 away1 = F.first - R.first, away2 = F.second - R.second;
  energy = Pack4(0.5) * pack.stretch * (dot(away1, away1) + dot(away2, away2));
  Columns target{pack.stretch * R.first, pack.stretch * R.second};
  if (has_limits) target = {target.first + pack.limit * F.first, target.second + pack.limit * F.second};
  if (all(is_plain)) return target;
  for (int lane = 0; lane < 4; ++lane) {
    if (is_plain.v[lane] != 0) continue;
    const Exact exact = by_singular_values(F, pack, lane);
    target.first.set(lane, exact.target.col(0));
    target.second.set(lane, exact.target.col(1));
    energy.set(lane, exact.energy);
  }
  return target;
}

/// What of `rate` is rotation: omega x F. The columns of F span a plane of normal n. Rates across the plane are
/// rotation as a whole, those within it as far as they turn about n:
///     omega x f_k = n (n . rate_k) + omega_n n x f_k,    omega_n = sum_k n . (f_k x rate_k) / sum_k |f_k|^2.
/// Where F has rank one, the smallest omega that fits.
[[gnu::always_inline]] inline Columns turning_part(const Columns& F, const Columns& rate) {
  const Packed3 normal = cross(F.first, F.second), across1 = cross(normal, F.first), across2 = cross(normal, F.second);
  const Pack4 size = dot(F.first, F.first) + dot(F.second, F.second), area = dot(normal, normal);
  const math::Mask4 has_plane = area > Pack4(1e-24) * size * size;
  const Pack4 over = Pack4(1.0) / select(has_plane, area * size, Pack4(1.0));
  const Pack4 along = size * over;  // 1 / area: normal normal^T / area is the projector
  const Pack4 about = over * (dot(across1, rate.first) + dot(across2, rate.second));
  Columns turned{(along * dot(normal, rate.first)) * normal + about * across1,
                 (along * dot(normal, rate.second)) * normal + about * across2};
  if (all(has_plane)) return turned;
  const Packed3 moment = cross(F.first, rate.first) + cross(F.second, rate.second);
  const Packed3 omega = (Pack4(1.0) / select(size > Pack4(0.0), size, Pack4(1.0))) * moment;
  const Columns thin{cross(omega, F.first), cross(omega, F.second)};
  const auto choose = [&](const Packed3& a, const Packed3& b) -> Packed3 {
    return {select(has_plane, a.x, b.x), select(has_plane, a.y, b.y), select(has_plane, a.z, b.z)};
  };
  return {choose(turned.first, thin.first), choose(turned.second, thin.second)};
}

}  // namespace

struct TrianglePacks::Parts {
  ElementRanges ranges;
  std::vector<Pack> packs;
  std::vector<double> energies;  ///< by first pack of a range
  bool has_limits = false;
};

TrianglePacks::TrianglePacks(const std::vector<MembraneElement>& elements, const std::vector<int>& blocks,
                             const std::vector<Vec3>& places)
    : parts_(std::make_unique<Parts>(Parts{ElementRanges(3, blocks, math::order_along_curve(places), 4), {}, {}})) {
  parts_->packs.resize(static_cast<std::size_t>(parts_->ranges.num_packs()));
  parts_->energies.resize(parts_->packs.size());
  parts_->ranges.for_each_lane([&](int p, int lane, int element, bool exists) {
    Pack& pack = parts_->packs[static_cast<std::size_t>(p)];
    const MembraneElement& e = elements[static_cast<std::size_t>(element)];
    const double g[4] = {e.g1.x(), e.g1.y(), e.g2.x(), e.g2.y()};
    for (int k = 0; k < 4; ++k) pack.g[k].set(lane, g[k]);
    pack.stretch.set(lane, exists ? e.stretch : 0.0);
    pack.limit.set(lane, exists ? e.limit : 0.0);
    pack.least.set(lane, e.least);
    pack.most.set(lane, e.most);
    pack.element[lane] = element;
    parts_->has_limits |= e.limit > 0;
  });
}

TrianglePacks::~TrianglePacks() = default;

void TrianglePacks::add_projection(const Vector& q, Vector& f) {
  parts_->ranges.run(q, nullptr, &f, [&](int first, int end, const Four* x, const Four*, Four* force) {
    for (int p = first; p < end; ++p) {
      const Pack& pack = parts_->packs[static_cast<std::size_t>(p)];
      const int* nodes = parts_->ranges.nodes(p);
      Pack4 energy;
      scatter(pack, nodes, target_of(deformation(pack, nodes, x), pack, parts_->has_limits, energy), force);
    }
  });
}

double TrianglePacks::evaluate(const Vector& q, Vector* gradient) {
  std::fill(parts_->energies.begin(), parts_->energies.end(), 0.0);
  parts_->ranges.run(q, nullptr, gradient, [&](int first, int end, const Four* x, const Four*, Four* force) {
    Pack4 sum(0.0);
    for (int p = first; p < end; ++p) {
      const Pack& pack = parts_->packs[static_cast<std::size_t>(p)];
      const int* nodes = parts_->ranges.nodes(p);
      const Columns F = deformation(pack, nodes, x);
      Pack4 energy;
      const Columns target = target_of(F, pack, parts_->has_limits, energy);
      const Pack4 w = pack.stretch + pack.limit;
      if (force != nullptr) scatter(pack, nodes, {w * F.first - target.first, w * F.second - target.second}, force);
      sum += energy;
    }
    if (first < end) parts_->energies[static_cast<std::size_t>(first)] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  });
  double total = 0;
  for (const double energy : parts_->energies) total += energy;
  return total;
}

void TrianglePacks::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                   Vector& f) {
  const double* const scale_of = element_scale.data();
  parts_->ranges.run(q, &v, &f, [&](int first, int end, const Four* x, const Four* xdot, Four* force) {
    for (int p = first; p < end; ++p) {
      const Pack& pack = parts_->packs[static_cast<std::size_t>(p)];
      const int* nodes = parts_->ranges.nodes(p);
      const int* e = pack.element;
      const Pack4 w =
          Pack4(scale_of[e[0]], scale_of[e[1]], scale_of[e[2]], scale_of[e[3]]) * (pack.stretch + pack.limit);
      const Columns turned = turning_part(deformation(pack, nodes, x), deformation(pack, nodes, xdot));
      scatter(pack, nodes, {w * turned.first, w * turned.second}, force);
    }
  });
}

}  // namespace dashpot
