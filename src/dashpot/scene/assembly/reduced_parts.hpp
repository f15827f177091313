#pragma once
// The reduced bodies of a scene: each becomes a System of its own. A scene that is one reduced body and nothing else is
// that System; beside other bodies, or where there is something to touch, it stands in the System of the scene by its
// own coordinates (model/placed_system.hpp).

#include <optional>
#include <string>
#include <vector>

#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/reduced_body.hpp"

namespace dashpot {

/// True when the scene is one reduced body that touches nothing.
bool is_one_reduced_body(const SceneSpec& spec);

struct PreparedPart {
  ReducedPart part;
  ReducedBody reduced;                ///< its start is that of `part`
  std::vector<std::string> dampings;  ///< in words
};

/// All reduced bodies of a scene. Nothing when the hooks said stop.
std::optional<std::vector<PreparedPart>> prepare_parts(const SceneSpec& spec, const PrecomputeHooks& hooks);

/// Positions and velocities of a body at time zero, into a state of a System that holds its nodes.
void start_body(BodyAssembly& body, State& state);

}  // namespace dashpot
