#include "dashpot/contact/sample_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/types.hpp"

namespace dashpot::contact {
namespace {

NearestOnTriangle nearest(const Vec3& p, const PointPositions& x, const std::array<int, 3>& t) {
  return nearest_on_triangle(p, x[t[0]], x[t[1]], x[t[2]]);
}

/// Sorts, and keeps one entry for each index.
void tidy(std::vector<std::pair<int, int>>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
             list.end());
}

}  // namespace

void SampleSearch::run(const Sample& sample, std::vector<Touch>& touches) {
  const Vec3 p = position(x_, sample);
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
    if (entry.count != 0 && !is_tied(entry.carrier)) touches.push_back(make_touch(sample, entry, 1));
}

void SampleSearch::add(const Simplex& carrier, int count, int triangle) {
  for (Tally& entry : tally_)
    if (entry.carrier == carrier) {
      entry.count += count;
      return;
    }
  tally_.push_back({carrier, count, triangle});
}

void SampleSearch::add_counts(const Vec3& p) {
  const double reach2 = reach_ * reach_;
  edges_.clear();
  corners_.clear();
  for (const int top : near_) {
    const Simplex& simplex = tops_[at(top)];
    if (simplex.kind == 3) {
      const NearestOnTriangle closest = nearest(p, x_, onto_.triangles[at(simplex.index)]);
      if ((p - closest.point).squaredNorm() > reach2) continue;
      add(carrier_on_triangle(onto_, simplex.index, closest), 1, simplex.index);
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
    const Closest closest = closest_on_segment(p, x_[ends[0]], x_[ends[1]]);
    if (closest.distance2 > reach2) continue;
    const int corner = onto_.edge_corners[at(e)][closest.corners == 2 ? 1 : 0];
    add(closest.corners == 3 ? Simplex{2, e} : Simplex{1, corner}, onto_.edge_count[at(e)], triangle);
    for (const int c : onto_.edge_corners[at(e)]) corners_.push_back({c, triangle});
  }
  tidy(corners_);
  for (const auto& [c, triangle] : corners_)
    if ((p - x_[onto_.corners[at(c)]]).squaredNorm() <= reach2) add({1, c}, onto_.corner_count[at(c)], triangle);
}

bool SampleSearch::add_inside(const Sample& sample, const Vec3& p, std::vector<Touch>& touches) {
  double best2 = std::numeric_limits<double>::infinity();
  Tally closest;
  tree_.near(p, std::max(onto_.depth_limit, reach_), [&](int top) {
    const int triangle = tops_[at(top)].index;
    const NearestOnTriangle found = nearest(p, x_, onto_.triangles[at(triangle)]);
    const double distance2 = (p - found.point).squaredNorm();
    const Simplex carrier = carrier_on_triangle(onto_, triangle, found);
    if (distance2 < best2 || (distance2 == best2 && carrier < closest.carrier)) {
      best2 = distance2;
      closest = {carrier, 1, triangle};
    }
    return std::min(std::max(onto_.depth_limit, reach_), std::sqrt(best2));
  });
  if (closest.triangle < 0) return true;  // nothing in reach: nothing to do
  const Vec3 normal = normal_of(onto_, x_, closest.carrier);
  if (normal.dot(p - x_[nodes_of(onto_, closest.carrier)[0]]) >= 0) return best2 > reach_ * reach_;
  if (best2 <= onto_.depth_limit * onto_.depth_limit && !is_tied(closest.carrier))
    touches.push_back(make_touch(sample, closest, -1));
  return true;
}

bool SampleSearch::is_tied(const Simplex& simplex) const {
  const std::array<int, 3> nodes = nodes_of(onto_, simplex);
  return std::any_of(nodes.begin(), nodes.begin() + simplex.kind, [&](int node) { return tied_.contains(node); });
}

Touch SampleSearch::make_touch(const Sample& sample, const Tally& entry, double side) const {
  Touch touch;
  touch.sample = &sample;
  touch.num_points = entry.carrier.kind;
  touch.nodes = nodes_of(onto_, entry.carrier);
  touch.scale = 0.5 * sample.area * entry.count;
  touch.side = side;
  touch.triangle = entry.triangle;
  const Vec3 normal = normal_of(onto_, x_, entry.carrier);
  if (normal.norm() > 0) touch.fallback = normal.normalized();
  return touch;
}

}  // namespace dashpot::contact
