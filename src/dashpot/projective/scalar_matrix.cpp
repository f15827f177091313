#include "dashpot/projective/scalar_matrix.hpp"

#include "dashpot/linsolve/scalar_product.hpp"

namespace dashpot {

void multiply_add(const BlockPattern& pattern, const std::vector<double>& of_slot, double scale, const Vector& x,
                  Vector& y) {
  scalar_product(pattern, of_slot.data(), scale, x.data(), 1, y.data());
}

void add_to_blocks(const std::vector<double>& of_slot, double scale, BlockMatrix& matrix) {
  for (int s = 0; s < matrix.pattern().num_slots(); ++s)
    for (int c = 0; c < 3; ++c) matrix.block(s)[4 * c] += scale * of_slot[static_cast<std::size_t>(s)];
}

bool add_if_scalar(const BlockMatrix& matrix, double scale, std::vector<double>& of_slot) {
  double largest = 0;
  for (std::size_t i = 0; i < matrix.num_values(); ++i) largest = std::max(largest, std::abs(matrix.values()[i]));
  const double round_off = 1e-13 * largest;
  for (int s = 0; s < matrix.pattern().num_slots(); ++s) {
    const double* block = matrix.block(s);
    for (int i = 0; i < 9; ++i)
      if (std::abs(block[i] - (i % 4 == 0 ? block[0] : 0)) > round_off) return false;
  }
  for (int s = 0; s < matrix.pattern().num_slots(); ++s)
    of_slot[static_cast<std::size_t>(s)] += scale * matrix.block(s)[0];
  return true;
}

}  // namespace dashpot
