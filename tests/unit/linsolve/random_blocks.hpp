#pragma once
// Random block matrices over a ring of blocks with chords: connected, banded but not trivially so.
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <Eigen/LU>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot::testing {

inline std::shared_ptr<const BlockPattern> ring_pattern(const DofLayout& layout) {
  const int num_blocks = layout.num_blocks();
  std::vector<int> start{0}, couplings;
  for (int i = 0; i < num_blocks; ++i) {
    for (const int j : {i, (i + 1) % num_blocks, (i * 7 + 3) % num_blocks}) couplings.push_back(j);
    start.push_back(static_cast<int>(couplings.size()));
  }
  return std::make_shared<BlockPattern>(layout, start, couplings);
}
inline std::shared_ptr<const BlockPattern> ring_pattern(int block_size, int num_blocks) {
  return ring_pattern(DofLayout(block_size, num_blocks));
}

/// Nodes, yarn crossings, a number of its own and a reduced body side by side.
inline DofLayout mixed_layout() {
  DofLayout layout(3, 24);
  layout.append(5, 9);
  layout.append(1, 1);
  layout.append(9, 1);
  layout.append(3, 8);
  return layout;
}

inline Vector random_vector(int size, unsigned seed) {
  std::mt19937 engine(seed);
  Vector x(size);
  for (int i = 0; i < size; ++i) x[i] = 2.0 * (engine() / 4294967295.0) - 1.0;
  return x;
}

inline Matrix random_dense(int rows, int columns, unsigned seed) {
  return Eigen::Map<const Matrix>(random_vector(rows * columns, seed).data(), rows, columns);
}

inline BlockMatrix random_matrix(const std::shared_ptr<const BlockPattern>& pattern, unsigned seed) {
  BlockMatrix A(pattern);
  const Vector noise = random_vector(static_cast<int>(A.num_values()), seed);
  for (std::size_t i = 0; i < A.num_values(); ++i) A.values()[i] = noise[static_cast<Eigen::Index>(i)];
  return A;
}

/// (R + R^T)/2 + diagonal * I: positive definite when `diagonal` exceeds the row sums, indefinite when it is 0.
inline BlockMatrix random_symmetric(const std::shared_ptr<const BlockPattern>& pattern, unsigned seed,
                                    double diagonal) {
  BlockMatrix A = random_matrix(pattern, seed);
  for (int row = 0; row < pattern->num_blocks(); ++row)
    for (int s = pattern->row_start()[static_cast<std::size_t>(row)];
         s < pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s) {
      const int column = pattern->column()[static_cast<std::size_t>(s)];
      if (column < row) continue;
      Eigen::Map<Matrix> upper = A.view(row, s), lower = A.view(column, pattern->slot(column, row));
      const Matrix mean = 0.5 * (upper + lower.transpose());
      upper = mean;
      lower = mean.transpose();
      if (column == row) upper.diagonal().array() += diagonal;
    }
  return A;
}

/// The solution by dense LU over the free dofs, zero elsewhere.
inline Matrix dense_solution(const Matrix& A, const std::vector<std::uint8_t>& is_free, const Matrix& b) {
  std::vector<int> free;
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i]) free.push_back(static_cast<int>(i));
  const Matrix free_A = A(free, free), free_b = b(free, Eigen::all);
  const Matrix free_x = free_A.partialPivLu().solve(free_b);
  Matrix x = Matrix::Zero(b.rows(), b.cols());
  x(free, Eigen::all) = free_x;
  return x;
}

}  // namespace dashpot::testing
