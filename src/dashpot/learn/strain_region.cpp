#include "dashpot/learn/strain_region.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dashpot::learn {
namespace {

constexpr std::size_t max_cells = 20000;

/// The cell of a grid that holds three stretches, as one number. Beyond a million cells from zero neighbors are held by
/// one cell.
std::uint64_t cell_of(const Vec3& s, double size) {
  std::uint64_t key = 0;
  for (int i = 0; i < 3; ++i) {
    const double at = std::clamp(std::floor(s[i] / size), -1048576.0, 1048575.0);
    key = key << 21 | (static_cast<std::uint64_t>(static_cast<std::int64_t>(at)) & 0x1fffff);
  }
  return key;
}

Vec3 descending(Vec3 s) {
  std::sort(s.data(), s.data() + 3, std::greater<>());
  return s;
}

/// One of the strains in each cell of this size.
std::vector<Vec3> thinned(const std::vector<Vec3>& strains, double size) {
  std::unordered_set<std::uint64_t> cells;
  std::vector<Vec3> few;
  for (const Vec3& s : strains)
    if (cells.insert(cell_of(s, size)).second) few.push_back(s);
  return few;
}

}  // namespace

void VisitedStrains::hold(const Vec3& stretches) {
  if (!stretches.allFinite()) return;
  range_.hold(stretches[0], stretches[1], stretches[2]);
  add(stretches);
}

void VisitedStrains::hold(const VisitedStrains& others) {
  if (!others.is_known()) return;
  for (const Vec3& s : others.strains_) add(s);
  const StretchRange& r = others.range_;
  range_ = {std::min(range_.least, r.least),
            std::max(range_.largest, r.largest),
            std::min(range_.least_volume, r.least_volume),
            std::max(range_.largest_volume, r.largest_volume),
            std::min(range_.least_middle, r.least_middle),
            std::max(range_.largest_middle, r.largest_middle)};
}

void VisitedStrains::add(const Vec3& stretches) {
  if (!cells_.insert(cell_of(stretches, cell_)).second) return;
  strains_.push_back(stretches);
  while (strains_.size() > max_cells) coarsen();
}

void VisitedStrains::coarsen() {
  cell_ *= 2;
  strains_ = thinned(strains_, cell_);
  cells_.clear();
  for (const Vec3& s : strains_) cells_.insert(cell_of(s, cell_));
}

StrainRegion region_around(const VisitedStrains& visited, double part) {
  const StretchRange& range = visited.range();
  const double by_stretch = part * (range.largest - range.least),
               by_volume = part * (range.largest_volume - range.least_volume);
  StrainRegion region;
  region.spacing = std::max(by_stretch, 1e-9);
  region.points = {Vec3::Ones()};
  const std::vector<Vec3> few = thinned(visited.strains(), region.spacing);
  constexpr double slack = 1 + 1e-9;
  for (const Vec3& v : few)
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c) {
          Vec3 s = v + by_stretch * Vec3(a, b, c);
          // As far that way as the volume allows.
          for (double share = 0.9; std::abs(s.prod() - v.prod()) > by_volume * slack && share > 0.05; share -= 0.1)
            s = v + share * by_stretch * Vec3(a, b, c);
          if (std::abs(s.prod() - v.prod()) <= by_volume * slack) region.points.push_back(descending(s));
        }
  // All of them: what is near one that was left out above is in the region too.
  region.holds = [strains = visited.strains(), by_stretch, by_volume](const Vec3& at) {
    const Vec3 s = descending(at);
    return std::any_of(strains.begin(), strains.end(), [&](const Vec3& v) {
      return (s - v).cwiseAbs().maxCoeff() <= by_stretch * slack && std::abs(s.prod() - v.prod()) <= by_volume * slack;
    });
  };
  return region;
}

StrainRegion box_region(double low, double high, double low_volume, double high_volume, int points_a_side) {
  StrainRegion region;
  const int n = std::max(points_a_side, 2);
  region.spacing = (high - low) / (n - 1);
  region.holds = [=](const Vec3& s) {
    const double J = s.prod();
    return s.minCoeff() >= low && s.maxCoeff() <= high && J >= low_volume && J <= high_volume;
  };
  region.points = {Vec3::Ones()};
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b)
      for (int c = 0; c <= b; ++c) {
        const Vec3 s = (Vec3::Constant(low) + region.spacing * Vec3(a, b, c)).cwiseMin(high);
        if (region.holds(s)) region.points.push_back(s);
      }
  return region;
}

}  // namespace dashpot::learn
