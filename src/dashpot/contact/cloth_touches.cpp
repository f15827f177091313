#include "dashpot/contact/cloth_touches.hpp"

#include <algorithm>

namespace dashpot::contact {
namespace {

constexpr double parallel_share = 1e-3;    // of |u|^2 |v|^2: sine of 1.8 degrees
constexpr double negligible_sine = 1e-10;  // squared: such edges count as parallel, m < 1e-6

/// A simplex by its nodes (count of them), and by how much it counts.
struct Counted {
  std::array<int, 3> nodes{-1, -1, -1};
  int kind = 0;  ///< number of nodes
  int count = 0;
  int triangle = -1;
};

/// The simplices around one node that carry its closest points, with the sums of the counts.
class NodeCounts {
 public:
  NodeCounts(const ClothSurface& surface, const std::vector<Vec3>& x) : surface_(surface), x_(x) {}

  void start(int node) {
    p_ = x_[at(node)];
    carriers_.clear();
    edges_.clear();
    corners_.clear();
  }
  void add_triangle(int t, const NearestOnTriangle& spot) {
    const std::array<int, 3>& corners = surface_.triangles[at(t)];
    const int k = spot.which;
    if (spot.feature == TriangleFeature::face)
      add({corners, 3, 1, t});
    else if (spot.feature == TriangleFeature::edge)
      add(edge(corners[at(k)], corners[at((k + 1) % 3)], 1, t));
    else
      add({{corners[at(k)], -1, -1}, 1, 1, t});
    for (int e = 0; e < 3; ++e) {
      tally(edges_, edge(corners[at(e)], corners[at((e + 1) % 3)], 0, t)).count -= 1;
      tally(corners_, {{corners[at(e)], -1, -1}, 1, 0, t}).count -= 1;
    }
  }
  /// c(edge) = 1 - #triangles, c(corner) = 1 - #triangles - sum of c over its edges.
  const std::vector<Counted>& finish(double thickness) {
    for (Counted& e : edges_) {
      e.count += 1;
      for (int k = 0; k < 2; ++k) tally(corners_, {{e.nodes[at(k)], -1, -1}, 1, 0, e.triangle}).count -= e.count;
      const Closest closest = closest_on_segment(p_, x_[at(e.nodes[0])], x_[at(e.nodes[1])]);
      if (e.count == 0 || closest.distance2 >= thickness * thickness) continue;
      if (closest.corners == 3)
        add(e);
      else
        add({{e.nodes[closest.corners == 1 ? 0 : 1], -1, -1}, 1, e.count, e.triangle});
    }
    for (Counted& c : corners_) {
      c.count += 1;
      if (c.count != 0 && (p_ - x_[at(c.nodes[0])]).squaredNorm() < thickness * thickness) add(c);
    }
    return carriers_;
  }

 private:
  static Counted edge(int a, int b, int count, int triangle) {
    return {{std::min(a, b), std::max(a, b), -1}, 2, count, triangle};
  }
  static Counted& tally(std::vector<Counted>& list, const Counted& simplex) {
    for (Counted& known : list)
      if (known.kind == simplex.kind && known.nodes == simplex.nodes) return known;
    return list.emplace_back(simplex);
  }
  void add(const Counted& carrier) {
    Counted entry = carrier;
    entry.count = 0;
    tally(carriers_, entry).count += carrier.count;
  }

  const ClothSurface& surface_;
  const std::vector<Vec3>& x_;
  Vec3 p_ = Vec3::Zero();
  std::vector<Counted> carriers_, edges_, corners_;
};

ClothTouch node_touch(const std::vector<Vec3>& x, int node, double area, const Counted& carrier) {
  ClothTouch touch;
  Vec3 corners[3];
  touch.count = carrier.kind + 1;
  touch.nodes[0] = node;
  for (int k = 0; k < carrier.kind; ++k) {
    touch.nodes[at(k + 1)] = carrier.nodes[at(k)];
    corners[k] = x[at(carrier.nodes[at(k)])];
  }
  touch.gap = feature_gap(x[at(node)], corners, carrier.kind, 1, Vec3::UnitZ());
  touch.scale = 0.5 * area * carrier.count;
  touch.triangle = carrier.triangle;
  return touch;
}

/// False: the edges are parallel, and m is as good as zero.
bool edge_touch(const ClothSurface& surface, const std::vector<Vec3>& x, const EdgePair& pair,
                const ClosestOfSegments& closest, ClothTouch& touch) {
  const std::array<int, 2>&a = surface.edges[at(pair.first)], &b = surface.edges[at(pair.second)];
  const Vec3 xa[2] = {x[at(a[0])], x[at(a[1])]}, xb[2] = {x[at(b[0])], x[at(b[1])]};
  const Vec3 u = xa[1] - xa[0], v = xb[1] - xb[0];
  if (u.cross(v).squaredNorm() <= negligible_sine * u.squaredNorm() * v.squaredNorm()) return false;
  const double lengths = surface.edge_length[at(pair.first)] * surface.edge_length[at(pair.second)];
  touch = ClothTouch();
  touch.is_edge_pair = true;
  touch.parallel = parallel_factor(u, v, parallel_share * lengths * lengths);
  touch.scale = 0.125 * (surface.edge_area[at(pair.first)] + surface.edge_area[at(pair.second)]);
  touch.triangle = surface.edge_owner[at(pair.second)];
  touch.count = 4;
  // The gap's own points come first, in its order; n leads from b to a where both are lines.
  int order[4] = {0, 1, 2, 3};  // among a0, a1, b0, b1
  if (closest.on_a == 3 && closest.on_b == 3) {
    touch.gap = crossing_gap(xa, xb);
  } else if (closest.on_a != 3) {
    const int end = closest.on_a == 1 ? 0 : 1;
    order[0] = end, order[3] = 1 - end;
    order[1] = closest.on_b == 2 ? 3 : 2, order[2] = closest.on_b == 2 ? 2 : 3;
    const Vec3 other[2] = {xb[order[1] - 2], xb[order[2] - 2]};
    touch.gap = feature_gap(xa[end], other, closest.on_b == 3 ? 2 : 1, 1, Vec3::UnitZ());
  } else {
    const int end = closest.on_b == 1 ? 0 : 1;
    order[0] = 2 + end, order[3] = 3 - end;
    order[1] = 0, order[2] = 1;
    touch.gap = feature_gap(xb[end], xa, 2, 1, Vec3::UnitZ());
    touch.triangle = surface.edge_owner[at(pair.first)];
  }
  constexpr int along_u[4] = {-1, 1, 0, 0}, along_v[4] = {0, 0, -1, 1};
  for (int k = 0; k < 4; ++k) {
    touch.nodes[at(k)] = order[k] < 2 ? a[at(order[k])] : b[at(order[k] - 2)];
    touch.along[0][k] = along_u[order[k]];
    touch.along[1][k] = along_v[order[k]];
  }
  return true;
}

}  // namespace

void find_touches(const ClothSurface& surface, const ClothNeighbors& neighbors, const std::vector<Vec3>& x,
                  double thickness, std::vector<ClothTouch>& touches) {
  touches.clear();
  const double thickness2 = thickness * thickness;
  NodeCounts counts(surface, x);
  const std::vector<NodeTriangle>& near = neighbors.node_triangles();
  for (std::size_t i = 0; i < near.size();) {
    const int node = near[i].node;
    const Vec3& p = x[at(node)];
    bool any = false;
    for (; i < near.size() && near[i].node == node; ++i) {
      const std::array<int, 3>& t = surface.triangles[at(near[i].triangle)];
      const NearestOnTriangle spot = nearest_on_triangle(p, x[at(t[0])], x[at(t[1])], x[at(t[2])]);
      if ((p - spot.point).squaredNorm() >= thickness2) continue;
      if (!any) counts.start(node);
      any = true;
      counts.add_triangle(near[i].triangle, spot);
    }
    if (!any) continue;
    for (const Counted& carrier : counts.finish(thickness))
      if (carrier.count != 0) touches.push_back(node_touch(x, node, surface.node_area[at(node)], carrier));
  }
  ClothTouch touch;
  for (const EdgePair& pair : neighbors.edge_pairs()) {
    const std::array<int, 2>&a = surface.edges[at(pair.first)], &b = surface.edges[at(pair.second)];
    const Vec3 xa[2] = {x[at(a[0])], x[at(a[1])]}, xb[2] = {x[at(b[0])], x[at(b[1])]};
    const ClosestOfSegments closest = closest_of_segments(xa, xb);
    if (closest.distance2 < thickness2 && edge_touch(surface, x, pair, closest, touch)) touches.push_back(touch);
  }
}

}  // namespace dashpot::contact
