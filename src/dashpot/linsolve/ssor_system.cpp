#include "dashpot/linsolve/ssor_system.hpp"

#include <algorithm>
#include <cstring>

#include <Eigen/Cholesky>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_size.hpp"
#include "dashpot/linsolve/free_rows.hpp"
#include "dashpot/linsolve/simd_pack.hpp"

namespace dashpot {
namespace {

// Chunks of at least this many rows: smaller ones lose more iterations to the missing coupling R than threads gain.
constexpr int min_rows_per_chunk = 1024;
constexpr int max_chunks = 8;
constexpr int rows_per_range = 256;

/// Breadth-first order of the component of `root` appended to `order`; returns the last block reached.
int breadth_first(const BlockPattern& pattern, int root, int mark, std::vector<int>& seen, std::vector<int>& order) {
  std::size_t head = order.size();
  order.push_back(root);
  seen[at(root)] = mark;
  for (; head < order.size(); ++head)
    for (int s = pattern.row_start()[at(order[head])]; s < pattern.row_start()[at(order[head]) + 1]; ++s) {
      const int next = pattern.column()[at(s)];
      if (seen[at(next)] < 0 || seen[at(next)] >= mark) continue;  // not in the system, or met already
      seen[at(next)] = mark;
      order.push_back(next);
    }
  return order.back();
}

}  // namespace

void SsorSystem::analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free) {
  const FreeDofs dofs(pattern, is_free);  // checks the size of is_free
  if (!can_solve(pattern))
    throw Error(Problem{
        "",
        pattern.is_uniform() ? fmt::format("conjugate gradients asked for blocks of {}", pattern.block_size())
                             : "conjugate gradients asked for blocks of different sizes",
        fmt::format("blocks of one size, of at most {} dofs", max_block_size), "choose the linear solver 'automatic'"});
  block_size_ = pattern.block_size();
  stride_ = block_size_ == 3 ? 4 : block_size_;
  number_rows(pattern, is_free);
  cut_chunks(pattern);
  split_rows(pattern);
}

void SsorSystem::number_rows(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free) {
  const int b = block_size_;
  std::vector<int> seen(at(pattern.num_blocks()), -1);  // -1: fully prescribed
  for (int block = 0; block < pattern.num_blocks(); ++block)
    for (int c = 0; c < b; ++c)
      if (is_free[at(block * b + c)]) seen[at(block)] = 0;
  block_.clear();
  std::vector<int> trial;
  for (int block = 0; block < pattern.num_blocks(); ++block) {
    if (seen[at(block)] != 0) continue;
    trial.clear();  // the far end of the component gives narrower levels than an arbitrary start
    const int far = breadth_first(pattern, block, 1, seen, trial);
    breadth_first(pattern, far, 2, seen, block_);
  }
  row_.assign(at(pattern.num_blocks()), -1);
  mask_.resize(block_.size() * at(b));
  is_partial_.assign(block_.size(), 0);
  diagonal_source_.resize(block_.size());
  for (std::size_t row = 0; row < block_.size(); ++row) {
    row_[at(block_[row])] = static_cast<int>(row);
    diagonal_source_[row] = static_cast<std::int64_t>(pattern.diagonal_slot(block_[row])) * b * b;
    for (int c = 0; c < b; ++c) {
      mask_[row * at(b) + at(c)] = is_free[at(block_[row] * b + c)] ? 1 : 0;
      if (!mask_[row * at(b) + at(c)]) is_partial_[row] = 1;
    }
  }
}

void SsorSystem::cut_chunks(const BlockPattern& pattern) {
  int num_chunks = 1;
  while (num_chunks < max_chunks && num_rows() >= 2 * num_chunks * min_rows_per_chunk) num_chunks *= 2;
  std::int64_t total = 0, passed = 0;
  const auto slots = [&](int block) { return pattern.row_start()[at(block) + 1] - pattern.row_start()[at(block)]; };
  for (const int block : block_) total += slots(block);
  chunk_start_.assign(1, 0);
  for (int row = 0; row < num_rows(); ++row) {
    if (passed * num_chunks >= total * static_cast<std::int64_t>(chunk_start_.size())) chunk_start_.push_back(row);
    passed += slots(block_[at(row)]);
  }
  if (num_rows() > 0) chunk_start_.push_back(num_rows());
}

void SsorSystem::split_rows(const BlockPattern& pattern) {
  for (SweepRows* rows : {&lower_, &upper_, &off_}) *rows = SweepRows{};
  const std::int64_t area = block_size_ * block_size_;
  std::vector<std::pair<int, int>> entries;  // (row number of the column, slot), ascending
  // Slot (j, i) is read for row i, column j: its columns are the rows of the block.
  const auto read_row = [&](int row) {
    entries.clear();
    const std::size_t block = at(block_[at(row)]);
    for (int s = pattern.row_start()[block]; s < pattern.row_start()[block + 1]; ++s) {
      const int column = pattern.column()[at(s)];
      if (row_[at(column)] >= 0) entries.emplace_back(row_[at(column)], pattern.slot(column, static_cast<int>(block)));
    }
    std::sort(entries.begin(), entries.end());
  };
  const auto put = [&](SweepRows& rows, const std::pair<int, int>& entry) {
    rows.column.push_back(entry.first);
    rows.source.push_back(entry.second * area);
  };
  for (int chunk = 0; chunk < num_chunks(); ++chunk) {
    const int begin = rows_begin(chunk), end = rows_end(chunk);
    for (int row = begin; row < end; ++row) {
      read_row(row);
      for (const auto& entry : entries)
        if (entry.first < begin || entry.first >= end)
          put(off_, entry);
        else if (entry.first < row)
          put(lower_, entry);
      lower_.start.push_back(static_cast<int>(lower_.column.size()));
      off_.start.push_back(static_cast<int>(off_.column.size()));
    }
    // The unknown found last comes last in its row, so that a sweep waits for it as late as possible.
    for (int row = end - 1; row >= begin; --row) {
      read_row(row);
      for (auto entry = entries.rbegin(); entry != entries.rend() && entry->first > row; ++entry)
        if (entry->first < end) put(upper_, *entry);
      upper_.start.push_back(static_cast<int>(upper_.column.size()));
    }
  }
  for (SweepRows* rows : {&lower_, &upper_, &off_})
    rows->values.assign(rows->column.size() * at(static_cast<int>(area)) + 1, 0.0);
  factor_.resize(block_.size() * at(static_cast<int>(area)));
  inverse_.resize(factor_.size() + 1);  // read one entry past the last block
}

namespace {

/// out = left * A * right^T for lower triangular left and right; all column-major.
template <int B>
inline void scale_block(const double* left, const double* A, const double* right, double* out) {
  using Block = Eigen::Matrix<double, B, B>;
  const Eigen::Map<const Block> l(left), a(A), r(right);
  const Block half = l.lazyProduct(a);
  Eigen::Map<Block>(out).noalias() = half.lazyProduct(r.transpose());
}

/// Columns as SIMD vectors; the last lane is never stored. `left` is read one entry past its end.
template <>
inline void scale_block<3>(const double* left, const double* A, const double* right, double* out) {
  const Lanes l0 = load_lanes(left), l1 = load_lanes(left + 3), l2 = load_lanes(left + 6);
  const auto half = [&](const double* a) { return l0 * a[0] + l1 * a[1] + l2 * a[2]; };
  const Lanes h0 = half(A), h1 = half(A + 3), h2 = half(A + 6);
  const Lanes columns[3] = {h0 * right[0], h0 * right[1] + h1 * right[4],
                            h0 * right[2] + h1 * right[5] + h2 * right[8]};
  for (int c = 0; c < 3; ++c) std::memcpy(out + 3 * c, &columns[c], 3 * sizeof(double));
}

}  // namespace

template <int B>
bool SsorSystem::scale_blocks(const double* values, int row, int position, SweepRows& rows) const {
  const double* inverse = inverse_.data() + at(row) * B * B;
  const int begin = rows.start[at(position)], end = rows.start[at(position) + 1];
  for (int s = begin; s < end; ++s) {
    const int column = rows.column[at(s)];
    const double* value = values + rows.source[at(s)];
    double masked[B * B];
    if (is_partial_[at(row)] || is_partial_[at(column)]) {
      for (int c = 0; c < B; ++c)
        for (int r = 0; r < B; ++r)
          masked[c * B + r] = mask_[at(column * B + r)] && mask_[at(row * B + c)] ? value[c * B + r] : 0.0;
      value = masked;
    }
    // The scaled block (i, j) row-major is the scaled block (j, i) column-major.
    scale_block<B>(inverse_.data() + at(column) * B * B, value, inverse, rows.values.data() + at(s) * B * B);
  }
  return all_finite(rows.values.data() + at(begin) * B * B, at(end - begin) * B * B);
}

template <int B>
SolveStatus SsorSystem::assemble_blocks(const BlockMatrix& A) {
  using Block = Eigen::Matrix<double, B, B>;
  std::vector<std::uint8_t> bad(block_.size(), 0);  // 1: not positive definite, 2: not finite
  parallel_for(num_rows(), rows_per_range, [&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      Block D = Eigen::Map<const Block>(A.values() + diagonal_source_[at(row)]);
      if (is_partial_[at(row)])
        for (int c = 0; c < B; ++c)
          for (int r = 0; r < B; ++r)
            if (!mask_[at(row * B + r)] || !mask_[at(row * B + c)]) D(r, c) = r == c ? 1 : 0;
      Eigen::LLT<Block> llt(D);
      if (!all_finite(D.data(), B * B)) bad[at(row)] = 2;
      if (bad[at(row)] == 0 && llt.info() != Eigen::Success) bad[at(row)] = 1;
      const Block S = llt.matrixL();
      Eigen::Map<Block>(factor_.data() + at(row) * B * B) = S;
      Eigen::Map<Block>(inverse_.data() + at(row) * B * B) =
          S.template triangularView<Eigen::Lower>().solve(Block::Identity());
    }
  });
  const auto found = [&](std::uint8_t kind) { return std::find(bad.begin(), bad.end(), kind) != bad.end(); };
  if (found(2)) return SolveStatus::not_finite;
  if (found(1)) return SolveStatus::not_positive_definite;
  for (int chunk = 0; chunk < num_chunks(); ++chunk) {
    const int first = rows_begin(chunk), last = rows_end(chunk) - 1;
    parallel_for(last + 1 - first, rows_per_range, [&](int begin, int end) {
      for (int row = first + begin; row < first + end; ++row) {
        const bool finite = scale_blocks<B>(A.values(), row, row, lower_) &&
                            scale_blocks<B>(A.values(), row, row, off_) &&
                            scale_blocks<B>(A.values(), row, first + last - row, upper_);
        if (!finite) bad[at(row)] = 2;
      }
    });
  }
  return found(2) ? SolveStatus::not_finite : SolveStatus::ok;
}

template <int B>
bool SsorSystem::add_couplings(const DynamicBlocks& couplings) {
  coupled_.start.assign(block_.size() + 1, 0);
  const auto rows_of = [&](int pair) {
    return std::pair<int, int>{row_[at(couplings.row(pair))], row_[at(couplings.column(pair))]};
  };
  for (int pair = 0; pair < couplings.num_pairs(); ++pair) {
    const auto [i, j] = rows_of(pair);
    if (i < 0 || j < 0) continue;
    ++coupled_.start[at(i) + 1];
    ++coupled_.start[at(j) + 1];
  }
  for (std::size_t row = 0; row < block_.size(); ++row) coupled_.start[row + 1] += coupled_.start[row];
  const std::size_t count = at(coupled_.start.back());
  coupled_.column.resize(count);
  coupled_.source.resize(count);
  coupled_.values.assign(count * B * B + 1, 0.0);
  coupled_values_.resize(count * B * B);
  const auto put = [&](int row, int column, const double* block, bool transposed) {
    const std::size_t s = at(coupled_.start[at(row)]++);  // moves each start to its end; put back below
    coupled_.column[s] = column;
    coupled_.source[s] = static_cast<std::int64_t>(s) * B * B;
    for (int c = 0; c < B; ++c)
      for (int r = 0; r < B; ++r)
        coupled_values_[s * B * B + at(c * B + r)] = transposed ? block[r * B + c] : block[c * B + r];
  };
  for (int pair = 0; pair < couplings.num_pairs(); ++pair) {
    const auto [i, j] = rows_of(pair);
    if (i < 0 || j < 0) continue;
    put(j, i, couplings.block(pair), false);  // row j reads block (i, j): see split_rows
    put(i, j, couplings.block(pair), true);
  }
  std::rotate(coupled_.start.begin(), coupled_.start.end() - 1, coupled_.start.end());
  coupled_.start.front() = 0;
  bool finite = true;
  for (int row = 0; row < num_rows(); ++row) finite &= scale_blocks<B>(coupled_values_.data(), row, row, coupled_);
  return finite;
}

SolveStatus SsorSystem::assemble(const BlockMatrix& A, const DynamicBlocks* couplings) {
  coupled_.column.clear();
  return with_block_size(block_size_, [&](auto size) {
    constexpr int B = decltype(size)::value;
    const SolveStatus status = assemble_blocks<B>(A);
    if (status != SolveStatus::ok || !couplings || couplings->empty()) return status;
    return add_couplings<B>(*couplings) ? SolveStatus::ok : SolveStatus::not_finite;
  });
}

}  // namespace dashpot
