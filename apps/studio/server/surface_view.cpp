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

}  // namespace

SurfaceView::SurfaceView(const std::vector<RecordedBody>& bodies) {
  for (const RecordedBody& body : bodies) add(body, static_cast<std::uint32_t>(names_.size()));
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
  return encode_topology(vertices_, triangles_, static_cast<std::uint32_t>(names_.size()),
                         compact(object({{"bodies", json(names_)},
                                         {"regions", json(regions)},
                                         {"box", corners},
                                         {"unit", json("m")},
                                         {"pinned", pinned}})));
}

}  // namespace dashpot::studio
