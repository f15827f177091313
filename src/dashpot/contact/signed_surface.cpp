#include "dashpot/contact/signed_surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

void check(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& x) {
  if (triangles.empty()) throw Error(Problem{"", "a collider without triangles", "a surface, or tets with a surface"});
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < x.size() && problems.size() < 5; ++i)
    if (!x[i].allFinite())
      problems.push_back(
          {"", fmt::format("vertex {} at ({}, {}, {})", i, x[i][0], x[i][1], x[i][2]), "finite numbers"});
  if (!problems.empty()) throw Error(problems);
  for (std::size_t e = 0; e < triangles.size() && problems.size() < 5; ++e) {
    const auto [a, b, c] = triangles[e];
    const auto in_range = [&](int v) { return v >= 0 && at(v) < x.size(); };
    if (!in_range(a) || !in_range(b) || !in_range(c)) {
      problems.push_back({"", fmt::format("triangle {} of vertices {}, {}, {}", e, a, b, c),
                          fmt::format("vertices below {}", x.size())});
      continue;
    }
    const Vec3 u = x[at(b)] - x[at(a)], v = x[at(c)] - x[at(a)];
    if (!(u.cross(v).norm() > 1e-12 * (u.squaredNorm() + v.squaredNorm())))
      problems.push_back({"", fmt::format("triangle {} has no area", e), "three corners that do not lie on a line",
                          "merge or remove degenerate triangles"});
  }
  if (!problems.empty()) throw Error(problems);
}

using Corners = std::array<Vec3, 3>;

/// Distance of two segments a-b and c-d.
double segment_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), uw = u.dot(w), vw = v.dot(w);
  const double determinant = uu * vv - uv * uv;
  double s = determinant > 1e-14 * uu * vv ? std::clamp((uv * vw - vv * uw) / determinant, 0.0, 1.0) : 0.0;
  const double t = std::clamp((uv * s + vw) / vv, 0.0, 1.0);
  s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
  return (w + s * u - t * v).norm();
}

/// Whether all corners of s lie farther than `close` on one side of the plane of t.
bool on_one_side(const Corners& s, const Corners& t, double close) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  const double d0 = n.dot(s[0] - t[0]), d1 = n.dot(s[1] - t[0]), d2 = n.dot(s[2] - t[0]);
  return std::min({d0, d1, d2}) > close || std::max({d0, d1, d2}) < -close;
}

/// Whether an edge of s passes through t.
bool pierces(const Corners& s, const Corners& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &a = s[k], &b = s[(k + 1) % 3];
    const double da = n.dot(a - t[0]), db = n.dot(b - t[0]);
    if (!((da < 0 && db > 0) || (da > 0 && db < 0))) continue;
    const Vec3 x = a + da / (da - db) * (b - a);
    if (n.dot((t[1] - t[0]).cross(x - t[0])) >= 0 && n.dot((t[2] - t[1]).cross(x - t[1])) >= 0 &&
        n.dot((t[0] - t[2]).cross(x - t[2])) >= 0)
      return true;
  }
  return false;
}

/// Whether two triangles have a point in common, to within `close`: an edge goes through the other one, edges meet
/// (also in one plane), or one lies within the other.
bool meet(const Corners& s, const Corners& t, double close) {
  if (on_one_side(s, t, close) || on_one_side(t, s, close)) return false;
  if (pierces(s, t) || pierces(t, s)) return true;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (segment_distance(s[i], s[(i + 1) % 3], t[k], t[(k + 1) % 3]) <= close) return true;
  for (std::size_t i = 0; i < 3; ++i)
    if ((nearest_on_triangle(s[i], t[0], t[1], t[2]).point - s[i]).norm() <= close ||
        (nearest_on_triangle(t[i], s[0], s[1], s[2]).point - t[i]).norm() <= close)
      return true;
  return false;
}

}  // namespace

SignedSurface::SignedSurface(std::vector<std::array<int, 3>> triangles, std::vector<Vec3> x) {
  check(triangles, x);
  std::map<std::array<int, 2>, std::pair<int, int>> sides;  // directed edge -> (triangle, edge number)
  int clashes = 0;
  std::array<int, 2> first_clash{};
  for (int e = 0; e < static_cast<int>(triangles.size()); ++e)
    for (int k = 0; k < 3; ++k) {
      const std::array<int, 2> edge{triangles[at(e)][at(k)], triangles[at(e)][at((k + 1) % 3)]};
      if (!sides.emplace(edge, std::pair(e, k)).second && clashes++ == 0) first_clash = edge;
    }
  if (clashes > 0)
    throw Error(
        Problem{"",
                fmt::format("{} edges whose triangles do not agree on which side is outside (the first is {}-{})",
                            clashes, first_clash[0], first_clash[1]),
                "each edge once in each direction: a surface of one orientation, at most two triangles an edge",
                "orient the triangles alike; remove inner walls"});
  across_.assign(triangles.size(), {-1, -1, -1});
  for (const auto& [edge, side] : sides) {
    const auto opposite = sides.find({edge[1], edge[0]});
    if (opposite != sides.end())
      across_[at(side.first)][at(side.second)] = opposite->second.first;
    else
      is_closed_ = false;
  }
  tree_ = TriangleBvh(std::move(triangles), std::move(x));
  compute_normals();
}

void SignedSurface::move(const std::vector<Vec3>& x) {
  tree_.refit(x);
  compute_normals();
}

void SignedSurface::compute_normals() {
  const std::vector<std::array<int, 3>>& triangles = tree_.triangles();
  const std::vector<Vec3>& x = tree_.positions();
  face_normals_.resize(triangles.size());
  edge_normals_.resize(triangles.size());
  corner_normals_.assign(x.size(), Vec3::Zero());
  for (std::size_t e = 0; e < triangles.size(); ++e) {
    const std::array<int, 3>& t = triangles[e];
    face_normals_[e] = (x[at(t[1])] - x[at(t[0])]).cross(x[at(t[2])] - x[at(t[0])]).normalized();
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = (x[at(t[at((k + 1) % 3)])] - x[at(t[at(k)])]).normalized();
      const Vec3 v = (x[at(t[at((k + 2) % 3)])] - x[at(t[at(k)])]).normalized();
      corner_normals_[at(t[at(k)])] += std::atan2(u.cross(v).norm(), u.dot(v)) * face_normals_[e];
    }
  }
  for (std::size_t e = 0; e < triangles.size(); ++e)
    for (std::size_t k = 0; k < 3; ++k) {
      const int other = across_[e][k];
      edge_normals_[e][k] = face_normals_[e];
      if (other >= 0) edge_normals_[e][k] += face_normals_[at(other)];
    }
}

const Vec3& SignedSurface::pseudo_normal(const NearestTriangle& spot) const {
  switch (spot.feature) {
    case TriangleFeature::edge:
      return edge_normals_[at(spot.triangle)][at(spot.which)];
    case TriangleFeature::corner:
      return corner_normals_[at(tree_.triangles()[at(spot.triangle)][at(spot.which)])];
    default:
      return face_normals_[at(spot.triangle)];
  }
}

bool SignedSurface::sample(const Vec3& p, double reach, bool with_curvature, SurfaceSample& sample,
                           NearestTriangle* spot) const {
  NearestTriangle nearest;
  // Inside a closed surface nothing is out of reach; inside implies within its box.
  const bool may_be_inside = is_closed_ && tree_.bounds().squared_distance(p) == 0;
  if (!tree_.nearest(p, may_be_inside ? std::numeric_limits<double>::infinity() : reach, nearest)) return false;
  const Vec3 arm = p - nearest.point;
  const Vec3& pseudo = pseudo_normal(nearest);
  const double side = pseudo.dot(arm) >= 0 ? 1 : -1;
  if (side * nearest.distance > reach) return false;
  sample.distance = side * nearest.distance;
  const Vec3& face = face_normals_[at(nearest.triangle)];
  const bool on_surface = nearest.distance < 1e-14 * (1 + p.norm());
  // At a flat edge or right on the surface the direction of the arm is noise, or the face's own.
  const bool flat =
      on_surface || nearest.feature == TriangleFeature::face || side * arm.dot(face) > (1 - 1e-12) * nearest.distance;
  if (flat)
    sample.normal = on_surface && nearest.feature != TriangleFeature::face ? Vec3(pseudo.normalized()) : face;
  else
    sample.normal = side * arm / nearest.distance;
  if (with_curvature) {
    sample.curvature.setZero();
    if (!flat) {
      sample.curvature = Mat3::Identity() - sample.normal * sample.normal.transpose();
      if (nearest.feature == TriangleFeature::edge) {
        const std::array<int, 3>& t = tree_.triangles()[at(nearest.triangle)];
        const Vec3 e =
            (tree_.positions()[at(t[at((nearest.which + 1) % 3)])] - tree_.positions()[at(t[at(nearest.which)])])
                .normalized();
        sample.curvature -= e * e.transpose();
      }
      sample.curvature /= sample.distance;
    }
  }
  if (spot != nullptr) *spot = nearest;
  return true;
}

int count_self_crossings(const TriangleBvh& tree, int limit) {
  const std::vector<std::array<int, 3>>& triangles = tree.triangles();
  const std::vector<Vec3>& x = tree.positions();
  const Box3 all = tree.bounds();
  const double close = 1e-9 * (all.high - all.low).matrix().norm();
  const auto corners_of = [&](const std::array<int, 3>& t) { return Corners{x[at(t[0])], x[at(t[1])], x[at(t[2])]}; };
  int count = 0;
  for (int e = 0; e < static_cast<int>(triangles.size()) && count < limit; ++e) {
    const std::array<int, 3>& t = triangles[at(e)];
    Box3 box;
    const Corners corners = corners_of(t);
    for (const Vec3& corner : corners) box.cover(corner);
    box.grow(close);
    tree.overlapping(box, [&](int other) {
      if (other <= e || count >= limit) return;
      const std::array<int, 3>& s = triangles[at(other)];
      for (const int v : t)
        if (std::find(s.begin(), s.end(), v) != s.end()) return;
      count += meet(corners, corners_of(s), close) ? 1 : 0;
    });
  }
  return count;
}

}  // namespace dashpot
