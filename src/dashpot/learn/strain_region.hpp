#pragma once
// The strains at which a law is asked whether it is stiff: those that motions visited, and a little beyond.
//
// A strain is a triple of principal stretches. Triples are kept, and not only the range of each stretch: limits of each
// alone hold combinations that nothing visits (one stretch of the tet that is pulled most, another of the one that is
// pressed most), and true materials give way there. Neo-Hookean rubber of nu = 0.43 does where its volume grows by a
// third.

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "dashpot/element/tet_stretches.hpp"

namespace dashpot::learn {

/// One strain of each cell of a grid that was visited. The grid becomes coarser where there are many, so that memory is
/// bounded; the same strains in the same order give the same cells.
class VisitedStrains {
 public:
  /// Stretches in descending order, the last one negative where inverted.
  void hold(const Vec3& stretches);
  void hold(const VisitedStrains& others);
  void clear() { *this = {}; }

  bool is_known() const { return range_.is_known(); }
  const StretchRange& range() const { return range_; }
  const std::vector<Vec3>& strains() const { return strains_; }

 private:
  void add(const Vec3& stretches);
  void coarsen();

  double cell_ = 1e-3;
  std::unordered_set<std::uint64_t> cells_;
  std::vector<Vec3> strains_;
  StretchRange range_;
};

/// Where a law is looked at.
struct StrainRegion {
  std::vector<Vec3> points;                ///< strains to begin at, rest the first
  double spacing = 0;                      ///< between neighbors
  std::function<bool(const Vec3&)> holds;  ///< stretches in any order
};

/// Visited strains v, and all s with |s_i - v_i| <= part of the range of stretches and |J(s) - J(v)| <= part of the
/// range of volumes for one of them.
StrainRegion region_around(const VisitedStrains& visited, double part = 0.05);

/// All stretches between low and high whose product is between low_volume and high_volume.
StrainRegion box_region(double low, double high, double low_volume = 0, double high_volume = 1e300,
                        int points_a_side = 25);

}  // namespace dashpot::learn
