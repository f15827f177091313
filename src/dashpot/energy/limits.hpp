#pragma once
// Limits of the deformation of tets: nothing as long as F is within bounds, a quadratic energy beyond them
// [Bouaziz2014, sec. 5.1]. With principal stretches s_i (s_2 < 0 for inverted tets),
//
//     psi = w/2 |F - p|^2 = w/2 sum_i (s_i - p_i)^2     [J/m^3]
//     strain limit    p_i = clamp(s_i, low, high)
//     volume limit    p = the nearest stretches with low <= p_0 p_1 p_2 <= high  (energy/nearest_volume.hpp)
//
// low > 0 also rights inverted tets. Each is an elastic energy like others (the Hessian is exact and jumps where a
// bound is reached) and a ProjectiveForm with projection p and weight w V, which bounds its Hessian. Meant to stand
// beside an elastic law on the same tets. They are penalties: a load goes beyond a bound by stress / w. Projections are
// computed in double precision always, by singular values; 4- and 10-node tets.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

struct DeformationLimit {
  double modulus = 1e5;  ///< w [Pa] > 0
  double low = 0.9;      ///< smallest stretch, or volume over rest volume, that is free; 0 <= low <= 1
  double high = 1.1;     ///< largest, >= 1; infinity: no bound
};

/// of_element as in energy/materials.hpp. Throws Error.
std::unique_ptr<TetElasticity> make_strain_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<DeformationLimit>& limits,
                                                 const std::vector<int>& of_element = {});
std::unique_ptr<TetElasticity> make_volume_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<DeformationLimit>& limits,
                                                 const std::vector<int>& of_element = {});

}  // namespace dashpot
