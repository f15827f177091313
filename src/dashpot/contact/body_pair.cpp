#include "dashpot/contact/body_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/contact/box_tree.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int samples_per_range = 64;

Vec3 triangle_normal(const Vector& q, const std::array<int, 3>& t) {
  const Vec3 a = point(q, t[0]);
  return (point(q, t[1]) - a).cross(point(q, t[2]) - a).normalized();
}

Vec3 edge_normal(const ContactSurface& surface, const Vector& q, int edge) {
  Vec3 n = Vec3::Zero();
  for (const int t : surface.edge_triangles[at(edge)]) n += triangle_normal(q, surface.triangles[at(t)]);
  return n;
}

/// Mean of the triangles' normals, weighted with their angles at the corner.
Vec3 corner_normal(const ContactSurface& surface, const Vector& q, int corner) {
  Vec3 n = Vec3::Zero();
  for (const int t : surface.corner_triangles[at(corner)]) {
    const std::array<int, 3>& nodes = surface.triangles[at(t)];
    int k = 0;
    while (surface.triangle_corners[at(t)][at(k)] != corner) ++k;
    const Vec3 x = point(q, nodes[at(k)]);
    const Vec3 u = point(q, nodes[at((k + 1) % 3)]) - x, v = point(q, nodes[at((k + 2) % 3)]) - x;
    n += std::atan2(u.cross(v).norm(), u.dot(v)) * triangle_normal(q, nodes);
  }
  return n;
}

/// A simplex of a surface: kind 1 corner, 2 edge, 3 triangle.
struct Simplex {
  int kind = 0, index = 0;
  bool operator==(const Simplex&) const = default;
  bool operator<(const Simplex& o) const { return kind != o.kind ? kind > o.kind : index < o.index; }
};

Simplex carrier_on_triangle(const ContactSurface& surface, int t, unsigned corners) {
  switch (corners) {
    case 7:
      return {3, t};
    case 3:
      return {2, surface.triangle_edges[at(t)][0]};
    case 6:
      return {2, surface.triangle_edges[at(t)][1]};
    case 5:
      return {2, surface.triangle_edges[at(t)][2]};
    default:
      return {1, surface.triangle_corners[at(t)][corners == 1 ? 0 : corners == 2 ? 1 : 2]};
  }
}

Vec3 normal_of(const ContactSurface& surface, const Vector& q, const Simplex& simplex) {
  if (simplex.kind == 3) return triangle_normal(q, surface.triangles[at(simplex.index)]);
  return simplex.kind == 2 ? edge_normal(surface, q, simplex.index) : corner_normal(surface, q, simplex.index);
}

Vec3 any_point_of(const ContactSurface& surface, const Vector& q, const Simplex& simplex) {
  if (simplex.kind == 3) return point(q, surface.triangles[at(simplex.index)][0]);
  return point(q, simplex.kind == 2 ? surface.edges[at(simplex.index)][0] : surface.corners[at(simplex.index)]);
}

/// The touches of one sample with one surface.
class SampleSearch {
 public:
  SampleSearch(const ContactSurface& onto, const Vector& q, const BoxTree& tree, const std::vector<Simplex>& tops,
               double reach)
      : onto_(onto), q_(q), tree_(tree), tops_(tops), reach_(reach) {}

  void run(const Sample& sample, std::vector<Touch>& touches) {
    const Vec3 p = point(q_, sample);
    if (onto_.is_solid && add_inside(sample, p, touches)) return;
    tally_.clear();
    near_.clear();
    tree_.near(p, reach_, [&](int top) {
      near_.push_back(top);
      return reach_;
    });
    std::sort(near_.begin(), near_.end());
    add_counts(p);
    for (const Tally& entry : tally_)
      if (entry.count != 0) touches.push_back(make_touch(sample, entry, 1));
  }

 private:
  struct Tally {
    Simplex carrier;
    int count = 0, triangle = -1;
  };

  void add(const Simplex& carrier, int count, int triangle) {
    for (Tally& entry : tally_)
      if (entry.carrier == carrier) {
        entry.count += count;
        return;
      }
    tally_.push_back({carrier, count, triangle});
  }

  /// Each simplex in reach gives its count to the simplex that carries its closest point.
  void add_counts(const Vec3& p) {
    const double reach2 = reach_ * reach_;
    edges_.clear();
    corners_.clear();
    for (const int top : near_) {
      const Simplex& simplex = tops_[at(top)];
      if (simplex.kind == 3) {
        const std::array<int, 3>& t = onto_.triangles[at(simplex.index)];
        const Closest closest = closest_on_triangle(p, point(q_, t[0]), point(q_, t[1]), point(q_, t[2]));
        if (closest.distance2 > reach2) continue;
        add(carrier_on_triangle(onto_, simplex.index, closest.corners), 1, simplex.index);
        for (const int e : onto_.triangle_edges[at(simplex.index)]) edges_.push_back({e, simplex.index});
      } else if (simplex.kind == 2) {
        edges_.push_back({simplex.index, -1});
      } else {
        corners_.push_back({simplex.index, -1});
      }
    }
    tidy(edges_);
    for (const auto& [e, triangle] : edges_) {
      const std::array<int, 2>& ends = onto_.edges[at(e)];
      const Closest closest = closest_on_segment(p, point(q_, ends[0]), point(q_, ends[1]));
      if (closest.distance2 > reach2) continue;
      const int corner = onto_.edge_corners[at(e)][closest.corners == 2 ? 1 : 0];
      add(closest.corners == 3 ? Simplex{2, e} : Simplex{1, corner}, onto_.edge_count[at(e)], triangle);
      for (const int c : onto_.edge_corners[at(e)]) corners_.push_back({c, triangle});
    }
    tidy(corners_);
    for (const auto& [c, triangle] : corners_)
      if ((p - point(q_, onto_.corners[at(c)])).squaredNorm() <= reach2)
        add({1, c}, onto_.corner_count[at(c)], triangle);
  }

  static void tidy(std::vector<std::pair<int, int>>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
               list.end());
  }

  /// True when p lies inside the solid: then the closest simplex alone pushes.
  bool add_inside(const Sample& sample, const Vec3& p, std::vector<Touch>& touches) {
    double best2 = std::numeric_limits<double>::infinity();
    Tally closest;
    tree_.near(p, std::max(onto_.depth_limit, reach_), [&](int top) {
      const int triangle = tops_[at(top)].index;
      const std::array<int, 3>& t = onto_.triangles[at(triangle)];
      const Closest found = closest_on_triangle(p, point(q_, t[0]), point(q_, t[1]), point(q_, t[2]));
      const Simplex carrier = carrier_on_triangle(onto_, triangle, found.corners);
      if (found.distance2 < best2 || (found.distance2 == best2 && carrier < closest.carrier)) {
        best2 = found.distance2;
        closest = {carrier, 1, triangle};
      }
      return std::min(std::max(onto_.depth_limit, reach_), std::sqrt(best2));
    });
    if (closest.triangle < 0) return true;  // nothing in reach: nothing to do
    const Vec3 normal = normal_of(onto_, q_, closest.carrier);
    if (normal.dot(p - any_point_of(onto_, q_, closest.carrier)) >= 0) return best2 > reach_ * reach_;
    if (best2 <= onto_.depth_limit * onto_.depth_limit) touches.push_back(make_touch(sample, closest, -1));
    return true;
  }

  Touch make_touch(const Sample& sample, const Tally& entry, double side) const {
    Touch touch;
    touch.sample = &sample;
    touch.num_points = entry.carrier.kind;
    const int i = entry.carrier.index;
    if (touch.num_points == 3) touch.nodes = onto_.triangles[at(i)];
    if (touch.num_points == 2) touch.nodes = {onto_.edges[at(i)][0], onto_.edges[at(i)][1], 0};
    if (touch.num_points == 1) touch.nodes = {onto_.corners[at(i)], 0, 0};
    touch.scale = 0.5 * sample.area * entry.count;
    touch.side = side;
    touch.triangle = entry.triangle;
    const Vec3 normal = normal_of(onto_, q_, entry.carrier);
    if (normal.norm() > 0) touch.fallback = normal.normalized();
    return touch;
  }

  const ContactSurface& onto_;
  const Vector& q_;
  const BoxTree& tree_;
  const std::vector<Simplex>& tops_;
  double reach_;
  std::vector<Tally> tally_;
  std::vector<int> near_;
  std::vector<std::pair<int, int>> edges_, corners_;  ///< (index, a triangle that has it)
};

/// Simplices that belong to no larger one: triangles, edges of chains, single points.
std::vector<Simplex> tops_of(const ContactSurface& surface) {
  std::vector<Simplex> tops;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) tops.push_back({3, static_cast<int>(t)});
  std::vector<char> covered(surface.corners.size(), 0);
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    for (const int c : surface.edge_corners[e]) covered[at(c)] = 1;
    if (surface.edge_triangles[e].empty()) tops.push_back({2, static_cast<int>(e)});
  }
  for (std::size_t c = 0; c < surface.corners.size(); ++c)
    if (covered[c] == 0) tops.push_back({1, static_cast<int>(c)});
  return tops;
}

Box box_of(const ContactSurface& surface, const Vector& q, const Simplex& simplex) {
  Box box;
  if (simplex.kind == 3)
    for (const int node : surface.triangles[at(simplex.index)]) box.extend(point(q, node));
  else if (simplex.kind == 2)
    for (const int node : surface.edges[at(simplex.index)]) box.extend(point(q, node));
  else
    box.extend(point(q, surface.corners[at(simplex.index)]));
  return box;
}

Box grown(const Box& box, double by) { return Box(box.min() - Vec3::Constant(by), box.max() + Vec3::Constant(by)); }

Box box_of(const ContactSurface& surface, const Vector& q) {
  Box box;
  for (const int node : surface.corners) box.extend(point(q, node));
  return box;
}

}  // namespace

BodyPair::BodyPair(ContactSurface a, ContactSurface b, const PairLaw& law)
    : a_(std::move(a)), b_(std::move(b)), law_(law), skin_(a_.radius + b_.radius) {}

void BodyPair::collect(const ContactSurface& from, const ContactSurface& onto, const Vector& q,
                       std::vector<Touch>& touches) const {
  const double reach = skin_ + 0.5 * law_.onset;
  const double margin = std::max(reach, onto.depth_limit);
  const Box meeting = grown(box_of(from, q), reach).intersection(grown(box_of(onto, q), reach));
  if (meeting.isEmpty()) return;
  std::vector<Simplex> tops;
  std::vector<Box> boxes;
  const Box around = grown(meeting, margin);
  for (const Simplex& top : tops_of(onto)) {
    const Box box = box_of(onto, q, top);
    if (!around.intersects(box)) continue;
    tops.push_back(top);
    boxes.push_back(box);
  }
  const BoxTree tree(std::move(boxes));
  std::vector<const Sample*> samples;
  for (const Sample& sample : from.samples)
    if (meeting.contains(point(q, sample))) samples.push_back(&sample);
  const int count = static_cast<int>(samples.size());
  std::vector<std::vector<Touch>> found(at((count + samples_per_range - 1) / samples_per_range));
  parallel_for(count, samples_per_range, [&](int begin, int end) {
    SampleSearch search(onto, q, tree, tops, reach);
    for (int i = begin; i < end; ++i) search.run(*samples[at(i)], found[at(begin / samples_per_range)]);
  });
  for (const std::vector<Touch>& part : found) touches.insert(touches.end(), part.begin(), part.end());
}

std::vector<Touch> BodyPair::touches(const Vector& q) const {
  std::vector<Touch> touches;
  collect(a_, b_, q, touches);
  collect(b_, a_, q, touches);
  return touches;
}

FeatureGap BodyPair::gap(const Vector& q, const Touch& touch) const {
  Vec3 x[3];
  for (int k = 0; k < touch.num_points; ++k) x[k] = point(q, touch.nodes[at(k)]);
  return feature_gap(point(q, *touch.sample), x, touch.num_points, touch.side, touch.fallback);
}

double BodyPair::reach_per_step() const {
  // A point that ends a step deeper in a solid than the limit is not felt any more; between sheets and chains one that
  // ends beyond the middle is pushed out on the wrong side.
  double depth = std::numeric_limits<double>::infinity();
  for (const ContactSurface* surface : {&a_, &b_})
    if (surface->is_solid) depth = std::min(depth, surface->depth_limit);
  return skin_ + (std::isfinite(depth) ? depth : 0);
}

double BodyPair::approach_speed(const Vector& q, const Vector& v, double dt) const {
  const auto largest = [&](const ContactSurface& surface) {
    double speed = 0;
    for (const int node : surface.corners) speed = std::max(speed, point(v, node).norm());
    return speed;
  };
  const double reach = skin_ + 0.5 * law_.onset + (largest(a_) + largest(b_)) * dt;
  const Box meeting = grown(box_of(a_, q), reach).intersection(grown(box_of(b_, q), reach));
  if (meeting.isEmpty()) return 0;
  // Velocities of the points that could meet, as a box: its corners farthest apart bound the relative speed.
  const auto velocities = [&](const ContactSurface& surface) {
    Box box;
    for (const int node : surface.corners)
      if (meeting.contains(point(q, node))) box.extend(point(v, node));
    return box;
  };
  const Box va = velocities(a_), vb = velocities(b_);
  if (va.isEmpty() && vb.isEmpty()) return 0;
  const auto spread = [&](const ContactSurface& surface) {
    Box box;
    for (const int node : surface.corners) box.extend(point(v, node));
    return box;
  };
  const Box first = va.isEmpty() ? spread(a_) : va, second = vb.isEmpty() ? spread(b_) : vb;
  const Vec3 most = (first.max() - second.min()).cwiseAbs().cwiseMax((second.max() - first.min()).cwiseAbs());
  return most.norm();
}

}  // namespace dashpot::contact
