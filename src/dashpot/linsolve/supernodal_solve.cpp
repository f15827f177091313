#include "dashpot/linsolve/supernodal_solve.hpp"

#include <algorithm>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {
namespace {

using math::Pack4;

constexpr int padded(int rows) { return (rows + 3) & ~3; }

/// Rows r .. r+4R-1 of P times the three columns of v (four numbers a row), into out (four numbers a row).
template <int R>
[[gnu::always_inline]] inline void times_rows(const double* P, int ld, int columns, const double* v, double* out) {
  Pack4 x[R], y[R], z[R];
  for (int k = 0; k < R; ++k) x[k] = y[k] = z[k] = Pack4(0.0);
  for (int j = 0; j < columns; ++j) {
    const Pack4 vx(v[4 * j]), vy(v[4 * j + 1]), vz(v[4 * j + 2]);
    for (int k = 0; k < R; ++k) {
      const Pack4 l = Pack4::load(P + 4 * k);
      x[k] += l * vx;
      y[k] += l * vy;
      z[k] += l * vz;
    }
    P += ld;
  }
  for (int k = 0; k < R; ++k) {
    Pack4 none(0.0);
    math::transpose(x[k], y[k], z[k], none);
    x[k].store(out + 16 * k);
    y[k].store(out + 16 * k + 4);
    z[k].store(out + 16 * k + 8);
    none.store(out + 16 * k + 12);
  }
}

/// Sums of the lanes of a[0] .. a[3], one per lane.
[[gnu::always_inline]] inline Pack4 lane_sums(Pack4 a[4]) {
  math::transpose(a[0], a[1], a[2], a[3]);
  return (a[0] + a[1]) + (a[2] + a[3]);
}

/// C columns of P, transposed, times rows begin .. ld-1 of v (three arrays of ld), into C rows of four numbers.
template <int C>
[[gnu::always_inline]] inline void transposed_times(const double* P, int ld, int begin, const double* v, double* out) {
  Pack4 x[4], y[4], z[4];
  for (int c = 0; c < 4; ++c) x[c] = y[c] = z[c] = Pack4(0.0);
  for (int r = begin; r < ld; r += 4) {
    const Pack4 vx = Pack4::load(v + r), vy = Pack4::load(v + ld + r), vz = Pack4::load(v + 2 * ld + r);
    for (int c = 0; c < C; ++c) {
      const Pack4 l = Pack4::load(P + static_cast<std::ptrdiff_t>(c) * ld + r);
      x[c] += l * vx;
      y[c] += l * vy;
      z[c] += l * vz;
    }
  }
  Pack4 row[4] = {lane_sums(x), lane_sums(y), lane_sums(z), Pack4(0.0)};
  math::transpose(row[0], row[1], row[2], row[3]);
  for (int c = 0; c < C; ++c) row[c].store(out + 4 * c);
}

/// to[row] += from, four numbers.
[[gnu::always_inline]] inline void add_row(const double* from, double* to) {
  (Pack4::load(to) + Pack4::load(from)).store(to);
}

}  // namespace

SupernodalSolve::Panel SupernodalSolve::panel(int supernode) {
  const Node& node = nodes_[at(supernode)];
  return {from(values_, node.values), node.ld, node.num_columns + node.num_below, node.num_columns};
}

/// y1 <- L1^-1 y1 and y2 += ...; rows of the top go to `above` (four numbers per row of the top).
void SupernodalSolve::forward(const Node& node, double* above, double* work) {
  double* own = from(rows4_, at(node.column));
  const double* P = from(values_, node.values);
  int r = 0;
  for (; r + 8 <= node.ld; r += 8)  // above the diagonal P is zero
    times_rows<2>(P + r, node.ld, std::min(node.num_columns, r + 8), own, work + 4 * r);
  if (r < node.ld) times_rows<1>(P + r, node.ld, std::min(node.num_columns, r + 4), own, work + 4 * r);
  std::copy(work, work + 4 * node.num_columns, own);
  const double* below = work + 4 * node.num_columns;
  const int* row = rows_.data() + node.rows_begin;
  for (int k = 0; k < node.num_inner; ++k) add_row(below + 4 * k, from(rows4_, at(row[k])));
  for (int k = node.num_inner; k < node.num_below; ++k) add_row(below + 4 * k, above + 4 * at(row[k] - top_.first_row));
}

/// x1 = P^T (y1; x2).
void SupernodalSolve::backward(const Node& node, double* work) {
  double* own = from(rows4_, at(node.column));
  const int n = node.num_columns, ld = node.ld;
  const auto put = [&](int r, const double* row4) {
    work[r] = row4[0];
    work[ld + r] = row4[1];
    work[2 * ld + r] = row4[2];
  };
  const int* row = rows_.data() + node.rows_begin;
  for (int r = 0; r < n; ++r) put(r, own + 4 * r);
  for (int k = 0; k < node.num_below; ++k) put(n + k, from(rows4_, at(row[k])));
  for (int r = n + node.num_below; r < ld; ++r) work[r] = work[ld + r] = work[2 * ld + r] = 0;
  const double* P = from(values_, node.values);
  int c = 0;
  for (; c + 4 <= n; c += 4) transposed_times<4>(P + at(c) * at(ld), ld, c, work, own + 4 * c);
  P += at(c) * at(ld);
  if (n - c == 3) transposed_times<3>(P, ld, c, work, own + 4 * c);
  if (n - c == 2) transposed_times<2>(P, ld, c, work, own + 4 * c);
  if (n - c == 1) transposed_times<1>(P, ld, c, work, own + 4 * c);
}

void SupernodalSolve::gather(const Range& range, const double* b) {
  for (int r = range.first_row; r < range.last_row; ++r) {
    const double* given = b + 3 * at(block_of_[at(r)]);
    std::copy(given, given + 3, from(rows4_, at(r)));
  }
}

void SupernodalSolve::scatter(const Range& range, double* x) const {
  for (int r = range.first_row; r < range.last_row; ++r) {
    const double* found = from(rows4_, at(r));
    std::copy(found, found + 3, x + 3 * at(block_of_[at(r)]));
  }
}

void SupernodalSolve::solve(const double* b, double* x) {
  const std::size_t top_rows = at(top_.last_row - top_.first_row);
  spin_parallel_for(num_parts(), [&](int p) {
    double* above = from(above4_, at(p) * top_rows);
    std::fill(above, above + 4 * top_rows, 0.0);
    gather(parts_[at(p)], b);
    for (int k = parts_[at(p)].begin; k < parts_[at(p)].end; ++k) forward(nodes_[at(order_[at(k)])], above, work(p));
  });
  gather(top_, b);
  for (int p = 0; p < num_parts(); ++p)
    for (std::size_t i = 0; i < top_rows; ++i)
      add_row(from(above4_, at(p) * top_rows + i), from(rows4_, at(top_.first_row) + i));
  for (int k = top_.begin; k < top_.end; ++k) forward(nodes_[at(order_[at(k)])], nullptr, work(num_parts()));
  for (int k = top_.end; k-- > top_.begin;) backward(nodes_[at(order_[at(k)])], work(num_parts()));
  spin_parallel_for(num_parts(), [&](int p) {
    for (int k = parts_[at(p)].end; k-- > parts_[at(p)].begin;) backward(nodes_[at(order_[at(k)])], work(p));
    scatter(parts_[at(p)], x);
  });
  scatter(top_, x);
  for (const int block : absent_) std::fill_n(x + 3 * at(block), 3, 0.0);
}

}  // namespace dashpot
