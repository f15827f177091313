#include "dashpot/linsolve/scalar_product.hpp"

#include <algorithm>
#include <array>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {
namespace {

constexpr int slots_per_range = 16384;  // less is not worth the way of the vectors to another core
constexpr int max_ranges = 64;

using math::Pack4;

/// The three numbers of a node, and zero.
[[gnu::always_inline]] inline Pack4 exactly(const double* p) { return {p[0], p[1], p[2], 0.0}; }

/// scale times row i of A x; the fourth lane is not used. A node is loaded with the first number of the next one. The
/// last node has no next one, and can only stand at the end of a row.
[[gnu::always_inline]] inline Pack4 row_product(const int* start, const int* column, const double* of_slot,
                                                double scale, const double* x, int i, bool may_be_last) {
  Pack4 sum(0.0);
  const int last = start[i + 1] - 1;  // every row has its diagonal
  for (int s = start[i]; s < last; ++s) sum += Pack4(of_slot[s]) * Pack4::load(x + 3 * column[s]);
  const double* const p = x + 3 * column[last];
  sum += Pack4(of_slot[last]) * (may_be_last ? exactly(p) : Pack4::load(p));
  return sum * Pack4(scale);
}

/// Rows [begin, end); returns their part of scale x.A x.
template <bool keeps>
double multiply_rows(const BlockPattern& pattern, const double* of_slot, double scale, const double* x, double keep,
                     double* y, int begin, int end) {
  const int* const start = pattern.row_start().data();
  const int* const column = pattern.column().data();
  const int last_block = pattern.num_blocks() - 1;
  Pack4 squares(0.0);
  for (int i = begin; i < end; ++i) {
    const Pack4 sum = row_product(start, column, of_slot, scale, x, i, column[start[i + 1] - 1] == last_block);
    squares += sum * (i == last_block ? exactly(x + 3 * i) : Pack4::load(x + 3 * i));
    double* const to = y + 3 * i;
    if (!keeps && i + 1 < end) {
      sum.store(to);  // the fourth number is that of the next row, which comes next
    } else {
      for (int c = 0; c < 3; ++c) to[c] = keeps ? keep * to[c] + sum[c] : sum[c];
    }
  }
  return squares[0] + squares[1] + squares[2];
}

}  // namespace

double scalar_product(const BlockPattern& pattern, const BlockRange& rows, const double* of_slot, double scale,
                      const double* x, double keep, double* y) {
  const int slots = pattern.row_start()[at(rows.end)] - pattern.row_start()[at(rows.begin)];
  const int ranges = std::clamp(slots / slots_per_range, 1, max_ranges);
  std::array<double, max_ranges> squares;
  const auto multiply = [&](int r) {
    const auto row = [&](int k) { return rows.begin + static_cast<int>(static_cast<long>(rows.size()) * k / ranges); };
    const auto rows_of = keep == 0 ? multiply_rows<false> : multiply_rows<true>;
    squares[static_cast<std::size_t>(r)] = rows_of(pattern, of_slot, scale, x, keep, y, row(r), row(r + 1));
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
