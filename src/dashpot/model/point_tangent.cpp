#include "dashpot/model/point_tangent.hpp"

namespace dashpot {
namespace {

/// Adds V to block (row, column) and, unless it is a diagonal part by itself, its transpose to (column, row).
void add_block(int row, int column, bool with_transpose, const Matrix& V, BlockMatrix& matrix,
               DynamicBlocks* couplings) {
  const BlockPattern& pattern = matrix.pattern();
  const int slot = pattern.slot(row, column);
  if (slot >= 0) {
    matrix.view(row, slot) += V;
    if (with_transpose) matrix.view(column, pattern.slot(column, row)) += V.transpose();
  } else if (couplings != nullptr) {
    couplings->add(row, column, V.data());
  }
}

}  // namespace

void add_point_tangent(const Kinematics& kinematics, const Vector& q, int point, const Mat3& K, BlockMatrix& matrix) {
  if (kinematics.is_node(point)) {
    Mat3::Map(matrix.block(matrix.pattern().diagonal_slot(point))) += K;
  } else {
    add_general_tangent(
        kinematics, q, &point, 1, [&](int, int) { return K; }, matrix, nullptr);
  }
}

void add_general_tangent(const Kinematics& kinematics, const Vector& q, const int* points, int count,
                         FunctionRef<Mat3(int, int)> K, BlockMatrix& matrix, DynamicBlocks* couplings) {
  std::vector<PointJacobian> J;
  for (int k = 0; k < count; ++k) J.push_back(kinematics.jacobian(q, points[k]));
  for (int k = 0; k < count; ++k)
    for (int l = k; l < count; ++l) {
      const PointJacobian &left = J[at(k)], &right = J[at(l)];
      const Eigen::Matrix3Xd K_right = K(k, l) * right.columns;
      for (std::size_t a = 0; a < left.parts.size(); ++a)
        for (std::size_t b = k == l ? a : 0; b < right.parts.size(); ++b) {
          const PointJacobian::Part &row = left.parts[a], &column = right.parts[b];
          const Matrix V = left.columns.middleCols(left.column(a), row.size).transpose() *
                           K_right.middleCols(right.column(b), column.size);
          add_block(row.block, column.block, k != l || a != b, V, matrix, couplings);
        }
    }
}

void add_point_curvature(const Kinematics& kinematics, const Vector& q, int point, const Vec3& f, BlockMatrix& matrix) {
  Matrix H;
  if (kinematics.is_node(point) || kinematics.is_linear(point) || !kinematics.point_curvature(q.data(), point, f, H))
    return;
  const PointJacobian J = kinematics.jacobian(q, point);
  for (std::size_t a = 0; a < J.parts.size(); ++a)
    for (std::size_t b = a; b < J.parts.size(); ++b)
      add_block(J.parts[a].block, J.parts[b].block, a != b,
                H.block(J.column(a), J.column(b), J.parts[a].size, J.parts[b].size), matrix, nullptr);
}

}  // namespace dashpot
