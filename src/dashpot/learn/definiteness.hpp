#pragma once
// Whether a law is stiff for every strain that it was seen at, and a little beyond: to be asked after every step of
// learning [reference D, section 7]. Over a box of principal stretches s, stresses p(s), H = dp/ds:
//
//     hessian  least eigenvalue of (H + H^T)/2
//     flip     least (p_i - p_j)/(s_i - s_j), at equal stretches its limit (H_ii + H_jj)/2 - H_ij
//
// Both must be positive. (p_i + p_j)/(s_i + s_j), the stiffness against rotation of the principal axes, is left out: in
// compression it is negative, which is how real bodies buckle.

#include <functional>
#include <string>

#include "dashpot/element/tet_stretches.hpp"
#include "dashpot/energy/learned.hpp"

namespace dashpot::learn {

/// Stretches low to high, each of the three, with low_volume <= s1 s2 s3 <= high_volume and the middle one of the three
/// between low_middle and high_middle.
struct StretchBox {
  double low = 0.8, high = 1.2;
  double low_volume = 0, high_volume = 1e300;
  double low_middle = -1e300, high_middle = 1e300;
  /// What a motion visited.
  static StretchBox of(const StretchRange& range) {
    return {range.least,          range.largest,      range.least_volume,
            range.largest_volume, range.least_middle, range.largest_middle};
  }
  bool holds(const Vec3& s) const;
  /// Larger on all sides by this part of what it is wide.
  StretchBox padded(double part = 0.05) const;
};

/// The smallest value and where it was found.
struct Least {
  double value = 0;  ///< [Pa]
  Vec3 stretches = Vec3::Ones();
};

struct Definiteness {
  Least hessian, flip;
  int num_points = 0;  ///< strains that were looked at
  bool is_definite() const { return hessian.value > 0 && flip.value > 0; }
  /// The worse of the two.
  double worst() const { return hessian.value < flip.value ? hessian.value : flip.value; }
  /// "stiff everywhere: at least 1.2 kPa, at stretches (1.30, 0.95, 0.81)"
  std::string text() const;
};

/// On a grid of so many stretches a side, of all orders only one; then downhill from the worst points. Where the box
/// holds no such volume only rest is looked at.
Definiteness check_definiteness(const std::function<StretchResponse(const Vec3&)>& law, const StretchBox& box,
                                int points_a_side = 25);
/// Of the law of `parts` where it is softest: of each of its moduli's parts.
Definiteness check_definiteness(const LearnedParts& parts, const StretchBox& box, int points_a_side = 25);

}  // namespace dashpot::learn
