#pragma once
// What every start of a body can be given besides positions.

#include <vector>

#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

/// The parameters with "velocity" and "angular_velocity" added.
inline std::vector<Parameter> with_start_velocity(std::vector<Parameter> parameters) {
  parameters.push_back(
      parameter::vector3("velocity", "v", Quantity::velocity, "added to every node").or_else("[0, 0, 0]"));
  parameters.push_back(
      parameter::vector3("angular_velocity", "\u03c9", Quantity::angular_velocity, "spin about the center of mass")
          .or_else("[0, 0, 0]"));
  return parameters;
}

}  // namespace dashpot
