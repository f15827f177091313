#pragma once
// What the materials of sheets and strands have in common.

#include <utility>
#include <vector>

#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

/// k_b [J] of a sheet's material: as given, or E h^3 / (12 (1 - nu^2)) of "young", "poisson" and "thickness".
inline double sheet_bending_stiffness(const Settings& material) {
  if (material.has("bending")) return material.number("bending");
  const double E = material.number("young"), nu = material.number("poisson"), h = material.number("thickness");
  return E * h * h * h / (12 * (1 - nu * nu));
}

inline Parameter sheet_thickness() {
  return parameter::real("thickness", "h", Quantity::length, "thickness of the sheet")
      .above(0)
      .doubt_outside(1e-7, 0.1, "meters are meant by a plain number: write \"0.5 mm\"");
}

/// Density, kind of mass and rest shape, after a material's own parameters.
inline std::vector<Parameter> with_thin_body_parameters(std::vector<Parameter> parameters) {
  parameters.push_back(parameter::real("density", "\u03c1", Quantity::density, "mass per volume at rest")
                           .above(0)
                           .doubt_outside(5, 25000, "kg/m3 is meant by a plain number; did you mean 1000?")
                           .known_as({"rho", "mass_density"}));
  parameters.push_back(parameter::choice("mass", {"consistent", "lumped"}, "mass matrix; explicit steppers need lumped")
                           .or_else(R"("consistent")"));
  parameters.push_back(
      parameter::choice("rest_bend", {"as_mesh", "straight"}, "where the bend is zero").or_else(R"("as_mesh")"));
  return parameters;
}

}  // namespace dashpot
