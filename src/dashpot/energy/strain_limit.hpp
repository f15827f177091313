#pragma once
// Strain limits of tets: nothing as long as the principal stretches s_i stay between two bounds, a quadratic energy
// beyond them [Bouaziz2014, sec. 5.1]:
//
//     psi = w/2 sum_i (s_i - clamp(s_i, low, high))^2     [J/m^3]
//
// An inverted tet has s_2 < 0 and is pushed back to `low` (so low > 0 also rights inverted tets). It is an elastic
// energy like others (Newton's method works on it; the Hessian jumps where a bound is reached) and a ProjectiveForm: p
// is F with clamped stretches, L has the weight w V. Meant to stand beside an elastic law on the same tets. Projections
// are computed in double precision always, by singular values; 4- and 10-node tets.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

struct StrainLimit {
  double modulus = 1e5;  ///< w [Pa] > 0
  double low = 0.9;      ///< smallest stretch that is free, 0 <= low <= 1
  double high = 1.1;     ///< largest, >= 1; infinity: no bound
};

/// of_element as in energy/materials.hpp. Throws Error.
std::unique_ptr<TetElasticity> make_strain_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<StrainLimit>& limits,
                                                 const std::vector<int>& of_element = {});

}  // namespace dashpot
