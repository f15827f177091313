#include "dashpot/shape/cut_edges.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/shape/roots.hpp"

namespace dashpot {
namespace {

// [LabelleShewchuk2007, section 3.3]: the pair that maximizes the smallest dihedral angle.
constexpr double alpha_long = 0.24999, alpha_short = 0.41189;

HalfCoordinates plus(const HalfCoordinates& H, int i, int j, int k) { return {H[0] + i, H[1] + j, H[2] + k}; }

/// Neighbors of a point: 6 along the axes (lower ones first), then 8 of the other color.
HalfCoordinates neighbor(const HalfCoordinates& H, int n) {
  if (n < 6) {
    HalfCoordinates result = H;
    result[at(n % 3)] += n < 3 ? -2 : 2;
    return result;
  }
  const int bits = n - 6;
  return plus(H, (bits & 4) != 0 ? 1 : -1, (bits & 2) != 0 ? 1 : -1, (bits & 1) != 0 ? 1 : -1);
}

}  // namespace

CutEdges::CutEdges(const Lattice& lattice, CutSearch search) : lattice_(lattice) {
  sign_.resize(at(lattice.num_points()));
  for (std::size_t p = 0; p < sign_.size(); ++p) {
    const double f = lattice.value(static_cast<int>(p));
    sign_[p] = static_cast<signed char>(f < 0 ? 1 : f > 0 ? -1 : 0);
  }
  warp_of_point_.assign(sign_.size(), -1);
  cut_of_edge_.assign(at(lattice.num_blocks()) * 64 * 14, -1);
  find_cuts(lattice);
  find_roots(search);
  warp();
}

std::size_t CutEdges::slot(const HalfCoordinates& p, const HalfCoordinates& q) const {
  for (std::size_t i = 0; i < 3; ++i) {
    const int d = q[i] - p[i];
    if (d == 2 || d == -2) {
      const int owner = lattice_.point(d > 0 ? p : q);
      return at(owner / 2) * 14 + ((owner & 1) != 0 ? 11 : 0) + i;
    }
  }
  const bool p_is_black = (p[0] & 1) == 0;
  const HalfCoordinates &black = p_is_black ? p : q, &red = p_is_black ? q : p;
  const int bits = (red[0] > black[0] ? 4 : 0) + (red[1] > black[1] ? 2 : 0) + (red[2] > black[2] ? 1 : 0);
  return at(lattice_.point(black) / 2) * 14 + 3 + at(bits);
}

void CutEdges::find_cuts(const Lattice& lattice) {
  for (int p = 0; p < lattice.num_points(); ++p) {
    if (!lattice.is_sampled(p / 128)) {
      p += 127;
      continue;
    }
    const int sign = sign_[at(p)];
    if (sign == 0) continue;
    const HalfCoordinates H = lattice.coordinates(p);
    const bool is_black = (p & 1) == 0;
    for (int n = 3; n < (is_black ? 14 : 6); ++n) {
      const HalfCoordinates N = neighbor(H, n);
      const int q = lattice.point(N);
      if (q < 0 || sign_[at(q)] * sign >= 0) continue;
      cut_of_edge_[slot(H, N)] = num_cuts();
      cuts_.push_back({p, q, n < 6, 0.5, Vec3::Zero()});
    }
  }
}

void CutEdges::find_roots(CutSearch search) {
  parallel_for(num_cuts(), 64, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      Cut& cut = cuts_[at(c)];
      const Vec3 p = lattice_.position(lattice_.coordinates(cut.p)), q = lattice_.position(lattice_.coordinates(cut.q));
      const double f_p = lattice_.value(cut.p), f_q = lattice_.value(cut.q);
      const auto field = [&](const Vec3& x) { return lattice_.field_at(cut.p).value(x); };
      cut.t = search == CutSearch::linear ? f_p / (f_p - f_q) : root_on_segment(field, p, q, f_p, f_q);
      cut.x = p + cut.t * (q - p);
    }
  });
}

void CutEdges::warp() {
  std::vector<int> violated;
  for (const Cut& cut : cuts_) {
    if (is_too_near(cut, cut.p)) violated.push_back(cut.p);
    if (is_too_near(cut, cut.q)) violated.push_back(cut.q);
  }
  std::sort(violated.begin(), violated.end());
  violated.erase(std::unique(violated.begin(), violated.end()), violated.end());
  // A point should not be pulled towards one that will itself be pulled away: the tets between them would be flattest
  // (9.3 degrees at worst, else 12.5). Such points wait until the other has moved, which removes the cut between them;
  // a circle of points that wait for each other is broken in the order of their numbers.
  for (bool may_wait = true; !violated.empty();) {
    const std::size_t before = violated.size();
    std::erase_if(violated, [&](int point) { return warp_point(point, may_wait); });
    may_wait = violated.size() < before;
  }
}

bool CutEdges::is_too_near(const Cut& cut, int point) {
  return (cut.p == point ? cut.t : 1 - cut.t) < (cut.is_long ? alpha_long : alpha_short);
}

template <class Visit>
void CutEdges::for_each_cut(int point, Visit visit) const {
  const HalfCoordinates H = lattice_.coordinates(point);
  for (int n = 0; n < 14; ++n) {
    const HalfCoordinates N = neighbor(H, n);
    if (lattice_.point(N) < 0) continue;
    const std::size_t edge = slot(H, N);
    if (cut_of_edge_[edge] >= 0) visit(edge, cut_of_edge_[edge]);
  }
}

bool CutEdges::is_violated(int point) const {
  bool result = false;
  for_each_cut(point, [&](std::size_t, int c) { result = result || is_too_near(cuts_[at(c)], point); });
  return result;
}

bool CutEdges::warp_point(int point, bool may_wait) {
  int nearest = -1;
  double shortest = 1e300;
  bool waits = false;
  for_each_cut(point, [&](std::size_t, int c) {
    const Cut& cut = cuts_[at(c)];
    if (!is_too_near(cut, point)) return;
    if (may_wait && is_violated(cut.p == point ? cut.q : cut.p)) {
      waits = true;
      return;
    }
    const double distance = (cut.p == point ? cut.t : 1 - cut.t) * (cut.is_long ? 1 : std::sqrt(0.75));
    if (distance < shortest) {
      shortest = distance;
      nearest = c;
    }
  });
  if (nearest < 0) return !waits;  // nothing is left to do, or not yet
  for_each_cut(point, [&](std::size_t edge, int) { cut_of_edge_[edge] = -1; });
  warp_of_point_[at(point)] = nearest;
  sign_[at(point)] = 0;
  return true;
}

Vec3 CutEdges::position(int point) const {
  const int c = warp_of_point_[at(point)];
  return c >= 0 ? cuts_[at(c)].x : lattice_.position(lattice_.coordinates(point));
}

int CutEdges::between(const HalfCoordinates& p, const HalfCoordinates& q) const { return cut_of_edge_[slot(p, q)]; }

}  // namespace dashpot
