#include "dashpot/linsolve/scalar_product.hpp"

#include <algorithm>
#include <array>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {
namespace {

constexpr int slots_per_range = 16384;
constexpr int max_ranges = 64;

using math::Pack4;

/// Rows [begin, end); returns their part of scale x.A x. A node is loaded with the first number of the next one, which
/// is never used; the last node has no next one, and can only stand at the end of a row.
double multiply_rows(const BlockPattern& pattern, const double* of_slot, double scale, const double* x, double keep,
                     double* y, int begin, int end) {
  const int* const start = pattern.row_start().data();
  const int* const column = pattern.column().data();
  Pack4 squares(0.0);
  for (int i = begin; i < end; ++i) {
    Pack4 sum(0.0);
    const int last = start[i + 1] - 1;  // every row has its diagonal
    for (int s = start[i]; s < last; ++s) sum += Pack4(of_slot[s]) * Pack4::load(x + 3 * column[s]);
    const double* const p = x + 3 * column[last];
    sum += Pack4(of_slot[last]) * Pack4(p[0], p[1], p[2], 0.0);
    sum *= Pack4(scale);
    double* const to = y + 3 * i;
    for (int c = 0; c < 3; ++c) to[c] = keep == 0 ? sum[c] : keep * to[c] + sum[c];
    squares += sum * Pack4(x[3 * i], x[3 * i + 1], x[3 * i + 2], 0.0);
  }
  return squares[0] + squares[1] + squares[2];
}

}  // namespace

double scalar_product(const BlockPattern& pattern, const double* of_slot, double scale, const double* x, double keep,
                      double* y) {
  const int rows = pattern.num_blocks();
  const int ranges = std::clamp(pattern.num_slots() / slots_per_range, 1, max_ranges);
  std::array<double, max_ranges> squares;
  const auto multiply = [&](int r) {
    const auto row = [&](int k) { return static_cast<int>(static_cast<long>(rows) * k / ranges); };
    squares[static_cast<std::size_t>(r)] = multiply_rows(pattern, of_slot, scale, x, keep, y, row(r), row(r + 1));
  };
  if (ranges == 1)
    multiply(0);
  else
    spin_parallel_for(ranges, multiply);
  double total = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranges); ++r) total += squares[r];
  return total;
}

}  // namespace dashpot
