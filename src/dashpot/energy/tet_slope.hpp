#pragma once
// The law of four tets behind a virtual call, for passes that ask it many times at neighboring deformation gradients.
// For .cpp files of energy/ only.

#include "dashpot/energy/formula/tangent_form.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Deformation gradients, or stretches, of the four tets of a pack at one quadrature point, and what their law answers.
struct PackResponse {
  math::Matrix3<math::Pack4> F;
  math::Pack4 s[3];
  math::Pack4 p[3];  ///< stresses at s
  formula::TangentKind kind = formula::TangentKind::none;
  formula::PointResponse<math::Pack4> out;
};

/// w : tangent : v, w and v in the frames of F, as a linear form of stresses and their derivatives.
struct PackForm {
  math::Matrix3<math::Pack4> w, v;
  formula::ResponseForm<math::Pack4> of_response;
};

inline formula::TangentKind kind_of(StiffnessPart part) {
  return part == StiffnessPart::rest                ? formula::TangentKind::exact
         : part == StiffnessPart::projected_tangent ? formula::TangentKind::projected
                                                    : formula::TangentKind::gauss_newton;
}

/// Least |s_i + s_j| to divide by.
constexpr double least_sum = 1e-6;
/// Stretches are moved by this much for differences; they are numbers near one.
constexpr double stretch_difference = 1e-5;

/// By how much the stretch s is moved. Of a collapsed element 1 / s bends the tangent: it is moved by less.
inline math::Pack4 step_of(math::Pack4 s) {
  constexpr double least_step = 1e-3;
  return math::Pack4(stretch_difference) * max(math::Pack4(least_step), min(math::Pack4(1.0), math::abs(s)));
}

/// R such that diag(s) + e (E_ij + E_ji) = R diag(moved) R^T; of -e the stretches are the same, and R is transposed.
inline math::Matrix3<math::Pack4> plane_rotation(const math::Pack4 s[3], int i, int j, math::Pack4 e,
                                                 math::Pack4 moved[3]) {
  using math::Pack4;
  const Pack4 half_gap = Pack4(0.5) * (s[i] - s[j]), radius = sqrt(half_gap * half_gap + e * e);
  const Pack4 t = e / with_sign(math::abs(half_gap) + radius, half_gap);
  const Pack4 c = Pack4(1.0) / sqrt(Pack4(1.0) + t * t);
  for (int k = 0; k < 3; ++k) moved[k] = s[k];
  moved[i] = s[i] + t * e;
  moved[j] = s[j] - t * e;
  math::Matrix3<Pack4> R = math::identity3<Pack4>();
  R(i, i) = R(j, j) = c;
  R(j, i) = t * c;
  R(i, j) = -(t * c);
  return R;
}

}  // namespace dashpot
