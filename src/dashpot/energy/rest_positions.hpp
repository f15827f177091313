#pragma once
// Rest positions of the nodes of one body, found by the numbers of their blocks in the System.
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class RestPositions {
 public:
  /// X [m]; node i is block first_block + i.
  RestPositions(const std::vector<Vec3>& X, int first_block) : X_(X), first_block_(first_block) {}
  const Vec3& of_block(int block) const { return X_[at(block - first_block_)]; }
  /// As the data() of a vector over all blocks of the System, of which only those of this body may be read.
  const double* data() const { return X_.data()->data() - 3 * static_cast<std::ptrdiff_t>(first_block_); }

 private:
  std::vector<Vec3> X_;
  int first_block_;
};

}  // namespace dashpot
