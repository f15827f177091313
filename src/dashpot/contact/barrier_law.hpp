#pragma once
// How layers of cloth keep apart: energy per area of a pressure that begins at the thickness h and grows without limit
// as the distance d goes to zero. With x = d / h < 1,
//
//     psi = k h^2/2 (1 - x)^3 / x,     psi' = -k h/2 (1/x^2 - 3 + 2 x),     psi'' = k (1/x^3 - 1);     0 beyond h.
//
// Twice continuously differentiable at h; the pressure is 0.02 k h at 0.9 h, k h at h/2 and 200 k h at h/20. A layer of
// mass per area rho that comes at speed v stops at about x = k h^2 / (rho v^2). (The logarithm of [LiEtAl2020] grows so
// slowly that twice the speed would need the square of that x: layers that meet at a few meters a second would come
// within round-off of each other.) k: [Pa/m].

#include <limits>

#include "dashpot/contact/penalty_law.hpp"

namespace dashpot::contact {

struct BarrierLaw {
  double thickness = 0;  ///< h [m]
  double stiffness = 0;  ///< k [Pa/m]
};

/// value is infinite at d <= 0, where the slope says nothing.
inline Penalty<double> barrier(double d, const BarrierLaw& law) {
  const double h = law.thickness, k = law.stiffness, x = d / h;
  if (x >= 1) return {0, 0, 0};
  if (!(x > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double y = 1 - x;
  return {0.5 * k * h * h * y * y * y / x, -0.5 * k * h * y * y * (1 + 2 * x) / (x * x),
          k * y * (1 + x + x * x) / (x * x * x)};
}

}  // namespace dashpot::contact
