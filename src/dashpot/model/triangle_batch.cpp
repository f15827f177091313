#include "dashpot/model/triangle_batch.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

constexpr int triangles_in_chunk = 128;  // 1 us of forces, 15 us of tangents

std::vector<Vec3> triangle_centers(const std::vector<Vec3>& X, const std::vector<int>& triangles) {
  std::vector<Vec3> places;
  for (std::size_t k = 0; k + 2 < triangles.size(); k += 3)
    places.emplace_back((X[at(triangles[k])] + X[at(triangles[k + 1])] + X[at(triangles[k + 2])]) / 3);
  return places;
}

}  // namespace

TriangleBatch::TriangleBatch(const std::vector<Vec3>& X, const std::vector<int>& triangles, int first_block)
    : ElementBatch(3, triangles, math::order_along_curve(triangle_centers(X, triangles)), static_cast<int>(X.size()),
                   first_block, triangles_in_chunk) {
  gradients_.resize(index(num_packs()) * 4 * lanes);
  areas_.resize(index(num_packs()) * lanes);
  for (int i = 0; i < num_packs() * lanes; ++i) {
    const int* t = triangles.data() + 3 * original(std::min(i, num_elements() - 1));
    const Vec3 a = X[index(t[1])] - X[index(t[0])], b = X[index(t[2])] - X[index(t[0])];
    const Vec3 along = a.normalized(), across = (b - along * along.dot(b)).normalized();
    Eigen::Matrix2d edges;
    edges << along.dot(a), along.dot(b), 0, across.dot(b);
    const Eigen::Matrix2d inverse = edges.inverse();  // rows: gradients of nodes 1 and 2
    for (int k = 0; k < 4; ++k)
      gradients_[index(i / lanes) * 4 * lanes + index(lanes * k + i % lanes)] = inverse(k / 2, k % 2);
    areas_[index(i)] = i < num_elements() ? 0.5 * edges.determinant() : 0.0;
  }
}

Eigen::Matrix<double, 3, 2> TriangleBatch::deformation(const Vector& q, int i) const {
  const int* b = blocks(i);
  const Vec3 x0 = q.segment<3>(3 * b[0]);
  return (q.segment<3>(3 * b[1]) - x0) * gradient(i, 1).transpose() +
         (q.segment<3>(3 * b[2]) - x0) * gradient(i, 2).transpose();
}

}  // namespace dashpot
