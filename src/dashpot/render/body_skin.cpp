#include "dashpot/render/body_skin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/mesh/surface.hpp"
#include "dashpot/render/camera.hpp"

namespace dashpot::render {
namespace {

double median_length(const std::vector<Vec3>& nodes, const std::vector<std::array<int, 2>>& edges) {
  std::vector<double> lengths;
  for (const auto& [i, j] : edges)
    lengths.push_back((nodes[static_cast<std::size_t>(i)] - nodes[static_cast<std::size_t>(j)]).norm());
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace

BodySkin::BodySkin(const Mesh& rest, double radius) {
  Surface surface = boundary_surface(rest);
  skin_nodes_ = surface_nodes(surface);
  triangles_ = std::move(surface.triangles);
  element_ = std::move(surface.element);
  std::vector<int> place(rest.nodes.size(), -1);
  for (std::size_t i = 0; i < skin_nodes_.size(); ++i)
    place[static_cast<std::size_t>(skin_nodes_[i])] = static_cast<int>(i);
  for (const auto& t : triangles_)
    skin_triangles_.push_back({place[static_cast<std::size_t>(t[0])], place[static_cast<std::size_t>(t[1])],
                               place[static_cast<std::size_t>(t[2])]});
  if (const ElementGroup* edges = rest.group(ElementKind::edge))
    for (int e = 0; e < edges->size(); ++e) edges_.push_back({edges->element(e)[0], edges->element(e)[1]});
  if (const ElementGroup* points = rest.group(ElementKind::point)) points_ = points->nodes;
  if (rest.num_elements() == 0)
    for (int i = 0; i < rest.num_nodes(); ++i) points_.push_back(i);
  const double size = diagonal(rest.nodes), length = median_length(rest.nodes, edges_);
  radius_ = radius > 0 ? radius : size > 0 ? 0.016 * size : 0.05;
  if (radius <= 0 && length > 0) radius_ = std::min(radius_, 0.2 * length);
  if (radius <= 0 && points_.size() > 1)
    radius_ = std::min(radius_, 0.35 * size / std::cbrt(static_cast<double>(points_.size())));
}

void BodySkin::add_to(Stage& stage, const std::vector<Vec3>& nodes, const BodyStyle& style) const {
  const auto pick = [](const auto& values, const std::vector<int>& which) {
    std::decay_t<decltype(values)> picked;
    for (const int i : which)
      if (!values.empty()) picked.push_back(values[static_cast<std::size_t>(i)]);
    return picked;
  };
  if (!skin_triangles_.empty()) {
    DrawnMesh mesh;
    mesh.positions = pick(nodes, skin_nodes_);
    mesh.triangles = skin_triangles_;
    mesh.color = style.color;
    mesh.vertex_colors = pick(style.node_colors, skin_nodes_);
    mesh.paint = style.paint;
    mesh.crease = style.crease;
    mesh.shows_edges = style.shows_edges;
    stage.meshes.push_back(std::move(mesh));
  }
  if (!edges_.empty()) stage.meshes.push_back(tubes(nodes, edges_, radius_, style.color, style.node_colors));
  if (!points_.empty())
    stage.meshes.push_back(beads(pick(nodes, points_), 1.6 * radius_, style.color, pick(style.node_colors, points_)));
}

std::vector<Rgb> region_colors(const Mesh& mesh) {
  std::vector<Rgb> colors(mesh.nodes.size(), body_color(0));
  std::vector<int> region(mesh.nodes.size(), std::numeric_limits<int>::max());
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size(); ++e)
      for (int k = 0; k < nodes_per_element(group.kind); ++k) {
        int& own = region[static_cast<std::size_t>(group.element(e)[k])];
        own = std::min(own, group.region_of(e));
      }
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i] != std::numeric_limits<int>::max()) colors[i] = body_color(region[i]);
  return colors;
}

void add_ground(Stage& stage, const std::vector<Vec3>& points, std::optional<double> height) {
  const double size = diagonal(points);
  const Vec3 up = stage.up.normalized();
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : points)
    if (p.allFinite()) lowest = std::min(lowest, p.dot(up));
  if (!std::isfinite(lowest)) lowest = 0;
  stage.ground = DrawnGround{height.value_or(lowest - 0.002 * size), grid_distance(size)};
}

}  // namespace dashpot::render
