#include "dashpot/dissipation/cluster_kernel.hpp"

#include <Eigen/Geometry>
#include <array>

#include "dashpot/math/best_spin.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {
namespace {

using math::Pack4;

struct PackVec {
  Pack4 x, y, z;
  friend PackVec operator+(const PackVec& a, const PackVec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend PackVec operator-(const PackVec& a, const PackVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend PackVec operator*(Pack4 s, const PackVec& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Pack4 dot(const PackVec& a, const PackVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend PackVec cross(const PackVec& a, const PackVec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

/// Symmetric 3 x 3: xx, yy, zz, yz, zx, xy.
struct PackSym {
  Pack4 xx, yy, zz, yz, zx, xy;
  friend PackVec operator*(const PackSym& A, const PackVec& b) {
    return {A.xx * b.x + A.xy * b.y + A.zx * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
            A.zx * b.x + A.yz * b.y + A.zz * b.z};
  }
};

/// Four clusters of N points, one per lane.
template <int N>
struct FourClusters {
  std::array<Pack4, N> m;
  std::array<PackVec, N> r, u;  ///< position and velocity relative to the center of mass
  Pack4 total, inverse_total;   ///< mass; 0 where there is none
};

template <int N>
using Nodes = std::array<std::array<int, 4>, N>;  ///< [point of the cluster][lane]

/// (a / b), and 0 where b is not positive.
Pack4 ratio_or_zero(Pack4 a, Pack4 b) {
  const auto positive = b > Pack4(0.0);
  return select(positive, a / select(positive, b, Pack4(1.0)), Pack4(0.0));
}

template <int N>
FourClusters<N> gather(const Nodes<N>& nodes, const PointInCluster* points) {
  FourClusters<N> c;
  PackVec center{0.0, 0.0, 0.0}, velocity{0.0, 0.0, 0.0};
  c.total = Pack4(0.0);
  for (std::size_t a = 0; a < N; ++a) {
    std::array<const PointInCluster*, 4> p;
    for (std::size_t lane = 0; lane < 4; ++lane) p[lane] = points + nodes[a][lane];
    Pack4 x = Pack4::load(p[0]->x), y = Pack4::load(p[1]->x), z = Pack4::load(p[2]->x), m = Pack4::load(p[3]->x);
    transpose(x, y, z, m);
    Pack4 u = Pack4::load(p[0]->v), v = Pack4::load(p[1]->v), w = Pack4::load(p[2]->v), rest = Pack4::load(p[3]->v);
    transpose(u, v, w, rest);
    c.m[a] = m;
    c.r[a] = {x, y, z};
    c.u[a] = {u, v, w};
    // From the first point, so that no digits are lost far from home or in fast flight.
    c.total += m;
    if (a > 0) {
      center = center + m * (c.r[a] - c.r[0]);
      velocity = velocity + m * (c.u[a] - c.u[0]);
    }
  }
  c.inverse_total = ratio_or_zero(Pack4(1.0), c.total);
  center = c.r[0] + c.inverse_total * center;
  velocity = c.u[0] + c.inverse_total * velocity;
  for (std::size_t a = 0; a < N; ++a) {
    c.r[a] = c.r[a] - center;
    c.u[a] = c.u[a] - velocity;
  }
  return c;
}

/// Takes the rotation out of c.u. Three points or more.
template <int N>
void remove_spin(FourClusters<N>& c) {
  PackSym S{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  PackVec L{0.0, 0.0, 0.0};
  for (std::size_t a = 0; a < N; ++a) {
    const PackVec& r = c.r[a];
    const PackVec mr = c.m[a] * r;
    S.xx += mr.x * r.x, S.yy += mr.y * r.y, S.zz += mr.z * r.z;
    S.yz += mr.y * r.z, S.zx += mr.z * r.x, S.xy += mr.x * r.y;
    L = L + cross(mr, c.u[a]);
  }
  const PackSym I{S.yy + S.zz, S.zz + S.xx, S.xx + S.yy, -S.yz, -S.zx, -S.xy};
  const PackSym adjugate{I.yy * I.zz - I.yz * I.yz, I.zz * I.xx - I.zx * I.zx, I.xx * I.yy - I.xy * I.xy,
                         I.zx * I.xy - I.xx * I.yz, I.xy * I.yz - I.yy * I.zx, I.yz * I.zx - I.zz * I.xy};
  const Pack4 determinant = I.xx * adjugate.xx + I.xy * adjugate.xy + I.zx * adjugate.zx;
  const Pack4 size = I.xx + I.yy + I.zz;
  // Points nearly on a line: the inverse loses digits, which one correction makes up for down to this bound.
  const auto regular = determinant > Pack4(1e-6) * size * size * size;
  const Pack4 inverse = ratio_or_zero(Pack4(1.0), select(regular, determinant, Pack4(0.0)));
  PackVec w = inverse * (adjugate * L);
  w = w + inverse * (adjugate * (L - I * w));
  if (!all(regular))
    for (int lane = 0; lane < 4; ++lane) {
      if (regular.v[lane] != 0 || !(size[lane] > 0)) continue;
      Mat3 A;
      A << I.xx[lane], I.xy[lane], I.zx[lane], I.xy[lane], I.yy[lane], I.yz[lane], I.zx[lane], I.yz[lane], I.zz[lane];
      const Vec3 spin = math::symmetric_pseudo_solve(A, Vec3(L.x[lane], L.y[lane], L.z[lane]));
      w.x.set(lane, spin.x()), w.y.set(lane, spin.y()), w.z.set(lane, spin.z());
    }
  for (std::size_t a = 0; a < N; ++a) c.u[a] = c.u[a] - cross(w, c.r[a]);
}

/// Leaves of c.u the part along r, less its mean.
template <int N>
void take_part_along_lines(FourClusters<N>& c) {
  PackVec mean{0.0, 0.0, 0.0};
  for (std::size_t a = 0; a < N; ++a) {
    c.u[a] = ratio_or_zero(dot(c.r[a], c.u[a]), dot(c.r[a], c.r[a])) * c.r[a];
    mean = mean + c.m[a] * c.u[a];
  }
  mean = c.inverse_total * mean;
  for (std::size_t a = 0; a < N; ++a) c.u[a] = c.u[a] - mean;
}

template <int N>
void scatter(const Nodes<N>& nodes, const FourClusters<N>& c, double gamma, VelocityChange* changes) {
  const Pack4 scale = select(c.total > Pack4(0.0), Pack4(-gamma), Pack4(0.0));
  for (std::size_t a = 0; a < N; ++a) {
    std::array<Pack4, 4> d{scale * c.u[a].x, scale * c.u[a].y, scale * c.u[a].z, Pack4(0.0)};
    transpose(d[0], d[1], d[2], d[3]);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      double* change = changes[nodes[a][lane]].v;
      (Pack4::load(change) + d[lane]).store(change);
    }
  }
}

template <int N>
void add_changes(const ElementBatch& clusters, TorqueElimination elimination, double gamma,
                 const std::vector<PointInCluster>& points, std::vector<VelocityChange>& changes) {
  const int nobody = static_cast<int>(points.size()) - 1;
  clusters.for_each_chunk([&](int begin, int end) {
    for (int first = begin; first < end; first += 4) {
      Nodes<N> nodes;
      for (int lane = 0; lane < 4; ++lane)
        for (std::size_t a = 0; a < N; ++a)
          nodes[a][static_cast<std::size_t>(lane)] = first + lane < end ? clusters.blocks(first + lane)[a] : nobody;
      FourClusters<N> c = gather<N>(nodes, points.data());
      // Two points turn about each other without any motion along the line between them.
      if (elimination == TorqueElimination::center || (N == 2 && elimination == TorqueElimination::rigid))
        take_part_along_lines<N>(c);
      else if (elimination == TorqueElimination::rigid)
        remove_spin<N>(c);
      scatter<N>(nodes, c, gamma, changes.data());
    }
  });
}

}  // namespace

void add_cluster_changes(const ElementBatch& clusters, int per_cluster, TorqueElimination elimination, double gamma,
                         const std::vector<PointInCluster>& points, std::vector<VelocityChange>& changes) {
  if (per_cluster == 2) return add_changes<2>(clusters, elimination, gamma, points, changes);
  if (per_cluster == 3) return add_changes<3>(clusters, elimination, gamma, points, changes);
  add_changes<4>(clusters, elimination, gamma, points, changes);
}

}  // namespace dashpot
