#include "dashpot/shape/body_estimate.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr std::size_t max_cubes = 200000;
constexpr int points_per_cube = 4;

struct Cube {
  Vec3 center;
  std::uint64_t path;  ///< numbers it within its level
  LocalField field;
  double value = 0;
  std::array<char, points_per_cube> is_inside{};
};

/// The same number in [-0.5, 0.5) for the same key, on every machine.
double noise(std::uint64_t key) {
  key += 0x9e3779b97f4a7c15ULL;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ULL;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((key ^ (key >> 31)) >> 11) * 0x1p-53 - 0.5;
}

Vec3 point_in(const Cube& cube, double size, int k) {
  const std::uint64_t key = (cube.path * points_per_cube + static_cast<std::uint64_t>(k)) * 3;
  return cube.center + size * Vec3(noise(key), noise(key + 1), noise(key + 2));
}

/// What has been seen so far.
struct Tally {
  BodyEstimate result;
  void add(const Vec3& low, const Vec3& high, double volume) {
    result.low = result.has_inside ? Vec3(result.low.cwiseMin(low)) : low;
    result.high = result.has_inside ? Vec3(result.high.cwiseMax(high)) : high;
    result.volume += volume;
    result.has_inside = true;
  }
};

void split(const std::vector<Cube>& open, double size, std::vector<Cube>& next) {
  next.clear();
  for (const Cube& cube : open)
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner((k & 4) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 1) != 0 ? 1 : -1);
      next.push_back({cube.center + 0.25 * size * corner, cube.path * 8 + static_cast<std::uint64_t>(k), cube.field});
    }
}

}  // namespace

BodyEstimate estimate_body(const LocalField& field, const FieldBounds& bounds, double cell, double level) {
  Tally tally;
  double size = (bounds.high - bounds.low).maxCoeff();
  std::vector<Cube> cubes{{0.5 * (bounds.low + bounds.high), 1, field}}, open;
  for (;;) {
    const double reach = std::sqrt(0.75) * size;
    parallel_for(static_cast<int>(cubes.size()), 16, [&](int begin, int end) {
      for (int c = begin; c < end; ++c) {
        Cube& cube = cubes[at(c)];
        cube.value = cube.field.value(cube.center) - level;
        if (std::abs(cube.value) <= reach) cube.field = cube.field.within(cube.center, reach);
      }
    });
    open.clear();
    for (Cube& cube : cubes) {
      const Vec3 half = Vec3::Constant(0.5 * size);
      if (cube.value < -reach) tally.add(cube.center - half, cube.center + half, size * size * size);
      if (std::abs(cube.value) <= reach) open.push_back(std::move(cube));
    }
    if (open.empty() || size <= cell || 8 * open.size() > max_cubes) break;
    split(open, size, cubes);
    size *= 0.5;
  }
  parallel_for(static_cast<int>(open.size()), 16, [&](int begin, int end) {
    for (int c = begin; c < end; ++c)
      for (int k = 0; k < points_per_cube; ++k)
        open[at(c)].is_inside[at(k)] = open[at(c)].field.value(point_in(open[at(c)], size, k)) < level;
  });
  for (const Cube& cube : open)
    for (int k = 0; k < points_per_cube; ++k)
      if (cube.is_inside[at(k)] != 0) {
        const Vec3 x = point_in(cube, size, k);
        tally.add(x, x, size * size * size / points_per_cube);
      }
  tally.result.is_exhaustive = open.empty();
  tally.result.cell = size;
  return tally.result;
}

BodyEstimate find_inside(const LocalField& field, const FieldBounds& bounds, double level) {
  const double width = (bounds.high - bounds.low).maxCoeff();
  BodyEstimate result;
  for (double cell = width / 16; cell > 1e-6 * width; cell /= 4) {
    result = estimate_body(field, bounds, cell, level);
    if (result.has_inside || result.is_exhaustive || result.cell > cell) break;
  }
  return result;
}

}  // namespace dashpot
