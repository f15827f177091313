#pragma once
// Import of a VegaFEM .config file (interactiveDeformableSimulator) as a scene. In such a file "*key" is followed by
// its value on the next line; '#' starts a comment. Vertex numbers in .bou and force files count from 1.
//
// What carries over: mesh, fixed vertices, material (from the .veg file), mass and stiffness damping, integrator, time
// step and sub-steps, force loads. What does not is listed as a warning; what would change the physics silently
// (Laplacian damping, a reduced model) is refused.

#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"

namespace dashpot {

struct ImportedScene {
  JsonValue scene;                ///< as check_scene reads it; paths relative to the config's folder
  std::vector<Problem> warnings;  ///< keys that were not used, and what was assumed
};

/// dashpot::Error with all problems when the file cannot be used.
ImportedScene import_vega_config(const std::string& path);
/// The same from a text; files it names are looked for in `folder`.
ImportedScene import_vega_config(std::string_view text, const std::string& name, const std::string& folder);

}  // namespace dashpot
