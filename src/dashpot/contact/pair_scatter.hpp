#pragma once
// Adds small blocks to a tangent: into the slot where the pattern has one, into the couplings where it has not.

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"

namespace dashpot::contact {

/// Adds the symmetric tangent with blocks block(k, l) = block(l, k)^T over `count` distinct nodes.
template <class BlockOf>
void scatter_symmetric(const BlockPattern& pattern, const int* nodes, int count, BlockOf block, BlockMatrix& matrix,
                       DynamicBlocks* couplings) {
  for (int k = 0; k < count; ++k)
    for (int l = k; l < count; ++l) {
      const Mat3 value = block(k, l);
      const int slot = pattern.slot(nodes[k], nodes[l]);
      if (slot >= 0) {
        Eigen::Map<Mat3>(matrix.block(slot)) += value;
        if (k != l) Eigen::Map<Mat3>(matrix.block(pattern.slot(nodes[l], nodes[k]))) += value.transpose();
      } else if (couplings != nullptr) {
        couplings->add(nodes[k], nodes[l], value.data());
      }
    }
}

}  // namespace dashpot::contact
