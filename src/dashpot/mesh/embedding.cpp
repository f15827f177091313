#include "dashpot/mesh/embedding.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot {
namespace {

/// A regular grid of cells, each listing the tets whose boxes touch it.
class TetGrid {
 public:
  explicit TetGrid(const Mesh& mesh) : mesh_(mesh), tets_(*mesh.tets()) {
    low_ = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 high = -low_;
    for (int t = 0; t < tets_.size(); ++t) {
      const auto [lower, upper] = box(t);
      low_ = low_.cwiseMin(lower);
      high = high.cwiseMax(upper);
    }
    // About one tet a cell; never more cells than a small multiple of the tets.
    const Vec3 size = (high - low_).cwiseMax(1e-12 * (1 + (high - low_).norm()));
    cell_ = std::cbrt(size.prod() / tets_.size());
    cell_ = std::max(cell_, size.maxCoeff() / 256);
    for (int k = 0; k < 3; ++k) count_[k] = std::clamp(static_cast<int>(size[k] / cell_) + 1, 1, 257);
    cells_.resize(static_cast<std::size_t>(count_.prod()));
    bool can_carry = false;
    for (int t = 0; t < tets_.size(); ++t) {
      if (is_flat(t)) continue;  // it has no barycentric coordinates
      can_carry = true;
      const auto [lower, upper] = box(t);
      const Eigen::Vector3i first = cell_of(lower), last = cell_of(upper);
      for (int x = first.x(); x <= last.x(); ++x)
        for (int y = first.y(); y <= last.y(); ++y)
          for (int z = first.z(); z <= last.z(); ++z) cells_[index(x, y, z)].push_back(t);
    }
    if (!can_carry)
      throw Error(Problem{"embedding", "every tet of the body is flat", "tets with a volume", "mesh the body again"});
  }

  struct Found {
    int tet = -1;
    double distance = std::numeric_limits<double>::infinity();
    Eigen::Vector4d corners;  ///< barycentric coordinates
  };

  Found find(const Vec3& p) const {
    Found best;
    const Eigen::Vector3i home = cell_of(p);
    const int farthest = count_.maxCoeff();
    for (int ring = 0; ring <= farthest; ++ring) {
      // Everything in this ring is at least (ring - 1) cells away.
      if (best.tet >= 0 && best.distance <= (ring - 1) * cell_) break;
      visit_ring(home, ring, [&](int t) { consider(p, t, best); });
      if (best.tet >= 0 && best.distance == 0) break;
    }
    return best;
  }

 private:
  const Vec3& corner(int t, int k) const { return mesh_.nodes[static_cast<std::size_t>(tets_.element(t)[k])]; }
  Mat3 edges_of(int t) const {
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = corner(t, k + 1) - corner(t, 0);
    return edges;
  }
  bool is_flat(int t) const {
    const Mat3 edges = edges_of(t);
    return !(std::abs(edges.determinant()) > 1e-13 * std::pow(edges.colwise().norm().maxCoeff(), 3));
  }
  std::pair<Vec3, Vec3> box(int t) const {
    Vec3 lower = corner(t, 0), upper = lower;
    for (int k = 1; k < 4; ++k) {
      lower = lower.cwiseMin(corner(t, k));
      upper = upper.cwiseMax(corner(t, k));
    }
    return {lower, upper};
  }
  std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>((x * count_.y() + y) * count_.z() + z);
  }
  Eigen::Vector3i cell_of(const Vec3& p) const {
    Eigen::Vector3i cell;
    for (int k = 0; k < 3; ++k)
      cell[k] = static_cast<int>(std::clamp(std::floor((p[k] - low_[k]) / cell_), 0.0, count_[k] - 1.0));
    return cell;
  }

  template <class F>
  void visit_ring(const Eigen::Vector3i& home, int ring, const F& visit) const {
    const auto lower = [&](int k) { return std::max(0, home[k] - ring); };
    const auto upper = [&](int k) { return std::min(count_[k] - 1, home[k] + ring); };
    for (int x = lower(0); x <= upper(0); ++x)
      for (int y = lower(1); y <= upper(1); ++y) {
        const bool on_side = std::abs(x - home.x()) == ring || std::abs(y - home.y()) == ring;
        const int step = on_side ? 1 : std::max(1, 2 * ring);  // inside the shell only its two ends are new
        for (int z = on_side ? lower(2) : home.z() - ring; z <= (on_side ? upper(2) : home.z() + ring); z += step)
          if (z >= 0 && z < count_.z())
            for (const int t : cells_[index(x, y, z)]) visit(t);
      }
  }

  void consider(const Vec3& p, int t, Found& best) const {
    const Vec3 w = edges_of(t).inverse() * (p - corner(t, 0));
    const Eigen::Vector4d corners(1 - w.sum(), w.x(), w.y(), w.z());
    double distance = 0;
    if (corners.minCoeff() < -1e-9) {
      distance = std::numeric_limits<double>::infinity();
      for (const auto& face : tet_faces)
        distance = std::min(
            distance,
            (p - nearest_on_triangle(p, corner(t, face[0]), corner(t, face[1]), corner(t, face[2])).point).norm());
    }
    // On shared faces several tets qualify: the one of smallest index, whatever the order of the search.
    if (distance < best.distance || (distance == best.distance && t < best.tet)) best = {t, distance, corners};
  }

  const Mesh& mesh_;
  const ElementGroup& tets_;
  Vec3 low_;
  double cell_ = 0;
  Eigen::Vector3i count_;
  std::vector<std::vector<int>> cells_;
};

void check_input(const Mesh& mesh, const std::vector<Vec3>& points) {
  if (mesh.tets() == nullptr || mesh.tets()->size() == 0)
    throw Error(Problem{"embedding", "the body has no tets", "a tet mesh to carry the surface",
                        "only solid bodies can carry a render mesh"});
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite())
      throw Error(Problem{"embedding", fmt::format("point {} is not finite", i), "finite coordinates", ""});
}

}  // namespace

Embedding embed_points(const Mesh& mesh, const std::vector<Vec3>& points) {
  check_input(mesh, points);
  const ElementGroup& tets = *mesh.tets();
  const TetGrid grid(mesh);
  Embedding result;
  result.num_weights = nodes_per_element(tets.kind);
  const auto n = static_cast<std::size_t>(result.num_weights);
  result.tet.resize(points.size());
  result.nodes.resize(n * points.size());
  result.weights.resize(n * points.size());
  std::vector<double>& distance = result.distance;
  distance.resize(points.size());
  parallel_for(static_cast<int>(points.size()), 64, [&](int begin, int end) {
    for (int point = begin; point < end; ++point) {
      const auto i = static_cast<std::size_t>(point);
      const TetGrid::Found found = grid.find(points[i]);
      result.tet[i] = found.tet;
      distance[i] = found.distance;
      std::copy_n(tets.element(found.tet), n, result.nodes.begin() + static_cast<std::ptrdiff_t>(n * i));
      double* w = result.weights.data() + n * i;
      for (int k = 0; k < 4; ++k) {
        const double l = found.corners[k];
        w[k] = n == 4 ? l : l * (2 * l - 1);
      }
      for (std::size_t e = 0; n == 10 && e < 6; ++e)
        w[4 + e] = 4 * found.corners[tet_edges[e][0]] * found.corners[tet_edges[e][1]];
    }
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(distance[i] > 0)) continue;
    ++result.num_outside;
    if (distance[i] <= result.largest_distance) continue;
    result.largest_distance = distance[i];
    result.farthest_point = static_cast<int>(i);
  }
  return result;
}

std::vector<Vec3> Embedding::carry(const std::vector<Vec3>& node_positions) const {
  std::vector<Vec3> result(tet.size(), Vec3::Zero());
  const auto n = static_cast<std::size_t>(num_weights);
  for (std::size_t i = 0; i < tet.size(); ++i)
    for (std::size_t k = n * i; k < n * (i + 1); ++k)
      result[i] += weights[k] * node_positions[static_cast<std::size_t>(nodes[k])];
  return result;
}

std::vector<double> Embedding::carry(const std::vector<double>& node_values) const {
  std::vector<double> result(tet.size(), 0.0);
  const auto n = static_cast<std::size_t>(num_weights);
  for (std::size_t i = 0; i < tet.size(); ++i)
    for (std::size_t k = n * i; k < n * (i + 1); ++k)
      result[i] += weights[k] * node_values[static_cast<std::size_t>(nodes[k])];
  return result;
}

}  // namespace dashpot
