#pragma once
// Where the surface cuts the edges of a lattice, and which points are warped onto it. Internal to stuffing.

#include <vector>

#include "dashpot/shape/stuffing.hpp"

namespace dashpot {

class CutEdges {
 public:
  CutEdges(const Lattice& lattice, CutSearch search);

  /// +1 inside, -1 outside, 0 on the surface (after warping); -1 for no point.
  int sign(int point) const { return point < 0 ? -1 : sign_[static_cast<std::size_t>(point)]; }
  /// Where a point is after warping.
  Vec3 position(int point) const;
  /// Number of the cut between two neighboring points; both must have different, nonzero signs.
  int between(const HalfCoordinates& p, const HalfCoordinates& q) const;
  const Vec3& cut(int c) const { return cuts_[static_cast<std::size_t>(c)].x; }
  int num_cuts() const { return static_cast<int>(cuts_.size()); }

 private:
  struct Cut {
    int p, q;  ///< points; p is black for short edges, the lower one for long edges
    bool is_long;
    double t;  ///< fraction of the way from p to q
    Vec3 x;
  };
  /// Slot of the edge from a point to a neighbor: 14 a cell; only sampled blocks own cut edges.
  std::size_t slot(const HalfCoordinates& p, const HalfCoordinates& q) const;
  void find_cuts(const Lattice& lattice);
  void find_roots(CutSearch search);
  void warp();
  static bool is_too_near(const Cut& cut, int point);
  /// visit(edge, cut) for the cuts at a point.
  template <class Visit>
  void for_each_cut(int point, Visit visit) const;
  bool is_violated(int point) const;
  /// True when the point needs no more attention.
  bool warp_point(int point, bool may_wait);

  const Lattice& lattice_;
  std::vector<signed char> sign_;
  std::vector<Cut> cuts_;
  std::vector<int> cut_of_edge_;    ///< -1: not cut (any more)
  std::vector<int> warp_of_point_;  ///< -1: not warped; else the cut it was moved to
};

}  // namespace dashpot
