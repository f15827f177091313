#include "dashpot/linsolve/block_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_product.hpp"

namespace dashpot {
namespace {

constexpr int values_per_range = 16384;  // 128 kB a range: long enough to hide the cost of handing it to a worker

void check_groups(int num_blocks, const std::vector<int>& start, const std::vector<int>& couplings) {
  std::vector<Problem> problems;
  bool starts_ok = start.empty() ? couplings.empty() : start.front() == 0 && at(start.back()) == couplings.size();
  starts_ok = starts_ok && std::is_sorted(start.begin(), start.end());
  if (!starts_ok)
    problems.push_back(
        {"", "group starts that do not span the couplings", "0 = start[0] <= ... = couplings.size()", ""});
  const auto outside =
      std::find_if(couplings.begin(), couplings.end(), [&](int b) { return b < 0 || b >= num_blocks; });
  if (outside != couplings.end())
    problems.push_back({"", fmt::format("a coupling names block {}", *outside), fmt::format("0 to {}", num_blocks - 1),
                        "check the element indices against the number of nodes"});
  if (!problems.empty()) throw Error(std::move(problems));
}

/// Calls body(begin, end) over `count` values, in parallel.
template <class Body>
void for_value_ranges(std::size_t count, Body body) {
  const int ranges = static_cast<int>((count + values_per_range - 1) / values_per_range);
  parallel_for(ranges, 1, [&](int begin, int end) {
    body(at(begin) * values_per_range, std::min(count, at(end) * values_per_range));
  });
}

/// Groups that contain each block: block b is in groups list[start[b]] .. list[start[b+1]-1].
struct Incidence {
  std::vector<int> start, group;
};

Incidence invert(int num_blocks, const std::vector<int>& group_start, const std::vector<int>& couplings) {
  Incidence in;
  in.start.assign(at(num_blocks) + 1, 0);
  for (const int b : couplings) ++in.start[at(b) + 1];
  for (std::size_t b = 0; b < at(num_blocks); ++b) in.start[b + 1] += in.start[b];
  in.group.resize(couplings.size());
  std::vector<int> next(in.start.begin(), in.start.end() - 1);
  for (std::size_t g = 0; g + 1 < group_start.size(); ++g)
    for (int i = group_start[g]; i < group_start[g + 1]; ++i)
      in.group[at(next[at(couplings[at(i)])]++)] = static_cast<int>(g);
  return in;
}

}  // namespace

BlockPattern::BlockPattern(DofLayout layout, const std::vector<int>& group_start, const std::vector<int>& couplings)
    : layout_(std::move(layout)) {
  const int num_blocks = layout_.num_blocks();
  check_groups(num_blocks, group_start, couplings);
  const Incidence in = invert(num_blocks, group_start, couplings);
  row_start_.reserve(at(num_blocks) + 1);
  row_start_.push_back(0);
  diagonal_.resize(at(num_blocks));
  column_.reserve(at(num_blocks) * 16);
  std::vector<int> seen_by(at(num_blocks), -1);  // last row that has met this column
  for (int row = 0; row < num_blocks; ++row) {
    const std::size_t begin = column_.size();
    seen_by[at(row)] = row;
    column_.push_back(row);
    for (int k = in.start[at(row)]; k < in.start[at(row) + 1]; ++k) {
      const std::size_t g = at(in.group[at(k)]);
      for (int i = group_start[g]; i < group_start[g + 1]; ++i) {
        const int column = couplings[at(i)];
        if (seen_by[at(column)] == row) continue;
        seen_by[at(column)] = row;
        column_.push_back(column);
      }
    }
    const auto first = column_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, column_.end());
    if (column_.size() > at(std::numeric_limits<int>::max()))
      throw Error(Problem{"", "more than 2^31 coupled pairs of nodes", "a smaller mesh", ""});
    diagonal_[at(row)] = static_cast<int>(std::lower_bound(first, column_.end(), row) - column_.begin());
    row_start_.push_back(static_cast<int>(column_.size()));
  }
  column_.shrink_to_fit();
  if (!is_uniform()) place_blocks();
}

/// Blocks of leading size in leading rows stay where they would be in a uniform pattern; the others follow in order.
void BlockPattern::place_blocks() {
  const int leading = layout_.num_leading(), b = layout_.leading_size();
  std::int64_t next = std::int64_t{row_start_[at(leading)]} * b * b;
  place_.reserve(column_.size());
  for (int row = 0; row < num_blocks(); ++row) {
    place_start_.push_back(next);
    for (int s = row_start_[at(row)]; s < row_start_[at(row) + 1]; ++s) {
      const int column = column_[at(s)];
      const bool is_leading = row < leading && column < leading;
      place_.push_back(is_leading ? std::int64_t{s} * b * b : next);
      if (!is_leading) next += std::int64_t{layout_.size(row)} * layout_.size(column);
    }
  }
  place_start_.push_back(next);
}

void BlockPattern::refuse_mixed() const {
  throw Error(Problem{"", "blocks of different sizes in one system", "blocks of one size",
                      "this method does not know reduced bodies or yarns beside nodes: choose another one"});
}

int BlockPattern::slot(int row, int column) const {
  assert(row >= 0 && row < num_blocks());
  const auto first = column_.begin() + row_start_[at(row)], last = column_.begin() + row_start_[at(row) + 1];
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? static_cast<int>(found - column_.begin()) : -1;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : BlockMatrix(std::move(pattern), BlockRange::all()) {}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern, BlockRange rows)
    : pattern_(std::move(pattern)), rows_(rows.clipped(pattern_->num_blocks())) {
  const DofLayout& layout = pattern_->layout();
  const std::vector<int>& start = pattern_->row_start();
  block_area_ = std::ptrdiff_t{layout.leading_size()} * layout.leading_size();
  const BlockRange leading = rows_.clipped(layout.num_leading());
  first_ = start[at(leading.begin)] * block_area_;
  num_leading_ = start[at(leading.end)] * block_area_ - first_;
  std::ptrdiff_t count = num_leading_;
  if (!pattern_->is_uniform()) {
    const std::vector<std::int64_t>& places = pattern_->place_start();
    places_ = pattern_->places();
    first_place_ = places.front();
    shift_ = places[at(rows_.begin)] - num_leading_;
    count += places[at(rows_.end)] - places[at(rows_.begin)];
  }
  values_.assign(static_cast<std::size_t>(count), 0.0);
}

Eigen::Map<Matrix> BlockMatrix::view(int row, int slot) {
  const DofLayout& layout = pattern_->layout();
  return {block(slot), layout.size(row), layout.size(pattern_->column()[at(slot)])};
}

Eigen::Map<const Matrix> BlockMatrix::view(int row, int slot) const {
  const DofLayout& layout = pattern_->layout();
  return {block(slot), layout.size(row), layout.size(pattern_->column()[at(slot)])};
}

void BlockMatrix::set_zero() {
  for_value_ranges(values_.size(), [&](std::size_t begin, std::size_t end) {
    std::fill(values_.data() + begin, values_.data() + end, 0.0);
  });
}

void BlockMatrix::copy_values(const BlockMatrix& other) {
  assert(other.values_.size() == values_.size() && other.rows_ == rows_);
  for_value_ranges(values_.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(other.values_.data() + begin, other.values_.data() + end, values_.data() + begin);
  });
}

void BlockMatrix::add_scaled(double scale, const BlockMatrix& other) {
  assert(rows_.begin <= other.rows_.begin && other.rows_.end <= rows_.end);
  const auto add = [&](double* to, const double* from, std::ptrdiff_t count) {
    for_value_ranges(static_cast<std::size_t>(count), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] += scale * from[i];
    });
  };
  add(values_.data() + (other.first_ - first_), other.values_.data(), other.num_leading_);
  if (places_ == nullptr) return;
  const std::ptrdiff_t place = other.num_leading_ + other.shift_;  // of the other's first value behind the leading ones
  add(values_.data() + (place - shift_), other.values_.data() + other.num_leading_,
      static_cast<std::ptrdiff_t>(other.values_.size()) - other.num_leading_);
}

void BlockMatrix::multiply(const ConstVectorRef& x, VectorRef y) const {
  assert(x.size() == pattern_->num_dofs() && y.size() == x.size());
  assert(x.data() != y.data());
  parallel_for(rows_.size(), product_rows_per_range(pattern_->layout().leading_size()), [&](int begin, int end) {
    multiply_rows(*this, rows_.begin + begin, rows_.begin + end, 1.0, false, x.data(), y.data());
  });
}

void BlockMatrix::multiply_add(double scale, const ConstVectorRef& x, VectorRef y) const {
  assert(x.size() == pattern_->num_dofs() && y.size() == x.size());
  assert(x.data() != y.data());
  parallel_for(rows_.size(), product_rows_per_range(pattern_->layout().leading_size()), [&](int begin, int end) {
    multiply_rows(*this, rows_.begin + begin, rows_.begin + end, scale, true, x.data(), y.data());
  });
}

Matrix BlockMatrix::dense() const {
  const DofLayout& layout = pattern_->layout();
  Matrix result = Matrix::Zero(pattern_->num_dofs(), pattern_->num_dofs());
  for (int row = rows_.begin; row < rows_.end; ++row)
    for (int s = pattern_->row_start()[at(row)]; s < pattern_->row_start()[at(row) + 1]; ++s) {
      const int column = pattern_->column()[at(s)];
      result.block(layout.offset(row), layout.offset(column), layout.size(row), layout.size(column)) = view(row, s);
    }
  return result;
}

double BlockMatrix::asymmetry() const {
  double difference = 0, largest = 0;
  for (int row = rows_.begin; row < rows_.end; ++row)
    for (int s = pattern_->row_start()[at(row)]; s < pattern_->row_start()[at(row) + 1]; ++s) {
      const int column = pattern_->column()[at(s)];
      const Eigen::Map<const Matrix> block_here = view(row, s);
      largest = std::max(largest, block_here.cwiseAbs().maxCoeff());
      if (column < row) continue;
      const Eigen::Map<const Matrix> block_there = view(column, pattern_->slot(column, row));
      difference = std::max(difference, (block_here - block_there.transpose()).cwiseAbs().maxCoeff());
    }
  return largest > 0 ? difference / largest : 0.0;
}

}  // namespace dashpot
