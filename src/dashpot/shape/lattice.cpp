#include "dashpot/shape/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int cells = 4;  // of a block along an axis

[[noreturn]] void too_large(const std::string& found, double spacing) {
  throw Error(Problem{"", fmt::format("{} at a spacing of {:.3g} m", found, spacing),
                      "a mesh that fits into memory and is made in seconds", "use fewer tets or a larger spacing"});
}

int floor_half(int h) { return h >> 1; }

}  // namespace

Lattice::Lattice(const LocalField& field, const Vec3& low, const Vec3& high, double a, const LatticeLimits& limits)
    : a_(a) {
  double table = 1;
  for (int i = 0; i < 3; ++i) {
    // Two cells of margin: the points around every inside point are in the table.
    const double first = std::floor(low[i] / a) - 2, last = std::ceil(high[i] / a) + 2;
    const double blocks = std::ceil((last - first + 1) / cells);
    table *= blocks;
    if (!(table <= limits.max_table) || !(std::abs(first) < 1e8) || !(std::abs(last) < 1e8))
      too_large(fmt::format("a lattice of {:.0f} thousand blocks", table * 1e-3), a);
    first_[at(i)] = static_cast<int>(first);
    size_[at(i)] = static_cast<int>(blocks);
  }
  table_.assign(static_cast<std::size_t>(table), -1);
  find_blocks(field, limits);
  sample();
}

bool Lattice::is_beyond(const Cube& cube) const {
  for (std::size_t i = 0; i < 3; ++i)
    if (cube.corner[i] >= size_[i]) return true;
  return false;
}

/// From the center to the farthest point of the cube (red points reach half a cell beyond), and one edge more.
double Lattice::reach(const Cube& cube) const { return a_ * (std::sqrt(0.75) * cells * cube.size + 1); }

void Lattice::look_at(Cube& cube) const {
  Vec3 center;
  for (int i = 0; i < 3; ++i) center[i] = a_ * (first_[at(i)] + cells * (cube.corner[at(i)] + 0.5 * cube.size));
  cube.value = cube.field.value(center);
  if (std::abs(cube.value) <= reach(cube)) cube.field = cube.field.within(center, reach(cube));
}

void Lattice::find_blocks(const LocalField& field, const LatticeLimits& limits) {
  const int widest = *std::max_element(size_.begin(), size_.end());
  std::vector<Cube> cubes{{{0, 0, 0}, static_cast<int>(std::bit_ceil(static_cast<unsigned>(widest))), field}}, next;
  double visits = 0;
  while (!cubes.empty()) {
    parallel_for(static_cast<int>(cubes.size()), 8, [&](int begin, int end) {
      for (int c = begin; c < end; ++c) look_at(cubes[at(c)]);
    });
    next.clear();
    for (const Cube& cube : cubes) {
      const bool is_inside = cube.value < -reach(cube);
      visits += cube.field.cost();
      if (cube.value > reach(cube)) continue;
      if (cube.size == 1) {
        table_[at((cube.corner[0] * size_[1] + cube.corner[1]) * size_[2] + cube.corner[2])] =
            static_cast<std::int32_t>(blocks_.size());
        blocks_.push_back({cube.corner, !is_inside, cube.field});
        visits += is_inside ? 0 : 128 * cube.field.cost();
        continue;
      }
      for (int k = 0; k < 8; ++k) {
        const int half = cube.size / 2;
        Cube child{
            {cube.corner[0] + half * (k >> 2), cube.corner[1] + half * (k >> 1 & 1), cube.corner[2] + half * (k & 1)},
            half,
            cube.field};
        if (!is_beyond(child)) next.push_back(std::move(child));
      }
    }
    cubes.swap(next);
    if (static_cast<double>(cubes.size()) > limits.max_blocks)
      too_large(fmt::format("a body of more than {:.0f} blocks of cells", limits.max_blocks), a_);
    if (visits > limits.max_visits)
      too_large(fmt::format("{:.0f} million visits to parts of the body", visits * 1e-6), a_);
  }
}

void Lattice::sample() {
  values_.assign(at(num_points()), -1.0);
  parallel_for(num_blocks(), 4, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      if (!is_sampled(b)) continue;
      const LocalField& field = blocks_[at(b)].field;
      for (int p = 128 * b; p < 128 * (b + 1); ++p) values_[at(p)] = field.value(position(coordinates(p)));
    }
  });
}

int Lattice::point(const HalfCoordinates& H) const {
  int block = 0, cell = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const int c = floor_half(H[i]) - first_[i];
    if (c < 0 || c >= cells * size_[i]) return -1;
    block = block * size_[i] + c / cells;
    cell = cell * cells + c % cells;
  }
  const int found = table_[at(block)];
  return found < 0 ? -1 : found * 128 + cell * 2 + (H[0] & 1);
}

HalfCoordinates Lattice::coordinates(int point) const {
  const Block& block = blocks_[at(point / 128)];
  const int cell = point % 128 / 2, red = point & 1;
  const std::array<int, 3> in_block{cell / 16, cell / 4 % 4, cell % 4};
  HalfCoordinates H;
  for (std::size_t i = 0; i < 3; ++i) H[i] = 2 * (first_[i] + cells * block.corner[i] + in_block[i]) + red;
  return H;
}

}  // namespace dashpot
