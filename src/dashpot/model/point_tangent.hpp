#pragma once
// Brings tangents of forces at points into the tangent of a System: J_k^T K_kl J_l, into the slot where the pattern has
// one, into the couplings where it has not (null: left out).

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"
#include "dashpot/model/kinematics.hpp"

namespace dashpot {

/// J^T K J of one point, K symmetric.
void add_point_tangent(const Kinematics& kinematics, const Vector& q, int point, const Mat3& K, BlockMatrix& matrix);

/// The symmetric tangent with blocks K(k, l) = K(l, k)^T over points of which at least one is no node.
void add_general_tangent(const Kinematics& kinematics, const Vector& q, const int* points, int count,
                         FunctionRef<Mat3(int, int)> K, BlockMatrix& matrix, DynamicBlocks* couplings);

/// f . d2x/dq2: what a force adds to the tangent where J depends on q.
void add_point_curvature(const Kinematics& kinematics, const Vector& q, int point, const Vec3& f, BlockMatrix& matrix);

/// The symmetric tangent with blocks K(k, l) = K(l, k)^T over `count` distinct points.
template <class BlockOf>
void add_point_tangent(const Kinematics& kinematics, const Vector& q, const int* points, int count, BlockOf K,
                       BlockMatrix& matrix, DynamicBlocks* couplings) {
  for (int k = 0; k < count; ++k)
    if (!kinematics.is_node(points[k])) return add_general_tangent(kinematics, q, points, count, K, matrix, couplings);
  const BlockPattern& pattern = matrix.pattern();
  for (int k = 0; k < count; ++k)
    for (int l = k; l < count; ++l) {
      const Mat3 value = K(k, l);
      const int slot = pattern.slot(points[k], points[l]);
      if (slot >= 0) {
        Eigen::Map<Mat3>(matrix.block(slot)) += value;
        if (k != l) Eigen::Map<Mat3>(matrix.block(pattern.slot(points[l], points[k]))) += value.transpose();
      } else if (couplings != nullptr) {
        couplings->add(points[k], points[l], value.data());
      }
    }
}

}  // namespace dashpot
