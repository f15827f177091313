#include "dashpot/scene/assembly/tet_material.hpp"

#include <fmt/format.h>

#include <utility>

#include "dashpot/energy/materials.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_limits.hpp"

namespace dashpot::tet_material {
namespace {

Parameter density() {
  return parameter::real("density", "\u03c1", Quantity::density, "mass per volume at rest")
      .above(0)
      .by_region()
      .doubt_outside(5, 25000, "kg/m3 is meant by a plain number; did you mean 1000?")
      .known_as({"rho", "mass_density"});
}
Parameter mass() {
  return parameter::choice("mass", {"consistent", "lumped"}, "mass matrix; explicit steppers need lumped")
      .or_else(R"("consistent")");
}

}  // namespace

Parameter young() {
  return parameter::real("young", "E", Quantity::pressure, "Young's modulus")
      .above(0)
      .by_region()
      .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6")
      .known_as({"E", "youngs_modulus", "young_modulus", "youngsModulus"});
}
Parameter poisson() {
  return parameter::real("poisson", "\u03bd", Quantity::number, "Poisson's ratio")
      .above(-1)
      .below(0.5)
      .by_region()
      .advise("use 0.49 for rubber")
      .known_as({"nu", "poisson_ratio", "poissonRatio"});
}

std::vector<Parameter> with_density(std::vector<Parameter> own) {
  own.push_back(density());
  own.push_back(mass());
  own.push_back(limits_parameter());
  own.push_back(parameter::regions("other values for parts of the body"));
  return own;
}

ModelCheck with_limits(ModelCheck own) {
  return [own](const Settings& settings, std::vector<Problem>& problems) {
    own(settings, problems);
    check_limits(settings, problems);
  };
}

void add_energy(const Settings& settings, BodyAssembly& body, std::unique_ptr<TetElasticity> energy) {
  body.add(std::move(energy));
  add_limits(settings, body);
}

ModelEntry isotropic_entry(const IsotropicLaw& law, std::string meaning, std::string reference) {
  const auto add = [law](const Settings& settings, BodyAssembly& body) {
    const BodyAssembly::Variants parts = body.variants(settings);
    add_energy(settings, body,
               make_isotropic_parts(body.name(), body.batch(), law, parts.value("young", body.num_tets()),
                                    parts.value("poisson", body.num_tets())));
  };
  const std::string example =
      fmt::format(R"({{"model": "{}", "young": "1 MPa", "poisson": 0.3, "density": 1000}})", law.name);
  return {Category::material,
          law.name,
          std::move(meaning),
          std::move(reference),
          with_density({young(), poisson()}),
          BodyFactory(add),
          "",
          check_limits,
          {example}};
}

}  // namespace dashpot::tet_material
