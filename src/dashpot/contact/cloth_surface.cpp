#include "dashpot/contact/cloth_surface.hpp"

#include <algorithm>
#include <map>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"

namespace dashpot::contact {

bool ClothSurface::may_touch(int a, int b) const {
  if (!is_pair) return true;
  return is_second[at(a)] != is_second[at(b)] && is_tied[at(a)] == 0 && is_tied[at(b)] == 0;
}

ClothSurface make_cloth_surface(const std::vector<ClothSheet>& sheets, const std::vector<int>& tied_points) {
  ClothSurface surface;
  surface.is_pair = sheets.size() > 1;
  std::map<std::array<int, 2>, int> edge_at;
  for (std::size_t which = 0; which < sheets.size(); ++which) {
    const ClothSheet& sheet = sheets[which];
    surface.bodies += (which > 0 ? "-" : "") + sheet.body;
    const std::vector<Vec3>& X = sheet.mesh->nodes;
    const ElementGroup& group = *sheet.mesh->group(ElementKind::triangle);
    std::vector<int> local(X.size(), -1);
    for (int t = 0; t < group.size(); ++t) {
      const int* nodes = group.element(t);
      const auto x = [&](int k) { return X[at(nodes[k])]; };
      const double third = (x(1) - x(0)).cross(x(2) - x(0)).norm() / 6;
      const int triangle = static_cast<int>(surface.triangles.size());
      std::array<int, 3> corners, edges;
      for (int k = 0; k < 3; ++k) {
        int& node = local[at(nodes[k])];
        if (node < 0) {
          node = surface.num_nodes();
          surface.points.push_back(sheet.first_point + nodes[k]);
          surface.node_area.push_back(0);
          surface.node_owner.push_back(triangle);
          surface.is_second.push_back(which > 0 ? 1 : 0);
        }
        corners[at(k)] = node;
        surface.node_area[at(node)] += third;
      }
      for (int k = 0; k < 3; ++k) {
        const int a = corners[at(k)], b = corners[at((k + 1) % 3)];
        const auto [place, is_new] =
            edge_at.emplace(std::array<int, 2>{std::min(a, b), std::max(a, b)}, static_cast<int>(surface.edges.size()));
        if (is_new) {
          surface.edges.push_back(place->first);
          surface.edge_area.push_back(0);
          surface.edge_length.push_back((x((k + 1) % 3) - x(k)).norm());
          surface.edge_owner.push_back(triangle);
        }
        edges[at(k)] = place->second;
        surface.edge_area[at(place->second)] += third;
      }
      surface.triangles.push_back(corners);
      surface.triangle_edges.push_back(edges);
    }
  }
  for (const int point : surface.points)
    surface.is_tied.push_back(std::find(tied_points.begin(), tied_points.end(), point) != tied_points.end() ? 1 : 0);
  return surface;
}

}  // namespace dashpot::contact
