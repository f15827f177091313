#pragma once
// A model of a scene with all its stiffnesses multiplied: whatever is a modulus, a bending stiffness or a stress of a
// curve (Pa, J, N/m), in its regions too. Densities, lengths and ratios stay.

#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

ModelSpec with_scaled_moduli(const ModelSpec& model, double factor);

}  // namespace dashpot
