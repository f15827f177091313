#pragma once
// What will surprise in the first steps of a scene that is otherwise right: bodies that begin inside a collider, driven
// nodes that begin elsewhere than their body, colliders too thin for the time step. Warnings, except for first keys
// farther away than the body is large, which are errors: nothing sensible follows from them.

#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// Needs meshes and colliders that are built: call it when nothing else is wrong.
void check_starts(const SceneSpec& spec, std::vector<Problem>& problems);

}  // namespace dashpot
