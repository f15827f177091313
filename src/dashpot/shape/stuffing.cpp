#include "dashpot/shape/stuffing.hpp"

#include <algorithm>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/shape/cut_edges.hpp"

namespace dashpot {
namespace {

/// A corner of a lattice tet.
struct Corner {
  HalfCoordinates H;
  int point;
  int sign;
};
bool is_same_color(const Corner& a, const Corner& b) { return ((a.H[0] ^ b.H[0]) & 1) == 0; }

/// Six nodes: triangles n[0..2] and n[3..5], n[i] opposite n[i + 3].
using Prism = std::array<int, 6>;

class Filler {
 public:
  Filler(const Lattice& lattice, const CutEdges& cuts)
      : lattice_(lattice),
        cuts_(cuts),
        node_of_point_(at(lattice.num_points()), -1),
        node_of_cut_(at(cuts.num_cuts()), -1),
        tets_(mesh_.group_or_new(ElementKind::tet4).nodes) {}

  Mesh run() {
    for (int p = 0; p < lattice_.num_points(); p += 2) {
      const HalfCoordinates H = lattice_.coordinates(p);
      for (std::size_t axis = 0; axis < 3; ++axis) fill_around(H, axis);
    }
    return std::move(mesh_);
  }

 private:
  /// The four tets around the long edge from a black point along an axis.
  void fill_around(const HalfCoordinates& H, std::size_t axis) {
    const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
    HalfCoordinates end = H;
    end[axis] += 2;
    std::array<Corner, 4> ring;
    constexpr int turns[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (std::size_t r = 0; r < 4; ++r) {
      HalfCoordinates red = H;
      red[axis] += 1;
      red[j] += turns[r][0];
      red[k] += turns[r][1];
      ring[r] = corner(red);
    }
    const Corner a = corner(H), b = corner(end);
    for (std::size_t r = 0; r < 4; ++r) fill({a, b, ring[r], ring[(r + 1) % 4]});
  }

  Corner corner(const HalfCoordinates& H) const {
    const int point = lattice_.point(H);
    return {H, point, cuts_.sign(point)};
  }

  void fill(std::array<Corner, 4> c) {
    // Inside first, then on the surface, then outside.
    std::stable_sort(c.begin(), c.end(), [](const Corner& a, const Corner& b) { return a.sign > b.sign; });
    const auto count = [&](int sign) {
      return std::count_if(c.begin(), c.end(), [sign](const Corner& x) { return x.sign == sign; });
    };
    const auto inside = count(1), outside = count(-1);
    if (inside == 0) return;
    if (outside == 0) return add(node(c[0]), node(c[1]), node(c[2]), node(c[3]));
    if (inside == 1) return add(node(c[0]), edge_node(c[0], c[1]), edge_node(c[0], c[2]), edge_node(c[0], c[3]));
    if (inside == 3) return fill_three(c[3], c[0], c[1], c[2]);
    if (outside == 1) return fill_pyramid(c[0], c[1], c[3], node(c[2]));
    fill_two(c[0], c[1], c[2], c[3]);
  }

  int node(const Corner& c) {
    int& n = node_of_point_[at(c.point)];
    if (n < 0) {
      n = mesh_.num_nodes();
      mesh_.nodes.push_back(cuts_.position(c.point));
    }
    return n;
  }

  /// The end of the edge from an inside corner: the other corner when that is on the surface, else the cut.
  int edge_node(const Corner& from, const Corner& to) {
    if (to.sign == 0) return node(to);
    const int c = cuts_.between(from.H, to.H);
    int& n = node_of_cut_[at(c)];
    if (n < 0) {
      n = mesh_.num_nodes();
      mesh_.nodes.push_back(cuts_.cut(c));
    }
    return n;
  }

  /// The face (a, b inside; c outside) is cut to the quadrilateral a, b, cut(bc), cut(ac). True: its diagonal starts at
  /// a.
  static bool diagonal_from_first(const Corner& a, const Corner& b, const Corner& c) {
    if (!is_same_color(a, b)) return is_same_color(b, c);  // to the cut on the long edge
    int larger = 0;  // parity rule: the sign pattern of a - c is that of a - cut(bc)
    for (std::size_t i = 0; i < 3; ++i) larger += a.H[i] > c.H[i] ? 1 : 0;
    return larger % 2 == 1;
  }

  /// a, b inside, c outside, the fourth corner on the surface.
  void fill_pyramid(const Corner& a, const Corner& b, const Corner& c, int apex) {
    const int na = node(a), nb = node(b), ac = edge_node(a, c), bc = edge_node(b, c);
    if (diagonal_from_first(a, b, c)) {
      add(na, nb, bc, apex);
      add(na, bc, ac, apex);
    } else {
      add(nb, ac, na, apex);
      add(nb, bc, ac, apex);
    }
  }

  /// a, b inside, c, d outside.
  void fill_two(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
    const Prism prism{node(a), edge_node(a, c), edge_node(a, d), node(b), edge_node(b, c), edge_node(b, d)};
    const bool first = diagonal_from_first(a, b, c), second = diagonal_from_first(a, b, d);
    // The quadrilateral of cuts is surface and free; of the two diagonals take one that can be filled.
    if (first == second)
      split(prism, first, true, second);
    else
      split(prism, first, !first, second);
  }

  /// Only `o` outside.
  void fill_three(const Corner& o, const Corner& a, const Corner& b, const Corner& c) {
    const Prism prism{node(a), node(b), node(c), edge_node(a, o), edge_node(b, o), edge_node(c, o)};
    split(prism, diagonal_from_first(a, b, o), diagonal_from_first(b, c, o), diagonal_from_first(a, c, o));
  }

  /// Three tets of a prism. The flags say whether the diagonal of face 01, 12, 02 starts at its first node of the first
  /// triangle (0-4, 1-5, 0-5) or at the second (1-3, 2-4, 2-3).
  void split(const Prism& n, bool d01, bool d12, bool d02) {
    // degree[i]: diagonals that end at n[i]. One corner has two of them unless they run in a circle.
    if (d01 && d02) return fan(n, 0, 1, 2, d12);
    if (!d01 && d12) return fan(n, 1, 2, 0, !d02);
    if (!d12 && !d02) return fan(n, 2, 0, 1, d01);
    const Prism m{n[3], n[4], n[5], n[0], n[1], n[2]};  // upside down: a diagonal starts at its other end
    if (!d01 && !d02) return fan(m, 0, 1, 2, !d12);
    if (d01 && !d12) return fan(m, 1, 2, 0, d02);
    fan(m, 2, 0, 1, !d01);
  }

  /// n[i] carries the diagonals to n[j + 3] and n[k + 3]; `from_j`: the third one runs from n[j] to n[k + 3].
  void fan(const Prism& n, std::size_t i, std::size_t j, std::size_t k, bool from_j) {
    add(n[i], n[i + 3], n[j + 3], n[k + 3]);
    if (from_j) {
      add(n[i], n[j], n[k], n[k + 3]);
      add(n[i], n[j], n[k + 3], n[j + 3]);
    } else {
      add(n[i], n[j], n[k], n[j + 3]);
      add(n[i], n[k], n[k + 3], n[j + 3]);
    }
  }

  void add(int a, int b, int c, int d) {
    const auto X = [this](int n) -> const Vec3& { return mesh_.nodes[at(n)]; };
    if (tet_volume(X(a), X(b), X(c), X(d)) < 0) std::swap(c, d);
    tets_.insert(tets_.end(), {a, b, c, d});
  }

  const Lattice& lattice_;
  const CutEdges& cuts_;
  Mesh mesh_;
  std::vector<int> node_of_point_, node_of_cut_;
  std::vector<int>& tets_;
};

}  // namespace

Mesh stuff(const Lattice& lattice, CutSearch search) {
  const CutEdges cuts(lattice, search);
  return Filler(lattice, cuts).run();
}

}  // namespace dashpot
