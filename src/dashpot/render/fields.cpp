#include "dashpot/render/fields.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot::render {
namespace {

int corners_of(ElementKind kind) { return std::min(4, nodes_per_element(kind)); }

double largest_strain(const Mat3& F) {
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(E, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

/// Edge vectors from the first corner, completed by unit normals so that F has three columns; thickness does not count.
Mat3 frame_of(const std::vector<Vec3>& x) {
  Mat3 edges = Mat3::Identity();
  for (std::size_t k = 1; k < x.size(); ++k) edges.col(static_cast<int>(k) - 1) = x[k] - x[0];
  if (x.size() == 3) edges.col(2) = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
  return edges;
}

double element_strain(const std::vector<Vec3>& rest, const std::vector<Vec3>& now) {
  if (rest.size() == 2) {
    const double length = (rest[1] - rest[0]).norm();
    return length > 0 ? 0.5 * std::abs((now[1] - now[0]).squaredNorm() / (length * length) - 1) : 0.0;
  }
  if (rest.size() < 2) return 0;
  return largest_strain(frame_of(now) * frame_of(rest).inverse());
}

}  // namespace

std::string to_string(FieldKind kind) {
  switch (kind) {
    case FieldKind::speed:
      return "speed";
    case FieldKind::strain:
      return "strain";
    case FieldKind::power:
      return "power taken by damping";
    case FieldKind::none:
      break;
  }
  return "none";
}

std::string field_unit(FieldKind kind, int dimension) {
  if (kind == FieldKind::speed) return "m/s";
  if (kind != FieldKind::power) return "";
  return dimension == 3 ? "W/m³" : dimension == 2 ? "W/m²" : dimension == 1 ? "W/m" : "W";
}

int mesh_dimension(const Mesh& mesh) {
  int result = 0;
  for (const ElementGroup& group : mesh.groups)
    if (group.size() > 0) result = std::max(result, dimension(group.kind));
  return result;
}

Field::Field(FieldKind kind, const Mesh& rest) : kind_(kind), rest_(&rest), node_measure_(rest.nodes.size(), 0.0) {
  if (kind == FieldKind::none || kind == FieldKind::speed) return;
  for (const ElementGroup& group : rest.groups)
    for (int e = 0; e < group.size(); ++e) {
      measure_.push_back(std::abs(element_measure(rest, group, e)));
      const int n = kind == FieldKind::strain ? corners_of(group.kind) : nodes_per_element(group.kind);
      for (int k = 0; k < n; ++k) node_measure_[static_cast<std::size_t>(group.element(e)[k])] += measure_.back() / n;
    }
  if (kind == FieldKind::power)
    for (const auto& [a, b] : unique_edges(rest)) pairs_.emplace_back(a, b);
}

std::vector<double> Field::node_values(const Frame& frame, int first_point) const {
  if (kind_ == FieldKind::strain) return strain(frame, first_point);
  if (kind_ == FieldKind::power) return power(frame, first_point);
  std::vector<double> values(rest_->nodes.size(), 0.0);
  for (std::size_t i = 0; i < values.size() && kind_ == FieldKind::speed; ++i)
    values[i] = frame.velocities[static_cast<std::size_t>(first_point) + i].norm();
  return values;
}

std::vector<double> Field::strain(const Frame& frame, int first_point) const {
  std::vector<double> sum(rest_->nodes.size(), 0.0);
  std::size_t element = 0;
  std::vector<Vec3> rest, now;
  for (const ElementGroup& group : rest_->groups)
    for (int e = 0; e < group.size(); ++e, ++element) {
      const int n = corners_of(group.kind);
      rest.clear();
      now.clear();
      for (int k = 0; k < n; ++k) {
        const int node = group.element(e)[k];
        rest.push_back(rest_->nodes[static_cast<std::size_t>(node)]);
        now.push_back(frame.points[static_cast<std::size_t>(first_point + node)]);
      }
      const double value = element_strain(rest, now) * measure_[element] / n;
      for (int k = 0; k < n; ++k) sum[static_cast<std::size_t>(group.element(e)[k])] += value;
    }
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (node_measure_[i] > 0) sum[i] /= node_measure_[i];
  const ElementGroup* tets = rest_->group(ElementKind::tet10);
  for (int e = 0; tets != nullptr && e < tets->size(); ++e)  // nodes in the middle of edges: mean of its ends
    for (std::size_t k = 0; k < tet_edges.size(); ++k) {
      const int* nodes = tets->element(e);
      sum[static_cast<std::size_t>(nodes[4 + k])] = 0.5 * (sum[static_cast<std::size_t>(nodes[tet_edges[k][0]])] +
                                                           sum[static_cast<std::size_t>(nodes[tet_edges[k][1]])]);
    }
  return sum;
}

std::vector<double> Field::power(const Frame& frame, int first_point) const {
  const std::size_t n = rest_->nodes.size();
  std::vector<double> taken(n), measure = node_measure_;
  for (std::size_t i = 0; i < n; ++i) taken[i] = frame.power[static_cast<std::size_t>(first_point) + i];
  const std::vector<double> own = taken;
  for (const auto& [a, b] : pairs_) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    taken[i] += own[j];
    taken[j] += own[i];
    measure[i] += node_measure_[j];
    measure[j] += node_measure_[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    if (measure[i] > 0) taken[i] /= measure[i];
  return taken;
}

}  // namespace dashpot::render
