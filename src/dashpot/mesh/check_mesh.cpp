// The last step of every reader: coordinates, indices, orientation, shape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/hinges.hpp"
#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

/// Cubes of coordinates up to here are far from overflow.
constexpr double largest_coordinate = 1e30;
/// Below this ratio of size to (longest edge)^dimension an element is flat.
constexpr double flat_tet = 1e-12, flat_triangle = 1e-12;
/// Nodes closer than this part of the bounding box's diagonal coincide.
constexpr double coincidence = 1e-9;

/// Mirrors a tet by exchanging its first two corners and the middle nodes that follow them.
void turn(int* nodes, ElementKind kind) {
  std::swap(nodes[0], nodes[1]);
  if (kind == ElementKind::tet10) {
    std::swap(nodes[5], nodes[6]);
    std::swap(nodes[7], nodes[9]);
  }
}

double longest_edge(const Vec3* X, int corners) {
  double longest = 0;
  for (int a = 0; a < corners; ++a)
    for (int b = 0; b < a; ++b) longest = std::max(longest, (X[a] - X[b]).norm());
  return longest;
}

std::array<Vec3, 10> positions(const Mesh& mesh, const ElementGroup& group, int e) {
  std::array<Vec3, 10> X;
  for (int a = 0; a < nodes_per_element(group.kind); ++a) X[at(a)] = mesh.nodes[at(group.element(e)[a])];
  return X;
}

std::string count_of(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

void RawMesh::check_nodes() {
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3& x = mesh.nodes[i];
    if (x.cwiseAbs().maxCoeff() <= largest_coordinate && x.allFinite()) continue;
    problem(node_places_[i], fmt::format("node at ({}, {}, {})", x[0], x[1], x[2]),
            fmt::format("finite coordinates of at most {:g} m", largest_coordinate));
  }
}

void RawMesh::check_indices() {
  const int count = mesh.num_nodes();
  for (const ElementGroup& group : mesh.groups) {
    const int n = nodes_per_element(group.kind);
    for (std::size_t i = 0; i < group.nodes.size(); ++i) {
      if (group.nodes[i] >= 0 && group.nodes[i] < count) continue;
      const int e = static_cast<int>(i) / n;
      const std::string found =
          group.nodes[i] < 0 ? "an impossible node" : fmt::format("node {}", group.nodes[i] + index_base);
      problem(element_place(group.kind, e), fmt::format("{} {} names {}", to_string(group.kind), e + index_base, found),
              fmt::format("{} to {}", index_base, count - 1 + index_base));
    }
  }
}

void RawMesh::check_tets(MeshReport& report) {
  for (const ElementKind kind : {ElementKind::tet4, ElementKind::tet10}) {
    ElementGroup* group = mesh.group(kind);
    if (group == nullptr) continue;
    for (int e = 0; e < group->size(); ++e) {
      std::array<Vec3, 10> X = positions(mesh, *group, e);
      const double volume = tet_volume(X[0], X[1], X[2], X[3]), longest = longest_edge(X.data(), 4);
      if (!(std::abs(6 * volume) > flat_tet * longest * longest * longest)) {
        problem(element_place(kind, e),
                fmt::format("{} is flat: volume {:.3g} m^3, longest edge {:.3g} m", element_text(*group, e), volume,
                            longest),
                "a tet with volume", "remove it or mesh the body again");
        continue;
      }
      if (volume < 0) {
        turn(group->nodes.data() + at(e) * at(nodes_per_element(kind)), kind);
        ++report.num_flipped_tets;
        X = positions(mesh, *group, e);
      }
      if (kind == ElementKind::tet10 && !(tet10_min_jacobian(X.data()) > 0))
        problem(element_place(kind, e), element_text(*group, e) + " is folded: its Jacobian is not positive everywhere",
                "middle nodes near the middles of their edges",
                "mesh with straight edges, or optimize high-order elements");
    }
  }
}

void RawMesh::check_surface(const ReadOptions& options, MeshReport& report) {
  for (const ElementKind kind : {ElementKind::edge, ElementKind::triangle}) {
    ElementGroup* group = mesh.group(kind);
    if (group == nullptr) continue;
    const int n = nodes_per_element(kind);
    std::vector<int> kept;
    for (int e = 0; e < group->size(); ++e) {
      const std::array<Vec3, 10> X = positions(mesh, *group, e);
      const double longest = longest_edge(X.data(), n);
      if (longest > 0 &&
          element_measure(kind, X.data()) > (kind == ElementKind::edge ? 0 : flat_triangle * longest * longest)) {
        kept.push_back(e);
      } else if (options.drop_degenerate_surface) {
        ++report.num_dropped_elements;
      } else {
        problem(element_place(kind, e), element_text(*group, e) + " is flat", "three corners that span an area",
                "repair the mesh, or read it with flat triangles dropped");
      }
    }
    if (static_cast<int>(kept.size()) < group->size()) *group = group->subset(kept);
  }
}

void RawMesh::describe(MeshReport& report) const {
  report.format = format;
  report.num_boundary_elements = num_boundary_elements;
  report.unused_nodes = unused_nodes(mesh);
  const std::vector<int> twin = coincident_nodes(mesh, coincidence * bounding_box(mesh.nodes).diagonal());
  for (int i = 0; i < mesh.num_nodes(); ++i)
    if (twin[at(i)] != i) report.duplicate_nodes.push_back(i);
  report.warnings = warnings_;
  const auto add = [&](std::string found, std::string remedy) {
    report.warnings.push_back({files_.front(), std::move(found), "", std::move(remedy), Problem::Severity::warning});
  };
  if (report.num_flipped_tets > 0)
    add(count_of(at(report.num_flipped_tets), "inverted tet") + " turned to positive volume", "");
  if (report.num_dropped_elements > 0)
    add(count_of(at(report.num_dropped_elements), "flat surface element") + " left out", "");
  if (!report.duplicate_nodes.empty())
    add(fmt::format("{} with the position of another (first: node {})", count_of(report.duplicate_nodes.size(), "node"),
                    report.duplicate_nodes[0] + index_base),
        "merge them if the parts should hold together");
  if (!report.unused_nodes.empty())
    add(fmt::format("{} in no element (first: node {})", count_of(report.unused_nodes.size(), "node"),
                    report.unused_nodes[0] + index_base),
        "remove them: they have no mass");
  if (const std::string hinges = describe_hinges(mesh, hinged_groups(mesh)); !hinges.empty())
    add(hinges, "mesh finer or thicker there, so that tets share faces, or remove them");
}

void RawMesh::drop_missing_points() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (!mesh.nodes[i].allFinite()) continue;
    mesh.nodes[kept] = mesh.nodes[i];
    node_places_[kept++] = node_places_[i];
  }
  mesh.nodes.resize(kept);
  node_places_.resize(kept);
}

Mesh RawMesh::finish(const ReadOptions& options, MeshReport* report) {
  if (options.drop_missing_points && mesh.num_elements() == 0) drop_missing_points();
  if (mesh.nodes.empty()) problem(0, "no nodes", "a mesh");
  if (mesh.num_elements() == 0 && !mesh.nodes.empty()) {
    if (!empty_is_point_cloud)
      problem(0, fmt::format("{} nodes but no elements", mesh.num_nodes()), "a mesh with elements");
    for (std::int64_t i = 0; i < mesh.num_nodes(); ++i)
      add_element(ElementKind::point, &i, 0, node_places_[static_cast<std::size_t>(i)]);
  }
  check_nodes();
  check_indices();
  throw_if_any();
  MeshReport own;
  check_tets(own);
  check_surface(options, own);
  if (problems_.empty() && mesh.num_elements() == 0) problem(0, "only flat elements", "a mesh with elements");
  throw_if_any();
  std::erase_if(mesh.groups, [](const ElementGroup& group) { return group.size() == 0; });
  if (mesh.regions.size() < 2)
    for (ElementGroup& group : mesh.groups) group.region.clear();
  if (report != nullptr) {
    describe(own);
    *report = std::move(own);
  }
  return std::move(mesh);
}

}  // namespace dashpot
