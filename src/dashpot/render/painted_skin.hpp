#pragma once
// The skin of a body that was meshed from a shape file, finer than its tets and in the file's colors. Carried by the
// tets (mesh/embedding.hpp) it shows a coarse simulation as the creature it stands for.

#include <optional>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/record/recording.hpp"
#include "dashpot/render/image.hpp"

namespace dashpot::render {

struct PaintedSkin {
  Mesh surface;             ///< triangles, where the body rests in the world [m]
  std::vector<Rgb> colors;  ///< one per node
};

/// The skin of the shape meshed with about `elements` tets; nothing for shells, and for files that cannot be meshed so.
std::optional<PaintedSkin> painted_skin(const ShapeSource& source, double elements);

}  // namespace dashpot::render
