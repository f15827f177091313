#pragma once
// Long series drawn with few points and no visible difference: per column of pixels only the lowest and highest point
// stay.
#include <cstddef>
#include <vector>

namespace dashpot::render {

/// A point in pixels; `starts_line` when the line is interrupted before it.
struct PixelPoint {
  double x = 0, y = 0;
  bool starts_line = false;
};

/// Keeps at most two points per pixel column of a curve whose x never falls; other curves (loops) lose points closer
/// than half a pixel to the last one and, beyond `max_points`, every n-th.
std::vector<PixelPoint> decimate(const std::vector<PixelPoint>& points, std::size_t max_points = 6000);

}  // namespace dashpot::render
