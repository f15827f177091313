#pragma once
// "limits" of a material of tets: bounds of stretch and volume beside its elastic law (energy/limits.hpp). Dampings do
// not see them: they are no part of the stiffness or the Laplacian that Rayleigh and Laplacian damping are made of.

#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

class BodyAssembly;

Parameter limits_parameter();
/// Problems of the limits of a material, if it has some.
void check_limits(const Settings& material, std::vector<Problem>& problems);
/// Adds the energies of the limits of a material, if it has some.
void add_limits(const Settings& material, BodyAssembly& body);

}  // namespace dashpot
