#pragma once
// What registry entries of materials of tets have in common: their parameters, the limits of strain beside the law, and
// the way of an energy into the body. A material is a file models/<name>.cpp of its own that uses these.

#include <string>
#include <vector>

#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

struct IsotropicLaw;

namespace tet_material {

/// Young's modulus, of regions too.
Parameter young();
/// Poisson's ratio, of regions too.
Parameter poisson();
/// `own` and what every material of tets has: density, mass, limits, regions.
std::vector<Parameter> with_density(std::vector<Parameter> own);
/// The material's own rules about several numbers together, and those of its limits.
ModelCheck with_limits(ModelCheck own);
/// Hands the energy to the body, which needs it as its source of stiffness too; then the limits beside it.
void add_energy(const Settings& settings, BodyAssembly& body, std::unique_ptr<TetElasticity> energy);
/// The entry of a material with Young's modulus and Poisson's ratio alone, called as its law.
ModelEntry isotropic_entry(const IsotropicLaw& law, std::string meaning, std::string reference);

}  // namespace tet_material
}  // namespace dashpot
