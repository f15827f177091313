#pragma once
// Compressible Mooney-Rivlin rubber as a function of the principal stretches s, with I1 = sum s_i^2,
// I2 = sum_{i<j} s_i^2 s_j^2, J = s1 s2 s3 [CiarletGeymonat1982]:
//
//     psi = c1 (I1 - 3) + c2 (I2 - 3) + c (J - 1)^2 - d ln J,   d = 2 c1 + 4 c2: rest is free of stress
//
// Small strain: mu = 2 (c1 + c2), lambda = 4 c2 + 2 c. Polyconvex for c1, c2, c >= 0; +infinity for J <= 0. With
// e_i = s_i^2 - 1 the first terms are d/2 (sum e - 2 ln J) + c2 sum e_i e_j, which keeps digits near rest.

#include <limits>

#include "dashpot/energy/formula/point_response.hpp"

namespace dashpot::formula {

/// [Pa] of one element (T = double) or of four.
template <class T>
struct MooneyRivlinModuli {
  T c1, c2, c;
};

struct MooneyRivlin {
  static constexpr bool odd = true;
  /// p and H are not meaningful where psi is infinite.
  template <class T>
  DASHPOT_FORMULA static void respond(const MooneyRivlinModuli<T>& m, const T s[3], T& psi, T p[3],
                                      math::Symmetric3<T>& H) {
    const T J = s[0] * s[1] * s[2], d = T(2) * m.c1 + T(4) * m.c2;
    const auto valid = J > T(0);
    const T dJ[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]}, bulk = T(2) * m.c * (J - T(1));
    T e[3], inverse[3];
    for (int i = 0; i < 3; ++i) {
      e[i] = (s[i] - T(1)) * (s[i] + T(1));
      inverse[i] = T(1) / select(valid, s[i], T(1));
    }
    psi = T(0.5) * d * (e[0] + e[1] + e[2] - T(2) * log(select(valid, J, T(1)))) +
          m.c2 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]) + m.c * (J - T(1)) * (J - T(1));
    psi = select(valid, psi, T(std::numeric_limits<double>::infinity()));
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const T slope = d + T(2) * m.c2 * (e[j] + e[k]);  // 2 c1 + 2 c2 (s_j^2 + s_k^2)
      p[i] = slope * s[i] - d * inverse[i] + bulk * dJ[i];
      H(i, i) = slope + d * inverse[i] * inverse[i] + T(2) * m.c * dJ[i] * dJ[i];
      for (int l = i + 1; l < 3; ++l)
        H(i, l) = T(4) * m.c2 * s[i] * s[l] + T(2) * m.c * dJ[i] * dJ[l] + bulk * s[3 - i - l];
    }
  }
};

}  // namespace dashpot::formula
