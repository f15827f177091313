#include "dashpot/model/hinge_batch.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

constexpr int hinges_in_chunk = 256;  // 10 us of forces, 50 us of tangents

std::vector<Vec3> edge_starts(const std::vector<Vec3>& X, const std::vector<int>& nodes) {
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < nodes.size(); k += 4) places.push_back(X[at(nodes[k])]);
  return places;
}

}  // namespace

HingeBatch::HingeBatch(const std::vector<int>& nodes, const std::vector<Vec3>& X, int first_block)
    : ElementBatch(4, nodes, math::order_along_curve(edge_starts(X, nodes)), static_cast<int>(X.size()), first_block,
                   hinges_in_chunk) {}

double HingeBatch::angle(const Vector& q, int i) const {
  const auto x = [&](int a) -> Vec3 { return q.segment<3>(3 * blocks(i)[a]); };
  return dihedral_angle(x(0), x(1), x(2), x(3));
}

double dihedral_angle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const Vec3 e = x1 - x0, N = e.cross(x2 - x0), M = (x3 - x0).cross(e);
  return std::atan2(e.normalized().dot(M.cross(N)), N.dot(M));
}

}  // namespace dashpot
