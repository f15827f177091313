#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

Parameter young() {
  return real("young", "E", Quantity::pressure, "Young's modulus")
      .above(0)
      .by_region()
      .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6")
      .known_as({"E", "youngs_modulus", "young_modulus", "youngsModulus"});
}
Parameter poisson() {
  return real("poisson", "\u03bd", Quantity::number, "Poisson's ratio")
      .above(-1)
      .below(0.5)
      .by_region()
      .advise("use 0.49 for rubber")
      .known_as({"nu", "poisson_ratio", "poissonRatio"});
}
Parameter density() {
  return real("density", "\u03c1", Quantity::density, "mass per volume at rest")
      .above(0)
      .by_region()
      .doubt_outside(5, 25000, "kg/m3 is meant by a plain number; did you mean 1000?")
      .known_as({"rho", "mass_density"});
}
Parameter mass() {
  return choice("mass", {"consistent", "lumped"}, "mass matrix; explicit steppers need lumped")
      .or_else(R"("consistent")");
}

std::vector<Parameter> isotropic() {
  return {young(), poisson(), density(), mass(), regions("other values for parts of the body")};
}

}  // namespace

void add_materials(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, const char* reference) {
    registry.add({Category::material, name, meaning, reference, isotropic(), {}});
  };
  add("linear", "small strain: forces linear in displacement, wrong under rotation", "BonetWood2008");
  add("corotational", "linear elasticity in the rotated frame of each tet", "MuellerGross2004");
  add("arap", "as rigid as possible: \u03bc |F - R|\u00b2, no volume term", "Chao2010");
  add("stvk", "St. Venant-Kirchhoff: quadratic in Green strain; soft under strong compression", "BonetWood2008");
  add("neo_hookean", "compressible neo-Hookean with ln J; refuses inversion", "BonetWood2008");
  add("stable_neo_hookean", "neo-Hookean that survives inversion", "Smith2018");
}

}  // namespace dashpot
