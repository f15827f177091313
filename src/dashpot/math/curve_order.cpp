#include "dashpot/math/curve_order.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace dashpot::math {
namespace {

/// Interleaves the low 20 bits of three numbers.
std::uint64_t morton(const std::array<std::uint64_t, 3>& c) {
  std::uint64_t code = 0;
  for (int bit = 19; bit >= 0; --bit)
    for (const std::uint64_t x : c) code = code << 1 | (x >> bit & 1);
  return code;
}

}  // namespace

std::vector<int> order_along_curve(const std::vector<Vec3>& points) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const double size = std::max((high - low).maxCoeff(), 1e-300);
  std::vector<std::uint64_t> codes;
  for (const Vec3& x : points) {
    std::array<std::uint64_t, 3> cell{};
    for (int c = 0; c < 3; ++c)
      cell[static_cast<std::size_t>(c)] =
          static_cast<std::uint64_t>(std::clamp((x[c] - low[c]) / size, 0.0, 1.0) * 1048575.0);
    codes.push_back(morton(cell));
  }
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return codes[static_cast<std::size_t>(a)] < codes[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace dashpot::math
