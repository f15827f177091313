#pragma once
// How the coefficients of a strain-rate law depend on the rate, four elements at a time. For .cpp files of kernels
// only.

#include <cmath>

#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {

/// a and da/d(r^2) at r^2 [1/s^2].
inline formula::RateFactor<math::Pack4> rate_factor(const StrainRateOptions& options, math::Pack4 square_of_rate) {
  using math::Pack4;
  if (options.is_newtonian()) return {Pack4(1.0), Pack4(0.0)};
  if (options.curve == nullptr) return formula::power_factor(options.power, square_of_rate);
  formula::RateFactor<Pack4> result{Pack4(1.0), Pack4(0.0)};
  for (int l = 0; l < 4; ++l) {
    const double rate = std::sqrt(square_of_rate[l]);
    const math::Curve::Sample s = options.curve->sample(rate);
    result.factor.set(l, s.value);
    result.slope.set(l, rate > 1e-12 ? s.derivative / (2 * rate) : 0.0);
  }
  return result;
}

}  // namespace dashpot
