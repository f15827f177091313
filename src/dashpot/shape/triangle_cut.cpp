#include <algorithm>
#include <cmath>

#include "dashpot/core/types.hpp"
#include "dashpot/shape/roots.hpp"
#include "dashpot/shape/triangle_mesh.hpp"

namespace dashpot {
namespace {

constexpr double alpha = 0.3;  // of an edge; nodes closer to a cut move onto it

struct CutEdge {
  int a, b;  // a < b
  double t;  // from a to b
  bool is_alive = true;
  int node = -1;
};

class Cutter {
 public:
  Cutter(const TriangleMesh& mesh, FunctionRef<double(const Vec3&)> g) : mesh_(mesh), nodes_(mesh.nodes) {
    value_.resize(nodes_.size());
    parallel_for(static_cast<int>(nodes_.size()), 256, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) value_[at(i)] = g(nodes_[at(i)]);
    });
    find_cuts(g);
    warp();
  }

  TriangleMesh run() {
    for (const auto& t : mesh_.triangles) add_part(t);
    std::vector<int> new_of_old(nodes_.size(), -1);
    TriangleMesh result;
    for (auto& t : triangles_)
      for (int& n : t) {
        int& renamed = new_of_old[at(n)];
        if (renamed < 0) {
          renamed = static_cast<int>(result.nodes.size());
          result.nodes.push_back(nodes_[at(n)]);
        }
        n = renamed;
      }
    result.triangles = std::move(triangles_);
    return result;
  }

 private:
  void find_cuts(FunctionRef<double(const Vec3&)> g) {
    for (const auto& t : mesh_.triangles)
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = std::min(t[i], t[(i + 1) % 3]), b = std::max(t[i], t[(i + 1) % 3]);
        if (value_[at(a)] * value_[at(b)] < 0) cuts_.push_back({a, b, 0});
      }
    const auto before = [](const CutEdge& x, const CutEdge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; };
    std::sort(cuts_.begin(), cuts_.end(), before);
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end(),
                            [](const CutEdge& x, const CutEdge& y) { return x.a == y.a && x.b == y.b; }),
                cuts_.end());
    parallel_for(static_cast<int>(cuts_.size()), 64, [&](int begin, int end) {
      for (int c = begin; c < end; ++c) {
        CutEdge& edge = cuts_[at(c)];
        edge.t = root_on_segment(g, nodes_[at(edge.a)], nodes_[at(edge.b)], value_[at(edge.a)], value_[at(edge.b)]);
      }
    });
  }

  void warp() {
    std::vector<std::pair<int, int>> at_node;  // (node, cut)
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      at_node.emplace_back(cuts_[c].a, static_cast<int>(c));
      at_node.emplace_back(cuts_[c].b, static_cast<int>(c));
    }
    std::sort(at_node.begin(), at_node.end());
    for (std::size_t i = 0, end = 0; i < at_node.size(); i = end) {
      double nearest = alpha;
      Vec3 target;
      for (end = i; end < at_node.size() && at_node[end].first == at_node[i].first; ++end) {
        const CutEdge& edge = cuts_[at(at_node[end].second)];
        const double t = edge.a == at_node[i].first ? edge.t : 1 - edge.t;
        if (!edge.is_alive || t >= nearest) continue;
        nearest = t;
        target = mesh_.nodes[at(edge.a)] + edge.t * (mesh_.nodes[at(edge.b)] - mesh_.nodes[at(edge.a)]);
      }
      if (nearest == alpha) continue;
      nodes_[at(at_node[i].first)] = target;
      value_[at(at_node[i].first)] = 0;
      for (std::size_t k = i; k < end; ++k) cuts_[at(at_node[k].second)].is_alive = false;
    }
  }

  /// The node where the edge from an inside node ends: the other node when that is on the line, else the cut.
  int end_of(int from, int to) {
    if (value_[at(to)] <= 0) return to;
    const CutEdge wanted{std::min(from, to), std::max(from, to), 0};
    const auto found = std::lower_bound(cuts_.begin(), cuts_.end(), wanted, [](const CutEdge& x, const CutEdge& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    if (found->node < 0) {
      found->node = static_cast<int>(nodes_.size());
      nodes_.push_back(mesh_.nodes[at(found->a)] + found->t * (mesh_.nodes[at(found->b)] - mesh_.nodes[at(found->a)]));
    }
    return found->node;
  }

  void add_part(std::array<int, 3> t) {
    const auto value = [&](std::size_t i) { return value_[at(t[i % 3])]; };
    const int inside = (value(0) < 0) + (value(1) < 0) + (value(2) < 0);
    const int outside = (value(0) > 0) + (value(1) > 0) + (value(2) > 0);
    if (inside == 0) return;
    if (outside == 0) {
      triangles_.push_back(t);
      return;
    }
    if (inside == 1) {  // turn the inside node to the front
      const std::size_t i = value(0) < 0 ? 0 : value(1) < 0 ? 1 : 2;
      triangles_.push_back({t[i], end_of(t[i], t[(i + 1) % 3]), end_of(t[i], t[(i + 2) % 3])});
      return;
    }
    const std::size_t o = value(0) > 0 ? 0 : value(1) > 0 ? 1 : 2;  // turn the outside node to the back
    const int a = t[(o + 1) % 3], b = t[(o + 2) % 3], b_end = end_of(b, t[o]), a_end = end_of(a, t[o]);
    const auto distance = [&](int p, int q) { return (nodes_[at(p)] - nodes_[at(q)]).squaredNorm(); };
    if (distance(a, b_end) < distance(b, a_end)) {
      triangles_.push_back({a, b, b_end});
      triangles_.push_back({a, b_end, a_end});
    } else {
      triangles_.push_back({a, b, a_end});
      triangles_.push_back({b, b_end, a_end});
    }
  }

  const TriangleMesh& mesh_;
  std::vector<Vec3> nodes_;
  std::vector<double> value_;
  std::vector<CutEdge> cuts_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

TriangleMesh triangle_lattice(const Eigen::Vector2d& low, const Eigen::Vector2d& high, double h) {
  // Rows are h sqrt(3)/2 apart, every second one shifted by h/2; anchored at the origin, so that symmetric outlines
  // stay symmetric about x = 0.
  TriangleMesh mesh;
  const double row = h * std::sqrt(0.75);
  const int j0 = static_cast<int>(std::floor(low.y() / row)) - 1, j1 = static_cast<int>(std::ceil(high.y() / row)) + 1;
  const int i0 = static_cast<int>(std::floor(low.x() / h)) - 1, i1 = static_cast<int>(std::ceil(high.x() / h)) + 1;
  const int n = i1 - i0 + 1;
  for (int j = j0; j <= j1; ++j)
    for (int i = i0; i <= i1; ++i) mesh.nodes.emplace_back(h * (i + ((j & 1) != 0 ? 0.5 : 0)), row * j, 0);
  for (int j = j0; j < j1; ++j)
    for (int i = i0; i < i1; ++i) {
      const int a = (j - j0) * n + i - i0, b = a + 1, c = a + n, d = c + 1;
      if ((j & 1) != 0) {  // the row above is shifted to the left
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
      }
    }
  return mesh;
}

TriangleMesh cut(const TriangleMesh& mesh, FunctionRef<double(const Vec3&)> g) { return Cutter(mesh, g).run(); }

}  // namespace dashpot
