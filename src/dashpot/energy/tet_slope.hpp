#pragma once
// The law of four tets behind a virtual call, for passes that ask it many times at neighboring deformation gradients.
// For .cpp files of energy/ only.

#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {

/// Deformation gradients, or stretches, of the four tets of a pack at one quadrature point, and what their law answers.
struct PackResponse {
  math::Matrix3<math::Pack4> F;
  math::Pack4 s[3];
  formula::TangentKind kind = formula::TangentKind::none;
  formula::PointResponse<math::Pack4> out;
};

}  // namespace dashpot
