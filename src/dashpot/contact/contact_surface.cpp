#include "dashpot/contact/contact_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::contact {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int max_samples_per_edge = 8;

/// Numbers the edges and corners of all simplices.
struct Numbering {
  ContactSurface& surface;
  std::map<std::array<int, 2>, int> edge_of;
  std::map<int, int> corner_of;

  int corner(int node) {
    const auto [place, is_new] = corner_of.try_emplace(node, static_cast<int>(surface.corners.size()));
    if (is_new) {
      surface.corners.push_back(node);
      surface.corner_triangles.emplace_back();
    }
    return place->second;
  }
  int edge(int a, int b) {
    const std::array<int, 2> key{std::min(a, b), std::max(a, b)};
    const auto [place, is_new] = edge_of.try_emplace(key, static_cast<int>(surface.edges.size()));
    if (is_new) {
      surface.edges.push_back(key);
      surface.edge_corners.push_back({corner(key[0]), corner(key[1])});
      surface.edge_triangles.emplace_back();
    }
    return place->second;
  }
  void triangle(const std::array<int, 3>& nodes) {
    const int index = static_cast<int>(surface.triangles.size());
    surface.triangles.push_back(nodes);
    std::array<int, 3> edges{}, corners{};
    for (int k = 0; k < 3; ++k) {
      edges[at(k)] = edge(nodes[at(k)], nodes[at((k + 1) % 3)]);
      corners[at(k)] = corner(nodes[at(k)]);
      surface.edge_triangles[at(edges[at(k)])].push_back(index);
      surface.corner_triangles[at(corners[at(k)])].push_back(index);
    }
    surface.triangle_edges.push_back(edges);
    surface.triangle_corners.push_back(corners);
  }
};

void count(ContactSurface& surface) {
  surface.corner_count.assign(surface.corners.size(), 1);
  for (std::size_t c = 0; c < surface.corners.size(); ++c)
    surface.corner_count[c] -= static_cast<int>(surface.corner_triangles[c].size());
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    surface.edge_count.push_back(1 - static_cast<int>(surface.edge_triangles[e].size()));
    for (const int c : surface.edge_corners[e]) surface.corner_count[at(c)] -= surface.edge_count.back();
  }
}

/// Points along the edges of a chain, so dense that nothing of its own thickness slips between them.
void sample_edges(const Mesh& mesh, int first_point, ContactSurface& surface) {
  for (const std::array<int, 2>& edge : surface.edges) {
    const double length = (mesh.nodes[at(edge[1] - first_point)] - mesh.nodes[at(edge[0] - first_point)]).norm();
    const double wanted = surface.radius > 0 ? std::ceil(length / (2 * surface.radius)) : 1;
    const int n = static_cast<int>(std::clamp<double>(wanted, 1, max_samples_per_edge));
    for (int k = 0; k < n; ++k) {
      const double t = (k + 0.5) / n;
      surface.samples.push_back({edge, {1 - t, t}, 2 * surface.radius * length / n});
    }
  }
}

void sample_corners(const Mesh& mesh, int first_point, ContactSurface& surface) {
  std::map<int, double> area;
  for (const std::array<int, 3>& t : surface.triangles) {
    const auto x = [&](int k) { return mesh.nodes[at(t[at(k)] - first_point)]; };
    const double third = (x(1) - x(0)).cross(x(2) - x(0)).norm() / 6;
    for (const int node : t) area[node] += third;
  }
  for (const auto& [node, a] : area) surface.samples.push_back({{node, node}, {1, 0}, a});
}

}  // namespace

ContactSurface make_contact_surface(const std::string& body, const Mesh& mesh,
                                    const std::vector<std::array<int, 2>>& pairs, int first_point, double thickness) {
  ContactSurface surface;
  surface.body = body;
  surface.radius = thickness / 2;
  Numbering numbering{surface, {}, {}};
  const Surface skin = boundary_surface(mesh);
  for (const std::array<int, 3>& t : skin.triangles)
    numbering.triangle({t[0] + first_point, t[1] + first_point, t[2] + first_point});
  if (mesh.tets() != nullptr) {
    surface.is_solid = true;
    const double area = surface_area(mesh.nodes, skin.triangles);
    surface.depth_limit = area > 0 ? enclosed_volume(mesh.nodes, skin.triangles) / area : 0;
  }
  if (surface.triangles.empty())
    for (const std::array<int, 2>& pair : pairs) numbering.edge(pair[0] + first_point, pair[1] + first_point);
  std::set<int> used(surface.corners.begin(), surface.corners.end());
  if (surface.triangles.empty())
    for (int node = 0; node < mesh.num_nodes(); ++node)
      if (!used.count(node + first_point)) {
        numbering.corner(node + first_point);
        surface.samples.push_back(
            {{node + first_point, node + first_point}, {1, 0}, pi * surface.radius * surface.radius});
      }
  count(surface);
  if (surface.triangles.empty())
    sample_edges(mesh, first_point, surface);
  else
    sample_corners(mesh, first_point, surface);
  return surface;
}

}  // namespace dashpot::contact
