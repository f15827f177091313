#include "dashpot/render/painted_skin.hpp"

#include <algorithm>

#include "dashpot/mesh/surface.hpp"
#include "dashpot/render/mesh_picture.hpp"

namespace dashpot::render {

std::optional<PaintedSkin> painted_skin(const ShapeSource& source, double elements) try {
  const ParsedShape parsed = parse_shape(source.text, "recorded shape");
  const bool broken = std::any_of(parsed.problems.begin(), parsed.problems.end(),
                                  [](const Problem& problem) { return problem.severity == Problem::Severity::error; });
  if (broken || parsed.shape.is_shell) return std::nullopt;
  ShapeMeshOptions options;
  options.elements = elements;
  options.height = source.height;
  const ShapeMesh fine = mesh_shape(parsed.shape, options);
  const std::vector<Rgb> colors = shape_style(parsed.shape, fine).node_colors;

  PaintedSkin skin;
  std::vector<int> number(fine.mesh.nodes.size(), -1);
  std::vector<int>& triangles = skin.surface.group_or_new(ElementKind::triangle).nodes;
  for (const std::array<int, 3>& triangle : boundary_surface(fine.mesh).triangles)
    for (const int node : triangle) {
      const std::size_t i = static_cast<std::size_t>(node);
      if (number[i] < 0) {
        number[i] = skin.surface.num_nodes();
        skin.surface.nodes.push_back(source.translation + source.rotation * (source.scale * fine.mesh.nodes[i]));
        skin.colors.push_back(colors[i]);
      }
      triangles.push_back(number[i]);
    }
  return skin;
} catch (const Error&) {
  return std::nullopt;  // the body's own skin is drawn instead
}

}  // namespace dashpot::render
