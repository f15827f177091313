#pragma once
// The law of a body of a scene, as a file that other scenes can use: its material and dampings, with the values that
// parameters have now. What learning writes.

#include <vector>

#include "dashpot/model/parameters.hpp"
#include "dashpot/scene/format/law_file.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// Title, data and visited range are left to the caller. `values` are those of the whole layout. Dampings that name the
/// body's mesh or shapes (painted fields, examples) are left out: they do not fit other bodies. Throws Error where a
/// body has no material or a parameter of it no place in the scene.
LawFile law_of_body(const SceneSpec& scene, const BodySpec& body, const ParameterLayout& layout,
                    const std::vector<double>& values);

}  // namespace dashpot
