#pragma once
// One resonance of a frequency response H(f) [m/N]: where it is and how damped, by three methods that must agree.
//
// * Half power: where |H|^2 falls to half its peak, at f1 < fr < f2. Between samples 1/|H|^2 is interpolated as a
// quadratic in
//   f^2, which for a viscous oscillator H = 1 / (k - m w^2 + i c w) is not an approximation but exact; nor is
//       zeta = sin( atan( (f2^2 - f1^2) / (f2^2 + f1^2) ) / 2 ),
//   which replaces the textbook (f2 - f1) / (2 fr), good for small zeta only (given too).
// * Rational fit: k, m, c by linear least squares of 1 - H (k - m w^2 + i c w) over the resonance band.
// * Circle: the mobility i w H of one mode is a circle in the complex plane, shifted by what the other modes add;
// natural frequency
//   and zeta from the angles seen from its center: tan(theta/2) = (w0^2 - w^2) / (2 zeta w0 w).
// Limits: one resonance in the given range (cut the range for others), zeta < 0.38 for half power (the lower point must
// exist). Source: [Ewins2000, ch. 4].
#include <complex>
#include <span>
#include <vector>

#include "dashpot/analysis/forced.hpp"

namespace dashpot::analysis {

struct ResonanceFit {
  double resonance_frequency = 0;                  ///< of the largest |H|, interpolated [Hz]
  double peak_response = 0;                        ///< |H| there [m/N]
  double half_power_low = 0, half_power_high = 0;  ///< f1, f2 [Hz]; NaN when outside the range
  double zeta_half_power = 0;                      ///< exact formula; NaN when f1 or f2 is missing
  double zeta_bandwidth = 0;                       ///< textbook (f2 - f1) / (2 fr)
  double natural_frequency = 0;                    ///< undamped, rational fit [Hz]
  double zeta_fit = 0;                             ///< rational fit
  double stiffness = 0, mass = 0, dashpot = 0;     ///< of the rational fit [N/m], [kg], [N s/m]
  double fit_residual = 0;                         ///< rms of 1 - H/H_fit over the band [-]
  double circle_natural_frequency = 0;             ///< [Hz]
  double zeta_circle = 0;
  double circle_residual = 0;  ///< rms distance from the circle over its radius [-]
  bool methods_agree = false;  ///< all three zetas exist and lie within 10 % of each other
};

/// At least 5 points of increasing frequency > 0 around one resonance; dashpot::Error otherwise.
ResonanceFit fit_resonance(std::span<const FrfPoint> points);

}  // namespace dashpot::analysis
