#pragma once
// A coarse space for matrices over blocks that stand on a grid (BlockChains::places): displacements that are quadratic
// B-splines with a knot at every `spacing`-th grid line, three numbers each. Splines, because sheets resist bending: a
// piecewise linear function has a sharp bend at every knot. A_c = P^T A P is factored directly.

#include <array>
#include <memory>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class GridCoarse {
 public:
  void analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free,
               const std::vector<std::array<int, 2>>& places, int spacing);
  SolveStatus factorize(const BlockMatrix& A);
  /// z += P A_c^-1 P^T r.
  void add_correction(const Vector& r, Vector& z);
  int num_nodes() const { return nodes_[0] * nodes_[1]; }

 private:
  struct Spot {
    int cell[2];
    double weight[2][3];
  };
  int node(int i, int j) const { return j * nodes_[0] + i; }

  const BlockPattern* pattern_ = nullptr;
  std::vector<std::uint8_t> is_free_;
  std::vector<Spot> spots_;
  std::array<int, 2> nodes_{};
  std::vector<std::vector<int>> stripes_;  ///< blocks by the second cell number
  std::vector<int> window_slots_;          ///< of coarse blocks: row node, then 7 x 7 columns around it; -1: none
  std::shared_ptr<const BlockPattern> coarse_pattern_;
  BlockMatrix coarse_;
  std::unique_ptr<LinearSolver> solver_;
  Vector b_, x_;
};

}  // namespace dashpot
