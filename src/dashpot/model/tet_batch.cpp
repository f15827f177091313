#include "dashpot/model/tet_batch.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

// Large enough to hide the cost of handing out work (10 us of StVK), small enough to feed many threads. A multiple of
// lanes.
constexpr int chunk_size = 128;
constexpr std::size_t max_problems = 10;

/// Derivatives of the shape functions in the reference tet (columns: nodes) at barycentric coordinates b.
Eigen::Matrix<double, 3, Eigen::Dynamic> reference_gradients(int n, const std::array<double, 4>& b) {
  Eigen::Matrix<double, 3, 4> corner;  // gradients of the barycentric coordinates
  corner << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
  if (n == 4) return corner;
  Eigen::Matrix<double, 3, Eigen::Dynamic> all(3, 10);
  for (int a = 0; a < 4; ++a) all.col(a) = (4 * b[static_cast<std::size_t>(a)] - 1) * corner.col(a);
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};  // Gmsh order, as in mesh/mesh.hpp
  for (int e = 0; e < 6; ++e) {
    const int i = edges[e][0], j = edges[e][1];
    all.col(4 + e) =
        4 * (b[static_cast<std::size_t>(i)] * corner.col(j) + b[static_cast<std::size_t>(j)] * corner.col(i));
  }
  return all;
}

/// Barycentric coordinates of quadrature point p; all points weigh the same.
std::array<double, 4> quadrature_point(int n, int p) {
  if (n == 4) return {0.25, 0.25, 0.25, 0.25};
  constexpr double near = 0.58541019662496845446, far = 0.13819660112501051518;  // (5 + 3 sqrt 5)/20, (5 - sqrt 5)/20
  std::array<double, 4> b{far, far, far, far};
  b[static_cast<std::size_t>(p)] = near;
  return b;
}

std::vector<Vec3> centers_of_corners(const std::vector<Vec3>& X, const std::vector<int>& nodes, int n) {
  std::vector<Vec3> centers(nodes.size() / static_cast<std::size_t>(n), Vec3::Zero());
  for (std::size_t t = 0; t < centers.size(); ++t)
    for (std::size_t a = 0; a < 4; ++a)
      centers[t] += 0.25 * X[static_cast<std::size_t>(nodes[t * static_cast<std::size_t>(n) + a])];
  return centers;
}

const std::vector<int>& checked(const std::vector<Vec3>& X, const std::vector<int>& nodes, int n) {
  if (n != 4 && n != 10) throw Error(Problem{"", fmt::format("tets of {} nodes", n), "4 or 10 nodes", ""});
  if (nodes.size() % static_cast<std::size_t>(n) != 0)
    throw Error(Problem{"", fmt::format("{} node indices for tets of {} nodes", nodes.size(), n),
                        fmt::format("a multiple of {}", n), ""});
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < nodes.size() && problems.size() < max_problems; ++k)
    if (nodes[k] < 0 || static_cast<std::size_t>(nodes[k]) >= X.size())
      problems.push_back({fmt::format("tet {}", k / static_cast<std::size_t>(n)),
                          fmt::format("node index {}", nodes[k]), fmt::format("0 <= index < {}", X.size()), ""});
  if (!problems.empty()) throw Error(problems);
  return nodes;
}

}  // namespace

TetBatch::TetBatch(const std::vector<Vec3>& X, const std::vector<int>& nodes, int nodes_per_tet, int first_block)
    : ElementBatch(nodes_per_tet, nodes,
                   math::order_along_curve(centers_of_corners(X, checked(X, nodes, nodes_per_tet), nodes_per_tet)),
                   static_cast<int>(X.size()), first_block, chunk_size),
      num_points_(nodes_per_tet == 10 ? 4 : 1) {
  compute_rest_data(X, first_block);
}

void TetBatch::compute_rest_data(const std::vector<Vec3>& X, int first_block) {
  const int n = nodes_per_tet();
  gradients_.assign(index(num_packs() * num_points_) * index(3 * lanes * n), 0.0);
  weights_.assign(index(num_packs() * num_points_) * lanes, 0.0);
  std::vector<Problem> problems;
  for (int i = 0; i < num_packs() * lanes; ++i) {
    const int element = std::min(i, num_tets() - 1);
    Eigen::Matrix<double, 3, Eigen::Dynamic> rest(3, n);
    for (int a = 0; a < n; ++a) rest.col(a) = X[index(blocks(element)[a] - first_block)];
    for (int p = 0; p < num_points_; ++p) {
      const Eigen::Matrix<double, 3, Eigen::Dynamic> reference = reference_gradients(n, quadrature_point(n, p));
      const Mat3 J = rest * reference.transpose();  // dX/d(reference)
      const double det = J.determinant();
      if (i < num_tets() && !(det > 0) && problems.size() < max_problems)
        problems.push_back({fmt::format("tet {}", original(i)), fmt::format("rest volume {:.6g} m^3", det / 6),
                            "a positive volume", "repair the orientation or remove the tet"});
      const Eigen::Matrix<double, 3, Eigen::Dynamic> g = J.inverse().transpose() * reference;
      double* out = gradients_.data() + index(i / lanes * num_points_ + p) * index(3 * lanes * n) + i % lanes;
      for (int a = 0; a < n; ++a)
        for (int c = 0; c < 3; ++c) out[3 * lanes * a + lanes * c] = g(c, a);
      if (i < num_tets())
        weights_[index(i / lanes * num_points_ + p) * lanes + index(i % lanes)] = det / 6 / num_points_;
    }
  }
  if (!problems.empty()) throw Error(problems);
}

double TetBatch::volume(int i) const {
  double sum = 0;
  for (int p = 0; p < num_points_; ++p) sum += weight(i, p);
  return sum;
}

}  // namespace dashpot
