// Neighborhood in space and in the node graph: coincident nodes, connected parts, node order.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

/// Nodes hashed by the cell they lie in. Cells are 16 tolerances wide, so that most nodes look into one cell only, and
/// nodes further apart than the tolerance never crowd a cell beyond a fixed number.
class NodeCells {
 public:
  NodeCells(const std::vector<Vec3>& nodes, double tolerance)
      : nodes_(nodes), origin_(bounding_box(nodes).min), tolerance_(tolerance), next_(nodes.size(), -1) {
    // 2^40 cells per axis at most, so that cell numbers stay exact.
    const double diagonal = bounding_box(nodes).diagonal();
    width_ = std::max({16 * tolerance, diagonal * 0x1p-40, 1e-300});
    std::size_t size = 16;
    while (size < 2 * nodes.size()) size *= 2;
    head_.assign(size, -1);
  }

  /// First earlier node within the tolerance of node i, or -1.
  int find(int i) const {
    const Vec3& x = nodes_[at(i)];
    std::array<std::int64_t, 3> low{}, high{};
    for (int axis = 0; axis < 3; ++axis) {
      low[at(axis)] = cell(x[axis] - tolerance_, axis);
      high[at(axis)] = cell(x[axis] + tolerance_, axis);
    }
    int best = -1;
    for (auto a = low[0]; a <= high[0]; ++a)
      for (auto b = low[1]; b <= high[1]; ++b)
        for (auto c = low[2]; c <= high[2]; ++c)
          for (int n = head_[slot(a, b, c)]; n >= 0; n = next_[at(n)])
            if ((nodes_[at(n)] - x).norm() <= tolerance_ && (best < 0 || n < best)) best = n;
    return best;
  }

  void insert(int i) {
    const Vec3& x = nodes_[at(i)];
    int& head = head_[slot(cell(x[0], 0), cell(x[1], 1), cell(x[2], 2))];
    next_[at(i)] = head;
    head = i;
  }

 private:
  std::int64_t cell(double x, int axis) const {
    return static_cast<std::int64_t>(std::floor((x - origin_[axis]) / width_));
  }
  std::size_t slot(std::int64_t a, std::int64_t b, std::int64_t c) const {
    std::uint64_t h = static_cast<std::uint64_t>(a) * 0x9E3779B97F4A7C15ULL;
    h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(b)) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(c)) * 0x94D049BB133111EBULL;
    return static_cast<std::size_t>(h ^ (h >> 31)) & (head_.size() - 1);
  }

  const std::vector<Vec3>& nodes_;
  Vec3 origin_;
  double tolerance_, width_;
  std::vector<int> head_, next_;
};

/// Nodes that share an element, as compressed rows; each row is sorted and free of repetitions.
struct NodeGraph {
  std::vector<int> start, neighbor;
  int degree(int n) const { return start[at(n) + 1] - start[at(n)]; }
};

NodeGraph node_graph(const Mesh& mesh) {
  std::vector<std::vector<int>> rows(mesh.nodes.size());
  for (const ElementGroup& group : mesh.groups) {
    const int count = nodes_per_element(group.kind);
    for (int e = 0; e < group.size(); ++e) {
      const int* n = group.element(e);
      for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b)
          if (n[a] != n[b]) rows[at(n[a])].push_back(n[b]);
    }
  }
  NodeGraph graph;
  graph.start.push_back(0);
  for (std::vector<int>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    graph.neighbor.insert(graph.neighbor.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<int>(graph.neighbor.size()));
  }
  return graph;
}

/// Breadth-first order from `seed` appended to `order`, neighbors by increasing degree; returns the first node of the
/// last level.
int append_levels(const NodeGraph& graph, int seed, std::vector<char>& seen, std::vector<int>& order) {
  std::size_t level_begin = order.size(), next = level_begin;
  order.push_back(seed);
  seen[at(seed)] = 1;
  std::size_t level_end = order.size();
  while (true) {
    for (; next < level_end; ++next) {
      const std::size_t first = order.size();
      const int n = order[next];
      for (int s = graph.start[at(n)]; s < graph.start[at(n) + 1]; ++s) {
        const int m = graph.neighbor[at(s)];
        if (seen[at(m)] != 0) continue;
        seen[at(m)] = 1;
        order.push_back(m);
      }
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                       [&](int a, int b) { return graph.degree(a) < graph.degree(b); });
    }
    if (order.size() == level_end) return order[level_begin];
    level_begin = level_end;
    level_end = order.size();
  }
}

}  // namespace

std::vector<int> coincident_nodes(const Mesh& mesh, double tolerance) {
  std::vector<int> twin(mesh.nodes.size());
  NodeCells cells(mesh.nodes, tolerance);
  for (int i = 0; i < mesh.num_nodes(); ++i) {
    const int earlier = cells.find(i);
    twin[at(i)] = earlier < 0 ? i : earlier;
    if (earlier < 0) cells.insert(i);  // only representatives: a row of close nodes does not chain into one
  }
  return twin;
}

std::vector<int> locality_order(const Mesh& mesh) {
  const NodeGraph graph = node_graph(mesh);
  std::vector<char> seen(mesh.nodes.size(), 0), probe(mesh.nodes.size(), 0);
  std::vector<int> order, trial;
  for (int n = 0; n < mesh.num_nodes(); ++n) {
    if (seen[at(n)] != 0) continue;
    // Two sweeps find a node at an end of this part: levels from there are narrow.
    int seed = n;
    for (int sweep = 0; sweep < 2; ++sweep) {
      trial.clear();
      seed = append_levels(graph, seed, probe, trial);
      for (const int m : trial) probe[at(m)] = 0;
    }
    append_levels(graph, seed, seen, order);
  }
  std::vector<int> new_of_old(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_of_old[at(order[i])] = static_cast<int>(order.size() - 1 - i);
  return new_of_old;
}

int num_connected_parts(const Mesh& mesh) {
  std::vector<int> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int n) {
    while (parent[at(n)] != n) n = parent[at(n)] = parent[at(parent[at(n)])];
    return n;
  };
  std::vector<char> used(mesh.nodes.size(), 0);
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size(); ++e) {
      const int* n = group.element(e);
      for (int a = 0; a < nodes_per_element(group.kind); ++a) {
        used[at(n[a])] = 1;
        parent[at(root(n[a]))] = root(n[0]);
      }
    }
  int parts = 0;
  for (int n = 0; n < mesh.num_nodes(); ++n)
    if (used[at(n)] != 0 && root(n) == n) ++parts;
  return parts;
}

}  // namespace dashpot
