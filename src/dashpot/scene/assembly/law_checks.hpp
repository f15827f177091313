#pragma once
// Scenes that use laws from files (format/law_file.hpp) under other conditions than they were learned in: warnings.

#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// Another time step or integrator than that of a law, whose numerical damping is part of what was learned. Notes the
/// files as inputs of the scene.
void check_laws(const SceneSpec& spec, std::vector<Problem>& problems);

}  // namespace dashpot
