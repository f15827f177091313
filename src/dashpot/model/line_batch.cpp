#include "dashpot/model/line_batch.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

constexpr int lines_in_chunk = 256;  // 3 us of forces, 15 us of tangents
constexpr double least_share = 1e-12;

std::vector<Vec3> first_nodes(const std::vector<Vec3>& X, const std::vector<int>& nodes, int n) {
  std::vector<Vec3> places;
  for (std::size_t k = 0; k < nodes.size(); k += at(n)) places.push_back(X[at(nodes[k])]);
  return places;
}

}  // namespace

LineBatch::LineBatch(int n, const std::vector<int>& nodes, const std::vector<double>& coefficients,
                     const std::vector<Vec3>& X, int first_block)
    : ElementBatch(n, nodes, math::order_along_curve(first_nodes(X, nodes, n)), static_cast<int>(X.size()), first_block,
                   lines_in_chunk) {
  coefficients_.resize(index(num_packs()) * index(lanes * n));
  least_squares_.resize(index(num_packs()) * lanes);
  for (int i = 0; i < num_packs() * lanes; ++i) {
    const int stored = std::min(i, num_elements() - 1);
    double size = 0;
    for (int a = 0; a < n; ++a) {
      const double c = coefficients[index(original(stored)) * index(n) + index(a)];
      coefficients_[index(i / lanes) * index(lanes * n) + index(lanes * a + i % lanes)] = c;
      size +=
          std::abs(c) * (X[index(blocks(stored)[a] - first_block)] - X[index(blocks(stored)[0] - first_block)]).norm();
    }
    least_squares_[index(i)] = (least_share * size) * (least_share * size);
  }
}

Vec3 LineBatch::difference(const Vector& q, int i) const {
  const int* b = blocks(i);
  const Vec3 x0 = q.segment<3>(3 * b[0]);
  Vec3 y = Vec3::Zero();  // coefficients sum to zero: differences keep the digits of a body far from the origin
  for (int a = 1; a < nodes_per_element(); ++a) y += coefficient(i, a) * (q.segment<3>(3 * b[a]) - x0);
  return y;
}

}  // namespace dashpot
