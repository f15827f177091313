#pragma once
// What the materials of sheets have in common.

#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

/// k_b [J] of a sheet's material: as given, or E h^3 / (12 (1 - nu^2)) of "young", "poisson" and "thickness".
inline double sheet_bending_stiffness(const Settings& material) {
  if (material.has("bending")) return material.number("bending");
  const double E = material.number("young"), nu = material.number("poisson"), h = material.number("thickness");
  return E * h * h * h / (12 * (1 - nu * nu));
}

}  // namespace dashpot
