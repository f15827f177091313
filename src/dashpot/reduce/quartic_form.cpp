#include "dashpot/reduce/quartic_form.hpp"

#include <algorithm>
#include <cassert>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/pack.hpp"

// This file is compiled with floating-point contraction: products that are added are fused.

namespace dashpot {
namespace {

using math::Pack4;

constexpr int num_ranges = 8;

int floor4(int i) { return i & ~3; }

/// Entries of the triangle of pair (a, b): rows c = b .. n-1, columns from floor4(c) to padded.
std::size_t triangle_size(int b, int n, int padded) {
  std::size_t size = 0;
  for (int c = b; c < n; ++c) size += at(padded - floor4(c));
  return size;
}

double sum(Pack4 x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/// Rows c .. c+rows-1 of one group against columns floor4(c) .. padded-1. row_sum gets S z of these rows, and zeros
/// after them up to four entries. Loops over rows are unrolled, so that what they sum stays in registers.
template <int rows>
inline const double* do_group(const double* k, int c, int padded, const double* z, Pack4 zab, double* y, double* H,
                              double* row_sum) {
  Pack4 total[4] = {0.0, 0.0, 0.0, 0.0}, zc[rows];
  double* h[rows];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    zc[r] = Pack4(z[c + r]);
    h[r] = H + (c + r) * padded;
  }
  for (int d = floor4(c); d < padded; d += 4, k += 4 * rows) {
    const Pack4 zd = Pack4::load(z + d);
    Pack4 yd = Pack4::load(y + d);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      const Pack4 S = Pack4::load(k + 4 * r);
      total[r] += S * zd;
      yd += S * zc[r];
      (Pack4::load(h[r] + d) + S * zab).store(h[r] + d);
    }
    yd.store(y + d);
  }
  math::transpose(total[0], total[1], total[2], total[3]);
  ((total[0] + total[1]) + (total[2] + total[3])).store(row_sum);
  return k;
}

/// One triangle: adds to H (upper triangle, each unordered pair of slots once).
void do_pair(const double* k, int a, int b, int n, int padded, const double* z, double* y, double* row_sum, double* H) {
  const int first = floor4(b);
  std::fill(y + first, y + padded, 0.0);
  std::fill(row_sum + first, row_sum + padded, 0.0);
  const Pack4 zab(z[a] * z[b]);
  for (int c = b; c < n;) {
    const int rows = std::min(floor4(c) + 4, n) - c;
    double* out = row_sum + c;
    switch (rows) {
      case 4:
        k = do_group<4>(k, c, padded, z, zab, y, H, out);
        break;
      case 3:
        k = do_group<3>(k, c, padded, z, zab, y, H, out);
        break;
      case 2:
        k = do_group<2>(k, c, padded, z, zab, y, H, out);
        break;
      default:
        k = do_group<1>(k, c, padded, z, zab, y, H, out);
    }
    c += rows;
  }
  const Pack4 za(z[a]), zb(z[b]);
  Pack4 dot(0.0);
  double *Ha = H + a * padded, *Hb = H + b * padded;
  for (int e = first; e < padded; e += 4) {
    const Pack4 ye = Pack4::load(y + e) + Pack4::load(row_sum + e);
    dot += ye * Pack4::load(z + e);
    (Pack4::load(Ha + e) + zb * ye).store(Ha + e);
    (Pack4::load(Hb + e) + za * ye).store(Hb + e);  // also right where a = b: two slots, twice the same
  }
  Ha[b] += 0.5 * sum(dot);
}

}  // namespace

QuarticForm::QuarticForm(int num_variables) : num_variables_(num_variables) {
  assert(num_variables >= 1 && num_variables <= max_variables);
  make_layout();
}

void QuarticForm::make_layout() {
  const int n = num_variables_;
  pair_start_.assign(at(n * n), 0);
  std::size_t size = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      pair_start_[at(a * n + b)] = size;
      size += triangle_size(b, n, padded());
    }
  values_.setZero(static_cast<Eigen::Index>(size));
  range_start_.clear();
  int pair = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b, ++pair)
      if (pair_start_[at(a * n + b)] >= size * range_start_.size() / num_ranges && range_start_.size() < num_ranges)
        range_start_.push_back(pair);
  while (range_start_.size() <= num_ranges) range_start_.push_back(pair);
}

std::size_t QuarticForm::num_coefficients() const {
  const std::size_t n = at(num_variables_);
  return n * (n + 1) / 2 * (n + 2) / 3 * (n + 3) / 4;
}

std::size_t QuarticForm::position(int a, int b, int c, int d) const {
  const int n = num_variables_;
  assert(0 <= a && a <= b && b <= c && c <= d && d < n);
  std::size_t where = pair_start_[at(a * n + b)];
  // Groups before that of c: rows c' with floor4(c') < floor4(c).
  for (int row = b; row < floor4(c);) {
    const int rows = floor4(row) + 4 - row;
    where += at(rows * (padded() - floor4(row)));
    row += rows;
  }
  const int first = std::max(b, floor4(c)), rows = std::min(floor4(c) + 4, n) - first;
  return where + at((d - floor4(c)) / 4 * 4 * rows + 4 * (c - first) + d % 4);
}

bool QuarticForm::set_values(Vector values) {
  if (values.size() != values_.size()) return false;
  values_ = std::move(values);
  return true;
}

void QuarticForm::run_range(int range, const double* z, double* part) const {
  const int n = num_variables_, width = padded();
  std::fill_n(part, at(n + 2) * at(width), 0.0);
  double *y = part + n * width, *row_sum = y + width;
  int a = 0, first = 0;  // pairs (a, a), (a, a+1), ... begin at `first`
  const int begin = range_start_[at(range)], end = range_start_[at(range) + 1];
  for (int pair = begin; pair < end; ++pair) {
    while (pair >= first + n - a) first += n - a++;
    const int b = a + pair - first;
    do_pair(values_.data() + pair_start_[at(a * n + b)], a, b, n, width, z, y, row_sum, part);
  }
}

double QuarticForm::evaluate(const ConstVectorRef& z, Vector& gradient, Matrix& hessian, Scratch& scratch) const {
  const int n = num_variables_, width = padded();
  assert(z.size() == n);
  const std::size_t part_size = at(n + 2) * at(width);
  scratch.parts.resize(static_cast<Eigen::Index>(num_ranges * part_size + 4));  // the last row sums may end behind it
  scratch.z.setZero(width);
  scratch.z.head(n) = z;
  spin_parallel_for(
      num_ranges, [&](int range) { run_range(range, scratch.z.data(), scratch.parts.data() + at(range) * part_size); });
  hessian.resize(n, n);
  for (int i = 0; i < n; ++i) {
    double* sums = scratch.parts.data() + at(i * width);
    for (std::size_t range = 1; range < num_ranges; ++range)
      for (int j = floor4(i); j < width; j += 4)
        (Pack4::load(sums + j) + Pack4::load(sums + range * part_size + j)).store(sums + j);
    sums[i] *= 2;
    for (int j = i; j < n; ++j) hessian(j, i) = sums[j];
  }
  hessian.triangularView<Eigen::StrictlyUpper>() = hessian.transpose();
  gradient.noalias() = hessian * z;
  const double value = z.dot(gradient) / 12;
  gradient /= 3;
  return value;
}

}  // namespace dashpot
