#include "dashpot/linsolve/grid_coarse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

constexpr int window = 7;  // coarse nodes that may be coupled, along each axis
constexpr int half = window / 2;

}  // namespace

void GridCoarse::analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free,
                         const std::vector<std::array<int, 2>>& places, int spacing) {
  pattern_ = &pattern;
  is_free_ = is_free;
  std::array<int, 2> low, high;
  low.fill(std::numeric_limits<int>::max());
  high.fill(std::numeric_limits<int>::min());
  for (const auto& place : places)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  int cells[2];
  for (std::size_t axis = 0; axis < 2; ++axis) {
    cells[axis] = (high[axis] - low[axis]) / spacing + 1;
    nodes_[axis] = cells[axis] + 2;
  }
  spots_.resize(places.size());
  stripes_.assign(at(cells[1]), {});
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const int offset = places[i][axis] - low[axis];
      const double t = (offset % spacing) / static_cast<double>(spacing);
      spots_[i].cell[axis] = offset / spacing;
      spots_[i].weight[axis][0] = 0.5 * (1 - t) * (1 - t);
      spots_[i].weight[axis][1] = 0.5 + t - t * t;
      spots_[i].weight[axis][2] = 0.5 * t * t;
    }
    stripes_[at(spots_[i].cell[1])].push_back(static_cast<int>(i));
  }
  // Nodes of cells next to each other are coupled.
  std::vector<std::uint8_t> is_used(at(num_nodes()), 0);
  for (const Spot& spot : spots_)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) is_used[at(node(spot.cell[0] + i, spot.cell[1] + j))] = 1;
  std::vector<int> start{0}, groups;
  for (int cj = 0; cj < std::max(1, cells[1] - 1); ++cj)
    for (int ci = 0; ci < std::max(1, cells[0] - 1); ++ci) {
      for (int j = 0; j < 4 && cj + j < nodes_[1]; ++j)
        for (int i = 0; i < 4 && ci + i < nodes_[0]; ++i)
          if (is_used[at(node(ci + i, cj + j))] != 0) groups.push_back(node(ci + i, cj + j));
      start.push_back(static_cast<int>(groups.size()));
    }
  coarse_pattern_ = std::make_shared<const BlockPattern>(3, num_nodes(), start, groups);
  coarse_ = BlockMatrix(coarse_pattern_);
  window_slots_.assign(at(num_nodes()) * window * window, -1);
  for (int row = 0; row < num_nodes(); ++row)
    for (int slot = coarse_pattern_->row_start()[at(row)]; slot < coarse_pattern_->row_start()[at(row) + 1]; ++slot) {
      const int column = coarse_pattern_->column()[at(slot)];
      const int di = column % nodes_[0] - row % nodes_[0] + half, dj = column / nodes_[0] - row / nodes_[0] + half;
      window_slots_[at(row) * window * window + at(dj * window + di)] = slot;
    }
  std::vector<std::uint8_t> coarse_free(at(3 * num_nodes()), 0);
  for (std::size_t k = 0; k < coarse_free.size(); ++k) coarse_free[k] = is_used[k / 3];
  solver_ = has_suitesparse() ? make_cholmod_solver() : make_eigen_cholesky_solver();
  solver_->analyze(coarse_pattern_, coarse_free);
  b_.setZero(3 * num_nodes());
  x_.setZero(3 * num_nodes());
}

SolveStatus GridCoarse::factorize(const BlockMatrix& A) {
  const int B = pattern_->layout().leading_size();
  coarse_.set_zero();
  // Blocks of stripe s write rows of nodes s .. s + 2: every third stripe at once.
  for (int color = 0; color < 3; ++color)
    parallel_for(static_cast<int>(stripes_.size() + 2 - at(color)) / 3, 1, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        for (const int row : stripes_[at(3 * k + color)]) {
          const Spot& spot = spots_[at(row)];
          // S_J = sum over neighbors of weight_J A_row,neighbor, J in a window about the cell
          double S[5][5][9] = {};
          for (int slot = pattern_->row_start()[at(row)]; slot < pattern_->row_start()[at(row) + 1]; ++slot) {
            const int column = pattern_->column()[at(slot)];
            const Spot& other = spots_[at(column)];
            const double* block = A.block(slot);
            double a[9];
            for (int c = 0; c < 3; ++c)
              for (int r = 0; r < 3; ++r)
                a[3 * c + r] =
                    is_free_[at(B * row + r)] != 0 && is_free_[at(B * column + c)] != 0 ? block[B * c + r] : 0;
            const int di = other.cell[0] - spot.cell[0] + 1, dj = other.cell[1] - spot.cell[1] + 1;
            for (int j = 0; j < 3; ++j)
              for (int i = 0; i < 3; ++i) {
                const double weight = other.weight[0][i] * other.weight[1][j];
                for (int e = 0; e < 9; ++e) S[dj + j][di + i][e] += weight * a[e];
              }
          }
          for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
              const double weight = spot.weight[0][i] * spot.weight[1][j];
              const int coarse_row = node(spot.cell[0] + i, spot.cell[1] + j);
              for (int wj = 0; wj < 5; ++wj)
                for (int wi = 0; wi < 5; ++wi) {
                  const int slot = window_slots_[at(coarse_row) * window * window +
                                                 at((wj - 1 - j + half) * window + wi - 1 - i + half)];
                  if (slot < 0) continue;
                  double* out = coarse_.block(slot);
                  for (int e = 0; e < 9; ++e) out[e] += weight * S[wj][wi][e];
                }
            }
        }
    });
  // Splines that reach no free block.
  double largest = 0;
  for (int i = 0; i < num_nodes(); ++i)
    for (int c = 0; c < 3; ++c) largest = std::max(largest, coarse_.block(coarse_pattern_->diagonal_slot(i))[4 * c]);
  for (int i = 0; i < num_nodes(); ++i)
    for (int c = 0; c < 3; ++c) coarse_.block(coarse_pattern_->diagonal_slot(i))[4 * c] += 1e-10 * largest;
  return solver_->factorize(coarse_);
}

void GridCoarse::add_correction(const Vector& r, Vector& z) {
  const int B = pattern_->layout().leading_size();
  b_.setZero();
  for (int color = 0; color < 3; ++color)
    parallel_for(static_cast<int>(stripes_.size() + 2 - at(color)) / 3, 1, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        for (const int row : stripes_[at(3 * k + color)])
          for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
              const Spot& spot = spots_[at(row)];
              const double weight = spot.weight[0][i] * spot.weight[1][j];
              double* out = b_.data() + 3 * std::ptrdiff_t{node(spot.cell[0] + i, spot.cell[1] + j)};
              for (int c = 0; c < 3; ++c)
                if (is_free_[at(B * row + c)] != 0) out[c] += weight * r[std::ptrdiff_t{B} * row + c];
            }
    });
  x_.setZero();
  solver_->solve(b_, x_);
  parallel_for(static_cast<int>(spots_.size()), 1024, [&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          const Spot& spot = spots_[at(row)];
          const double weight = spot.weight[0][i] * spot.weight[1][j];
          const double* in = x_.data() + 3 * std::ptrdiff_t{node(spot.cell[0] + i, spot.cell[1] + j)};
          for (int c = 0; c < 3; ++c)
            if (is_free_[at(B * row + c)] != 0) z[std::ptrdiff_t{B} * row + c] += weight * in[c];
        }
  });
}

}  // namespace dashpot
