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

void check_groups(int block_size, int num_blocks, const std::vector<int>& start, const std::vector<int>& couplings) {
  std::vector<Problem> problems;
  if (block_size < 1) problems.push_back({"", fmt::format("block size {}", block_size), "at least 1", ""});
  if (num_blocks < 0) problems.push_back({"", fmt::format("{} blocks", num_blocks), "at least 0", ""});
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

BlockPattern::BlockPattern(int block_size, int num_blocks, const std::vector<int>& group_start,
                           const std::vector<int>& couplings)
    : block_size_(block_size), num_blocks_(num_blocks) {
  check_groups(block_size, num_blocks, group_start, couplings);
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
}

int BlockPattern::slot(int row, int column) const {
  assert(row >= 0 && row < num_blocks_);
  const auto first = column_.begin() + row_start_[at(row)], last = column_.begin() + row_start_[at(row) + 1];
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? static_cast<int>(found - column_.begin()) : -1;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : BlockMatrix(std::move(pattern), BlockRange::all()) {}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern, BlockRange rows)
    : pattern_(std::move(pattern)),
      rows_(rows.clipped(pattern_->num_blocks())),
      first_slot_(pattern_->row_start()[at(rows_.begin)]),
      block_area_(at(pattern_->block_size()) * at(pattern_->block_size())),
      values_(at(pattern_->row_start()[at(rows_.end)] - first_slot_) * block_area_, 0.0) {}

void BlockMatrix::set_zero() {
  for_each_range([&](int begin, int end) { std::fill(block(begin), block(end), 0.0); });
}

void BlockMatrix::copy_values(const BlockMatrix& other) {
  assert(other.values_.size() == values_.size() && other.first_slot_ == first_slot_);
  for_each_range([&](int begin, int end) { std::copy(other.block(begin), other.block(end), block(begin)); });
}

void BlockMatrix::add_scaled(double scale, const BlockMatrix& other) {
  assert(rows_.begin <= other.rows_.begin && other.rows_.end <= rows_.end);
  other.for_each_range([&](int begin, int end) {
    const double* from = other.block(begin);
    double* to = block(begin);
    const std::size_t count = at(end - begin) * block_area_;
    for (std::size_t i = 0; i < count; ++i) to[i] += scale * from[i];
  });
}

void BlockMatrix::for_each_range(FunctionRef<void(int, int)> body) const {
  const int slots_per_range = std::max(1, values_per_range / static_cast<int>(block_area_));
  parallel_for(num_stored(), slots_per_range,
               [&](int begin, int end) { body(first_slot_ + begin, first_slot_ + end); });
}

void BlockMatrix::multiply(const ConstVectorRef& x, VectorRef y) const {
  assert(x.size() == pattern_->num_dofs() && y.size() == x.size());
  assert(x.data() != y.data());
  parallel_for(rows_.size(), product_rows_per_range(pattern_->block_size()), [&](int begin, int end) {
    multiply_rows(*this, rows_.begin + begin, rows_.begin + end, 1.0, false, x.data(), y.data());
  });
}

void BlockMatrix::multiply_add(double scale, const ConstVectorRef& x, VectorRef y) const {
  assert(x.size() == pattern_->num_dofs() && y.size() == x.size());
  assert(x.data() != y.data());
  parallel_for(rows_.size(), product_rows_per_range(pattern_->block_size()), [&](int begin, int end) {
    multiply_rows(*this, rows_.begin + begin, rows_.begin + end, scale, true, x.data(), y.data());
  });
}

Matrix BlockMatrix::dense() const {
  const int b = pattern_->block_size();
  Matrix result = Matrix::Zero(pattern_->num_dofs(), pattern_->num_dofs());
  for (int row = rows_.begin; row < rows_.end; ++row)
    for (int s = pattern_->row_start()[at(row)]; s < pattern_->row_start()[at(row) + 1]; ++s)
      result.block(row * b, pattern_->column()[at(s)] * b, b, b) = Eigen::Map<const Matrix>(block(s), b, b);
  return result;
}

double BlockMatrix::asymmetry() const {
  const int b = pattern_->block_size();
  double difference = 0, largest = 0;
  for (int row = rows_.begin; row < rows_.end; ++row)
    for (int s = pattern_->row_start()[at(row)]; s < pattern_->row_start()[at(row) + 1]; ++s) {
      const int column = pattern_->column()[at(s)];
      const Eigen::Map<const Matrix> block_here(block(s), b, b);
      largest = std::max(largest, block_here.cwiseAbs().maxCoeff());
      if (column < row) continue;
      const Eigen::Map<const Matrix> block_there(block(pattern_->slot(column, row)), b, b);
      difference = std::max(difference, (block_here - block_there.transpose()).cwiseAbs().maxCoeff());
    }
  return largest > 0 ? difference / largest : 0.0;
}

}  // namespace dashpot
