#pragma once
// Makes the elastic energy of a body from a material. Parameters are per mesh element: `of_element[e]` picks one of the
// given materials (one per region); empty: the first for all. Bad parameters throw Error, all problems at once.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot {

/// Laws with two parameters. See energy/formula/ for the energies.
enum class IsotropicLaw { linear, corotational, arap, stvk, neo_hookean, stable_neo_hookean };
std::string to_string(IsotropicLaw law);

/// Young's modulus [Pa] > 0 and Poisson's ratio, -1 < nu < 0.5.
struct Isotropic {
  double young = 1e5;
  double poisson = 0.3;
  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }  ///< [Pa]
  double mu() const { return young / (2 * (1 + poisson)); }                                ///< [Pa]
  static Isotropic from_lame(double lambda, double mu);
};

std::unique_ptr<TetElasticity> make_isotropic(std::string body, std::shared_ptr<TetBatch> batch, IsotropicLaw law,
                                              const std::vector<Isotropic>& materials,
                                              const std::vector<int>& of_element = {});

}  // namespace dashpot
