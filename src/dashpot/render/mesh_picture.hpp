#pragma once
// A picture of one mesh at rest: of a file, or of a shape with the colors its author gave it.

#include <functional>
#include <string>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/render/body_skin.hpp"
#include "dashpot/render/rasterizer.hpp"
#include "dashpot/shape/mesh_shape.hpp"

namespace dashpot::render {

struct MeshPictureSettings {
  DrawSettings draw;
  Look look;
  BodyStyle style;
  bool colors_regions = false;  ///< a color per region instead of the style's, with their names written beside
  std::string title;            ///< upper left; may be empty
  bool shows_note = true;       ///< distance of the grid lines, lower left
};

Image mesh_picture(const Mesh& mesh, const MeshPictureSettings& settings);

/// The style of a shape's mesh: its own colors, exact at every pixel for solids, by nodes otherwise.
BodyStyle shape_style(const Shape& shape, const ShapeMesh& meshed);
/// The direction from which a shape wants to be seen.
Look shape_look(const Shape& shape);

}  // namespace dashpot::render
