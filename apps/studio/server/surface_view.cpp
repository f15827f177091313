#include "surface_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/render/mesh_picture.hpp"
#include "json_build.hpp"

namespace dashpot::studio {
namespace {

using Color = std::array<std::uint8_t, 3>;

/// Of bodies that have no colors of their own; told apart by people who do not see all colors.
constexpr std::array<Color, 6> palette = {Color{201, 162, 122}, Color{120, 160, 196}, Color{156, 176, 120},
                                          Color{190, 140, 170}, Color{210, 190, 110}, Color{150, 150, 158}};

/// Colors of the nodes of a mesh that came from a shape file; empty: it has none.
std::vector<Color> colors_of(const RecordedBody& body) {
  if (!body.shape) return {};
  try {
    const ParsedShape parsed = parse_shape(body.shape->text, "shape");
    for (const Problem& problem : parsed.problems)
      if (problem.severity == Problem::Severity::error) return {};
    if (parsed.shape.root < 0 || parsed.shape.is_shell) return {};
    if (body.shape->height > 0) return {};  // brought to another size: places of its colors are not known
    const render::BodyStyle style = render::shape_style(parsed.shape, ShapeMesh());
    if (!style.paint) return {};
    std::vector<Color> colors;
    for (const Vec3& x : body.mesh.nodes)
      colors.push_back(
          style.paint(body.shape->rotation.transpose() * (x - body.shape->translation) / body.shape->scale));
    return colors;
  } catch (const Error&) {
    return {};  // drawn in one color instead
  }
}

constexpr double near_line = 0.0087;  // half a degree

/// Where a ray of unit direction d and the line from a to b are nearest: distance along the ray, and share of the line.
std::pair<double, double> nearest_on_line(const Vec3& origin, const Vec3& d, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a, r = a - origin;
  const double along = d.dot(e), square = e.squaredNorm(), det = square - along * along;
  const double s = det > 1e-12 * square ? (along * d.dot(r) - e.dot(r)) / det : 0;
  const double share = std::clamp(s, 0.0, 1.0);
  return {d.dot(r + share * e), share};
}

}  // namespace

SurfaceView::SurfaceView(const Recording& recording) : grounds_(recording.grounds) {
  for (const RecordedBody& body : recording.bodies) add(body, static_cast<std::uint32_t>(names_.size()));
  for (const RecordedScenery& scenery : recording.scenery) {
    scenery_names_.push_back(scenery.name);
    const auto first = static_cast<std::uint32_t>(scenery_points_.size());
    for (int i = 0; i < scenery.surface.num_nodes(); ++i)
      scenery_points_.push_back(static_cast<std::uint32_t>(scenery.first_point + i));
    for (const auto& [a, b, c] : boundary_surface(scenery.surface).triangles)
      scenery_triangles_.push_back({first + static_cast<std::uint32_t>(a), first + static_cast<std::uint32_t>(b),
                                    first + static_cast<std::uint32_t>(c)});
  }
}

void SurfaceView::add(const RecordedBody& body, std::uint32_t number) {
  names_.push_back(body.name);
  const std::vector<Color> own = colors_of(body);
  Color common = palette[number % palette.size()];
  std::map<int, std::uint32_t> vertex_of;
  const auto vertex = [&](int node) {
    const auto [at, is_new] = vertex_of.try_emplace(node, static_cast<std::uint32_t>(vertices_.size()));
    if (is_new) {
      const Color color = own.empty() ? common : own[static_cast<std::size_t>(node)];
      vertices_.push_back({static_cast<std::uint32_t>(body.first_point + node), number, color});
      rest_.push_back(body.mesh.nodes[static_cast<std::size_t>(node)]);
    }
    return at->second;
  };
  const Surface surface = boundary_surface(body.mesh);
  for (const auto& [a, b, c] : surface.triangles) triangles_.push_back({vertex(a), vertex(b), vertex(c)});
  if (const ElementGroup* edges = body.mesh.group(ElementKind::edge))
    for (int e = 0; e < edges->size(); ++e)
      lines_.push_back({vertex(edges->element(e)[0]), vertex(edges->element(e)[1])});
  if (surface.triangles.empty())  // masses that nothing holds together are drawn as beads
    for (int node = 0; node < body.mesh.num_nodes(); ++node) vertex(node);
  if (!own.empty() && !vertex_of.empty()) {  // the mean of what is seen
    std::array<double, 3> sum{};
    for (const auto& [node, index] : vertex_of)
      for (std::size_t i = 0; i < 3; ++i) sum[i] += vertices_[index].color[i];
    for (std::size_t i = 0; i < 3; ++i)
      common[i] = static_cast<std::uint8_t>(std::lround(sum[i] / static_cast<double>(vertex_of.size())));
  }
  colors_.push_back(common);
}

std::vector<std::string> SurfaceView::body_colors() const {
  std::vector<std::string> texts;
  for (const Color& c : colors_) texts.push_back(fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]));
  return texts;
}

std::vector<Vec3> SurfaceView::of(const std::vector<Vec3>& points) const {
  std::vector<Vec3> x(vertices_.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = vertices_[i].point < points.size() ? points[vertices_[i].point] : Vec3(Vec3::Zero());
  return x;
}

std::vector<Vec3> SurfaceView::scenery_of(const std::vector<Vec3>& points) const {
  std::vector<Vec3> x(scenery_points_.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = scenery_points_[i] < points.size() ? points[scenery_points_[i]] : Vec3(Vec3::Zero());
  return x;
}

std::optional<SurfaceHit> SurfaceView::hit(const Vec3& origin, const Vec3& direction,
                                           const std::vector<Vec3>& points) const {
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  const Vec3 d = direction / length;
  const std::vector<Vec3> x = of(points);
  std::optional<SurfaceHit> best;
  for (const auto& [a, b, c] : triangles_) {
    const Vec3 e1 = x[b] - x[a], e2 = x[c] - x[a], p = d.cross(e2), s = origin - x[a];
    const double det = e1.dot(p);
    if (std::abs(det) < 1e-30) continue;
    const double u = s.dot(p) / det;
    const Vec3 q = s.cross(e1);
    const double v = d.dot(q) / det, t = e2.dot(q) / det;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t > 0) || (best && best->distance <= t)) continue;
    const std::uint32_t nearest = u > v ? (u > 1 - u - v ? b : a) : (v > 1 - u - v ? c : a);
    best = SurfaceHit{vertices_[a].body, static_cast<int>(vertices_[nearest].point), origin + t * d,
                      (1 - u - v) * rest_[a] + u * rest_[b] + v * rest_[c], t};
  }
  for (const auto& [a, b] : lines_) {
    const auto [t, s] = nearest_on_line(origin, d, x[a], x[b]);
    const Vec3 on_line = x[a] + s * (x[b] - x[a]);
    if (!(t > 0) || (on_line - origin - t * d).norm() > near_line * t || (best && best->distance <= t)) continue;
    best = SurfaceHit{vertices_[a].body, static_cast<int>(vertices_[s < 0.5 ? a : b].point), on_line,
                      rest_[a] + s * (rest_[b] - rest_[a]), t};
  }
  return best;
}

std::string SurfaceView::topology(const std::vector<bool>& held, const std::vector<std::string>& regions) const {
  BoundingBox box;
  JsonValue pinned = JsonValue::array();
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (vertices_[i].point < held.size() && held[vertices_[i].point]) pinned.push(json(static_cast<double>(i)));
  const BoundingBox around = rest_.empty() ? box : bounding_box(rest_);
  JsonValue corners = JsonValue::array();
  corners.push(json(around.min));
  corners.push(json(around.max));
  JsonValue grounds = JsonValue::array();
  for (const Ground& ground : grounds_)
    grounds.push(object({{"point", json(ground.point)}, {"normal", json(ground.normal)}}));
  return encode_topology({vertices_, triangles_, lines_, static_cast<std::uint32_t>(scenery_points_.size()),
                          scenery_triangles_, static_cast<std::uint32_t>(names_.size())},
                         compact(object({{"bodies", json(names_)},
                                         {"scenery", json(scenery_names_)},
                                         {"grounds", grounds},
                                         {"regions", json(regions)},
                                         {"box", corners},
                                         {"unit", json("m")},
                                         {"pinned", pinned}})));
}

}  // namespace dashpot::studio
