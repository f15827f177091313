#include "dashpot/render/mesh_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/ticks.hpp"

namespace dashpot::render {
namespace {

Rgb rgb_of(const Vec3& color) {
  Rgb result;
  for (int k = 0; k < 3; ++k)
    result[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(color[k], 0.0, 1.0)));
  return result;
}

/// Regions that elements use, in the order of Mesh::regions.
std::vector<int> used_regions(const Mesh& mesh) {
  std::vector<int> used;
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size(); ++e)
      if (std::find(used.begin(), used.end(), group.region_of(e)) == used.end()) used.push_back(group.region_of(e));
  std::sort(used.begin(), used.end());
  return used;
}

void draw_region_names(Image& image, const Mesh& mesh) {
  const TextStyle style{std::clamp(image.height / 34.0, 11.0, 18.0)};
  double y = image.height - 0.7 * style.size;
  const std::vector<int> used = used_regions(mesh);
  for (auto region = used.rbegin(); region != used.rend(); ++region) {
    if (static_cast<std::size_t>(*region) >= mesh.regions.size() || y < style.size) continue;
    const std::string& name = mesh.regions[static_cast<std::size_t>(*region)];
    const double width = text_width(name, style), x = image.width - 0.8 * style.size - width;
    draw_text(image, x, y, name, style);
    const int box = static_cast<int>(0.62 * style.size);
    fill_rectangle(image, static_cast<int>(x) - box - 5, static_cast<int>(y) - box + 1, box, box, body_color(*region));
    y -= 1.25 * style.size;
  }
}

}  // namespace

Image mesh_picture(const Mesh& mesh, const MeshPictureSettings& settings) {
  Stage stage;
  BodyStyle style = settings.style;
  if (settings.colors_regions) {
    style.node_colors = region_colors(mesh);
    style.paint = {};
  }
  BodySkin(mesh).add_to(stage, mesh.nodes, style);
  add_ground(stage, mesh.nodes);
  const double aspect = static_cast<double>(settings.draw.width) / settings.draw.height;
  const Camera camera = frame_points(mesh.nodes, settings.look, aspect, 0.12);
  Image image = draw(stage, camera, settings.draw);
  const ReadableUnit unit = readable_unit(stage.ground->grid, "m");
  const std::string note = settings.shows_note
                               ? fmt::format("grid {} {}", plain_number(stage.ground->grid / unit.factor, 3), unit.unit)
                               : "";
  annotate(image, settings.title, "", note, std::nullopt);
  if (settings.colors_regions) draw_region_names(image, mesh);
  return image;
}

BodyStyle shape_style(const Shape& shape, const ShapeMesh& meshed) {
  BodyStyle style;
  for (const Vec3& color : meshed.colors) style.node_colors.push_back(rgb_of(color));
  if (shape.root >= 0 && !shape.is_shell) style.paint = [&shape](const Vec3& x) { return rgb_of(shape.color(x)); };
  style.crease = 60;
  return style;
}

Look shape_look(const Shape& shape) {
  Look look;
  const Vec3 d = shape.camera.normalized();
  if (!d.allFinite()) return look;
  look.azimuth = std::atan2(d.x(), d.z()) * 180 / std::numbers::pi;
  look.elevation = std::asin(std::clamp(d.y(), -1.0, 1.0)) * 180 / std::numbers::pi;
  return look;
}

}  // namespace dashpot::render
