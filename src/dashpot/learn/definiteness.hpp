#pragma once
// Whether a law is stiff for every strain that it was seen at, and a little beyond: to be asked after every step of
// learning. Stiff is strongly elliptic: of all unit a and n,
//
//     (a n^T) : dP/dF : (a n^T) > 0,
//
// so that every plane wave, of direction n and amplitude a, is driven back, and strain does not gather in layers. In
// the axes of the principal stretches s, with stresses p(s), H = dp/ds, flip_ij = (p_i - p_j)/(s_i - s_j), at equal
// stretches (H_ii + H_jj - H_ij - H_ji)/2, twist_ij = (p_i + p_j)/(s_i + s_j):
//
//     sum_ij H_ij a_i n_i a_j n_j + sum_{i<j} flip_ij (a_i n_j + a_j n_i)^2 / 2 + twist_ij (a_i n_j - a_j n_i)^2 / 2
//
// Reference D, section 7, asks for H > 0 and flip > 0 instead. Laws that are stiff in truth do not have that:
// neo-Hookean rubber of nu = 0.43 has a negative flip stiffness where its volume grows by a third, and is elliptic to J
// = e at the least (tests/unit/learn/test_definiteness.cpp). Twist alone may be negative in either: bodies buckle.

#include <functional>
#include <string>

#include "dashpot/energy/learned.hpp"
#include "dashpot/learn/strain_region.hpp"

namespace dashpot::learn {

/// The stiffness of a law against one plane wave, at one strain. Linear in the law's stresses.
struct WaveStiffness {
  Vec3 stretches, amplitude, direction;  ///< the last two of length one, in the axes of the stretches

  /// [Pa]; minus infinity where it is no number.
  double of(const StretchResponse& response) const;
};
/// The wave that is driven back least, of amplitudes all, and of 28 directions.
WaveStiffness softest_wave(const StretchResponse& response, const Vec3& stretches);

/// Whether all of these waves meet more than `stiffness` [Pa]: cheaper than to find the softest.
bool is_stiffer(const StretchResponse& response, const Vec3& stretches, double stiffness);

struct Definiteness {
  double least = 0;               ///< stiffness against a wave [Pa]; at rest that against shear, mu
  Vec3 stretches = Vec3::Ones();  ///< where
  int num_points = 0;             ///< strains that were looked at
  bool is_definite() const { return least > 0; }
  /// "stiff everywhere: at least 1.2 kPa, at stretches (1.30, 0.95, 0.81)"
  std::string text() const;
};

/// At the region's points; then downhill within it from the worst of them.
Definiteness check_definiteness(const std::function<StretchResponse(const Vec3&)>& law, const StrainRegion& region);
/// Of the law of `parts` where it is softest: of each of its moduli's parts.
Definiteness check_definiteness(const LearnedParts& parts, const StrainRegion& region);

}  // namespace dashpot::learn
