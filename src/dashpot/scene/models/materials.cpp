// Materials of tets with Young's modulus and Poisson's ratio alone.

#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/scene/assembly/tet_material.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot::models {

void materials(Registry& registry) {
  using tet_material::isotropic_entry;
  registry.add(isotropic_entry(IsotropicLaw::linear,
                               "small strain: forces linear in displacement, wrong under rotation", "BonetWood2008"));
  registry.add(isotropic_entry(IsotropicLaw::corotational, "linear elasticity in the rotated frame of each tet",
                               "MuellerGross2004"));
  registry.add(
      isotropic_entry(IsotropicLaw::arap, "as rigid as possible: \u03bc |F - R|\u00b2, no volume term", "Chao2010"));
  registry.add(isotropic_entry(IsotropicLaw::stvk,
                               "St. Venant-Kirchhoff: quadratic in Green strain; soft under strong compression",
                               "BonetWood2008"));
  registry.add(isotropic_entry(IsotropicLaw::neo_hookean, "compressible neo-Hookean with ln J; refuses inversion",
                               "BonetWood2008"));
  registry.add(
      isotropic_entry(IsotropicLaw::stable_neo_hookean, "neo-Hookean that survives inversion", "SmithDeGoesKim2018"));
}

}  // namespace dashpot::models
