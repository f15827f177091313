#include "dashpot/linsolve/chain_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/math/pack_float.hpp"

namespace dashpot {

using math::Pack8;

namespace {

constexpr int rows_per_range = 512;

/// Numbers of a position in the factor: the triangle of the inverse of L_ii, and two full blocks.
template <int B>
constexpr int inverse_size = B*(B + 1) / 2;
template <int B>
constexpr int position_size = inverse_size<B> + 2 * B* B;

}  // namespace

void ChainFactor::analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free,
                          const std::vector<std::vector<int>>& chains) {
  pattern_ = &pattern;
  is_free_ = is_free;
  block_size_ = pattern.layout().leading_size();
  std::vector<std::vector<int>> all = chains;
  std::vector<std::uint8_t> seen(at(pattern.num_blocks()), 0);
  for (const std::vector<int>& chain : all)
    for (const int block : chain) {
      if (block < 0 || block >= pattern.num_blocks() || seen[at(block)] != 0)
        throw Error(Problem{"chains", fmt::format("block {}", block),
                            fmt::format("each block from 0 to {} in one chain at most", pattern.num_blocks() - 1), ""});
      seen[at(block)] = 1;
    }
  for (int block = 0; block < pattern.num_blocks(); ++block)
    if (seen[at(block)] == 0) all.push_back({block});
  // Chains of like length side by side, so that few lanes idle.
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });

  pack_start_ = {0};
  block_.clear();
  for (std::size_t first = 0; first < all.size(); first += lanes) {
    const std::size_t last = std::min(first + lanes, all.size());
    for (std::size_t p = 0; p < all[first].size(); ++p)
      for (std::size_t l = first; l < first + lanes; ++l)
        block_.push_back(l < last && p < all[l].size() ? all[l][p] : -1);
    pack_start_.push_back(static_cast<int>(block_.size()) / lanes);
  }
  // Slots of the kept blocks, and of what is left.
  slots_.assign(block_.size() * (reach + 1), -1);
  std::vector<std::uint8_t> is_kept(at(pattern.num_slots()), 0);
  for (int pack = 0; pack < num_packs(); ++pack)
    for (int p = pack_start_[at(pack)]; p < pack_start_[at(pack) + 1]; ++p)
      for (int l = 0; l < lanes; ++l) {
        const std::size_t entry = at(lanes * p + l);
        if (block_[entry] < 0) continue;
        for (int back = 0; back <= reach && p - back >= pack_start_[at(pack)]; ++back) {
          const int other = block_[at(lanes * (p - back) + l)];
          const int slot = pattern.slot(block_[entry], other);
          slots_[entry * (reach + 1) + at(back)] = slot;
          if (slot < 0) continue;
          is_kept[at(slot)] = 1;
          is_kept[at(pattern.slot(other, block_[entry]))] = 1;
        }
      }
  rest_start_ = {0};
  rest_slot_.clear();
  rest_column_.clear();
  for (int row = 0; row < pattern.num_blocks(); ++row) {
    for (int slot = pattern.row_start()[at(row)]; slot < pattern.row_start()[at(row) + 1]; ++slot)
      if (is_kept[at(slot)] == 0) {
        rest_slot_.push_back(slot);
        rest_column_.push_back(pattern.column()[at(slot)]);
      }
    rest_start_.push_back(static_cast<int>(rest_slot_.size()));
  }
}

namespace {

/// Gathers block `slot` of A for one lane, unit rows and columns where dofs are not free.
template <int B>
void gather(const BlockMatrix& A, const std::uint8_t* is_free, int slot, int row, int column, double* out, int lane) {
  const double* block = slot >= 0 ? A.block(slot) : nullptr;
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < B; ++c) {
      const bool free = is_free[B * row + r] != 0 && is_free[B * column + c] != 0;
      const double value = block == nullptr ? 0 : block[B * c + r];
      out[ChainFactor::lanes * (B * r + c) + lane] = free ? value : (row == column && r == c ? 1 : 0);
    }
}

}  // namespace

template <int B>
bool ChainFactor::factorize_pack(const BlockMatrix& A, int pack) {
  constexpr int W = lanes;
  // Of the last positions: L_i,i-1, and the inverses of L_ii; everything row-major, lanes inmost, in double.
  double diagonal[B * B * W], one[B * B * W], two[B * B * W], inverse[reach + 1][B * B * W] = {},
                                                                                         last_one[B * B * W] = {};
  const int begin = pack_start_[at(pack)];
  for (int p = begin; p < pack_start_[at(pack) + 1]; ++p) {
    double* const blocks[3] = {diagonal, one, two};
    for (int back = 0; back <= reach; ++back) std::fill(blocks[back], blocks[back] + B * B * W, 0.0);
    for (int l = 0; l < W; ++l) {
      const std::size_t entry = at(W * p + l);
      if (block_[entry] < 0) {
        for (int r = 0; r < B; ++r) diagonal[W * (B * r + r) + l] = 1;
        continue;
      }
      for (int back = 0; back <= std::min(reach, p - begin); ++back)
        gather<B>(A, is_free_.data(), slots_[entry * (reach + 1) + at(back)], block_[entry],
                  block_[at(W * (p - back) + l)], blocks[back], l);
    }
    const double *inverse_1 = inverse[(p + 2) % 3], *inverse_2 = inverse[(p + 1) % 3];
    // L_i,i-2 = A_i,i-2 L_i-2,i-2^-T
    const auto times_transposed_inverse = [](double* block, const double* lower_inverse) {
      for (int r = 0; r < B; ++r) {
        double row[B * W];
        for (int c = 0; c < B; ++c)
          for (int l = 0; l < W; ++l) {
            double sum = 0;
            for (int k = 0; k <= c; ++k) sum += block[W * (B * r + k) + l] * lower_inverse[W * (B * c + k) + l];
            row[W * c + l] = sum;
          }
        std::copy(row, row + B * W, block + W * B * r);
      }
    };
    const auto subtract_product = [](double* out, const double* a, const double* b) {  // out -= a b^T
      for (int r = 0; r < B; ++r)
        for (int c = 0; c < B; ++c)
          for (int k = 0; k < B; ++k)
            for (int l = 0; l < W; ++l) out[W * (B * r + c) + l] -= a[W * (B * r + k) + l] * b[W * (B * c + k) + l];
    };
    if (p - begin >= 2) {
      times_transposed_inverse(two, inverse_2);
      subtract_product(one, two, last_one);
    }
    if (p - begin >= 1) times_transposed_inverse(one, inverse_1);
    if (p - begin >= 2) subtract_product(diagonal, two, two);
    if (p - begin >= 1) subtract_product(diagonal, one, one);
    // diagonal = L L^T, then the inverse of L
    double* const inverted = inverse[p % 3];
    for (int l = 0; l < W; ++l) {
      double L[B][B] = {};
      for (int c = 0; c < B; ++c)
        for (int r = c; r < B; ++r) {
          double sum = diagonal[W * (B * r + c) + l];
          for (int k = 0; k < c; ++k) sum -= L[r][k] * L[c][k];
          if (r > c)
            L[r][c] = sum / L[c][c];
          else if (sum > 0)
            L[c][c] = std::sqrt(sum);
          else
            return false;
        }
      for (int c = 0; c < B; ++c)
        for (int r = 0; r < B; ++r) {
          double sum = r == c ? 1 : 0;
          for (int k = c; k < r; ++k) sum -= L[r][k] * inverted[W * (B * k + c) + l];
          inverted[W * (B * r + c) + l] = r < c ? 0 : sum / L[r][r];
        }
    }
    std::copy(one, one + B * B * W, last_one);
    float* out = factor_.data() + std::ptrdiff_t{W} * position_size<B> * p;
    for (int r = 0; r < B; ++r)
      for (int c = 0; c <= r; ++c)
        for (int l = 0; l < W; ++l) *out++ = static_cast<float>(inverted[W * (B * r + c) + l]);
    for (const double* block : {one, two})
      for (int k = 0; k < B * B * W; ++k) *out++ = static_cast<float>(block[k]);
  }
  return true;
}

template <int B>
SolveStatus ChainFactor::factorize_blocks(const BlockMatrix& A) {
  factor_.resize(block_.size() * position_size<B>);
  std::atomic<bool> is_definite = true;
  parallel_for(num_packs(), 1, [&](int begin, int end) {
    for (int pack = begin; pack < end; ++pack)
      if (!factorize_pack<B>(A, pack)) is_definite = false;
  });
  return is_definite ? SolveStatus::ok : SolveStatus::not_positive_definite;
}

template <int B>
void ChainFactor::solve_blocks(const Vector& r, Vector& z) const {
  constexpr int W = lanes;
  parallel_for(num_packs(), 1, [&](int first_pack, int last_pack) {
    std::vector<Pack8> y;
    for (int pack = first_pack; pack < last_pack; ++pack) {
      const int begin = pack_start_[at(pack)], end = pack_start_[at(pack) + 1];
      y.resize(static_cast<std::size_t>(B * (end - begin)));
      for (int p = begin; p < end; ++p) {  // L y = r
        Pack8 b[B];
        for (int c = 0; c < B; ++c) b[c] = Pack8(0.0);
        for (int l = 0; l < W; ++l) {
          const int block = block_[at(W * p + l)];
          if (block < 0) continue;
          const std::ptrdiff_t dof = std::ptrdiff_t{B} * block;
          for (int c = 0; c < B; ++c) b[c].set(l, is_free_[at(dof + c)] != 0 ? r[dof + c] : 0);
        }
        const float* factor = factor_.data() + std::ptrdiff_t{W} * position_size<B> * p;
        const float* couplings = factor + W * inverse_size<B>;
        Pack8* const own = y.data() + B * (p - begin);
        for (int back = 1; back <= std::min(reach, p - begin); ++back, couplings += W * B * B) {
          const Pack8* before = own - B * back;
          for (int i = 0; i < B; ++i)
            for (int k = 0; k < B; ++k) b[i] -= Pack8::load(couplings + W * (B * i + k)) * before[k];
        }
        for (int i = 0, k = 0; i < B; ++i) {
          Pack8 sum(0.0);
          for (int c = 0; c <= i; ++c, ++k) sum += Pack8::load(factor + W * k) * b[c];
          own[i] = sum;
        }
      }
      for (int p = end - 1; p >= begin; --p) {  // L^T z = y
        Pack8* const own = y.data() + B * (p - begin);
        Pack8 b[B];
        for (int c = 0; c < B; ++c) b[c] = own[c];
        for (int ahead = 1; ahead <= std::min(reach, end - 1 - p); ++ahead) {
          const float* couplings = factor_.data() + std::ptrdiff_t{W} * position_size<B> * (p + ahead) +
                                   W * (inverse_size<B> + (ahead - 1) * B * B);
          const Pack8* after = own + B * ahead;
          for (int i = 0; i < B; ++i)
            for (int k = 0; k < B; ++k) b[k] -= Pack8::load(couplings + W * (B * i + k)) * after[i];
        }
        const float* factor = factor_.data() + std::ptrdiff_t{W} * position_size<B> * p;
        for (int c = 0; c < B; ++c) {
          Pack8 sum(0.0);
          for (int i = c; i < B; ++i) sum += Pack8::load(factor + W * (i * (i + 1) / 2 + c)) * b[i];
          own[c] = sum;
        }
        for (int l = 0; l < W; ++l) {
          const int block = block_[at(W * p + l)];
          if (block < 0) continue;
          const std::ptrdiff_t dof = std::ptrdiff_t{B} * block;
          for (int c = 0; c < B; ++c) {
            z[dof + c] = is_free_[at(dof + c)] != 0 ? static_cast<double>(own[c][l]) : 0;
          }
        }
      }
    }
  });
}

template <int B>
void ChainFactor::multiply_rest_blocks(const BlockMatrix& A, const Vector& x, Vector& y) const {
  parallel_for(pattern_->num_blocks(), rows_per_range, [&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      double sum[B] = {};
      for (int k = rest_start_[at(row)]; k < rest_start_[at(row) + 1]; ++k) {
        const double* block = A.block(rest_slot_[at(k)]);
        const double* in = x.data() + std::ptrdiff_t{B} * rest_column_[at(k)];
        for (int c = 0; c < B; ++c)
          for (int i = 0; i < B; ++i) sum[i] += block[B * c + i] * in[c];
      }
      for (int i = 0; i < B; ++i) y[std::ptrdiff_t{B} * row + i] = sum[i];
    }
  });
}

SolveStatus ChainFactor::factorize(const BlockMatrix& A) {
  return block_size_ == 5 ? factorize_blocks<5>(A) : factorize_blocks<3>(A);
}
void ChainFactor::solve(const Vector& r, Vector& z) const {
  block_size_ == 5 ? solve_blocks<5>(r, z) : solve_blocks<3>(r, z);
}
void ChainFactor::multiply_rest(const BlockMatrix& A, const Vector& x, Vector& y) const {
  block_size_ == 5 ? multiply_rest_blocks<5>(A, x, y) : multiply_rest_blocks<3>(A, x, y);
}

}  // namespace dashpot
