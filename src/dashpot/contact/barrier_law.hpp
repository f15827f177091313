#pragma once
// How layers of cloth keep apart: energy per area of a pressure that begins at the thickness h and grows without limit
// as the distance d goes to zero [LiEtAl2020, eq. 6],
//
//     psi(d) = -k (d - h)^2 ln(d / h),    0 < d < h;     0 beyond.
//
// Twice continuously differentiable at h. The pressure is 0.03 k h at 0.9 h, 1.2 k h at h/2 and 24 k h at h/20.
// k: [Pa/m].

#include <cmath>
#include <limits>

#include "dashpot/contact/penalty_law.hpp"

namespace dashpot::contact {

struct BarrierLaw {
  double thickness = 0;  ///< h [m]
  double stiffness = 0;  ///< k [Pa/m]
};

/// value is infinite at d <= 0, where the slope says nothing.
inline Penalty<double> barrier(double d, const BarrierLaw& law) {
  const double h = law.thickness, k = law.stiffness;
  if (d >= h) return {0, 0, 0};
  if (!(d > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double g = d - h, log = std::log(d / h), ratio = g / d;
  return {-k * g * g * log, -k * g * (2 * log + ratio), -k * (2 * log + ratio * (4 - ratio))};
}

}  // namespace dashpot::contact
