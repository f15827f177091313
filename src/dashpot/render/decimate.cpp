#include "dashpot/render/decimate.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot::render {
namespace {

/// Appends the lowest and highest of points [begin, end), in the order in which they occur.
void append_extremes(const std::vector<PixelPoint>& points, std::size_t begin, std::size_t end,
                     std::vector<PixelPoint>& kept) {
  if (begin == end) return;
  std::size_t low = begin, high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (points[i].y < points[low].y) low = i;
    if (points[i].y > points[high].y) high = i;
  }
  const std::size_t first = std::min(low, high), second = std::max(low, high);
  kept.push_back(points[first]);
  kept.back().starts_line = points[begin].starts_line;
  if (second != first) {
    kept.push_back(points[second]);
    kept.back().starts_line = false;
  }
}

std::vector<PixelPoint> by_column(const std::vector<PixelPoint>& points) {
  std::vector<PixelPoint> kept;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    const bool same_column =
        i < points.size() && !points[i].starts_line && std::floor(points[i].x) == std::floor(points[begin].x);
    if (same_column) continue;
    append_extremes(points, begin, i, kept);
    begin = i;
  }
  return kept;
}

std::vector<PixelPoint> by_distance(const std::vector<PixelPoint>& points) {
  std::vector<PixelPoint> kept;
  for (const PixelPoint& point : points)
    if (kept.empty() || point.starts_line || std::hypot(point.x - kept.back().x, point.y - kept.back().y) >= 0.5)
      kept.push_back(point);
  return kept;
}

/// Leaves out points that lie on the straight line between their neighbors (within a tenth of a pixel, 8 in a row at
/// most).
std::vector<PixelPoint> without_collinear(const std::vector<PixelPoint>& points) {
  std::vector<PixelPoint> kept;
  int num_skipped = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_inner =
        !kept.empty() && i + 1 < points.size() && !points[i].starts_line && !points[i + 1].starts_line;
    if (is_inner && num_skipped < 8) {
      const double dx = points[i + 1].x - kept.back().x, dy = points[i + 1].y - kept.back().y;
      const double ux = points[i].x - kept.back().x, uy = points[i].y - kept.back().y;
      const bool is_between = ux * dx + uy * dy >= 0 && ux * ux + uy * uy <= dx * dx + dy * dy;
      if (is_between && std::abs(ux * dy - uy * dx) < 0.1 * std::hypot(dx, dy)) {
        ++num_skipped;
        continue;
      }
    }
    kept.push_back(points[i]);
    num_skipped = 0;
  }
  return kept;
}

}  // namespace

std::vector<PixelPoint> decimate(const std::vector<PixelPoint>& points, std::size_t max_points) {
  if (points.size() < 1500) return points;
  bool is_function = true;
  for (std::size_t i = 1; i < points.size() && is_function; ++i)
    is_function = points[i].starts_line || points[i].x >= points[i - 1].x;
  std::vector<PixelPoint> kept = without_collinear(is_function ? by_column(points) : by_distance(points));
  if (kept.size() <= max_points) return kept;
  const std::size_t stride = (kept.size() + max_points - 1) / max_points;
  std::vector<PixelPoint> thinned;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (i % stride == 0 || kept[i].starts_line) thinned.push_back(kept[i]);
  return thinned;
}

}  // namespace dashpot::render
