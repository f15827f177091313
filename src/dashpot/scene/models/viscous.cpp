#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/kelvin_voigt.hpp"
#include "dashpot/dissipation/maxwell.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void require_tets(const Settings& settings, const BodyAssembly& body, const char* model) {
  if (body.num_tets() == 0)
    throw Error(Problem{settings.place(), fmt::format("{} damping of '{}', which has no tets", model, body.name()),
                        "a body of tets", "use rayleigh or laplacian"});
}

std::unique_ptr<DissipationTerm> make_kelvin_voigt(const Settings& settings, BodyAssembly& body) {
  require_tets(settings, body, "kelvin_voigt");
  const BodyAssembly::Variants variants = body.variants(settings);
  body.note(fmt::format("kelvin_voigt, viscosity {}, second viscosity {}{}",
                        describe_quantity(settings.number("viscosity"), Quantity::viscosity),
                        describe_quantity(settings.number("second_viscosity"), Quantity::viscosity),
                        variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  return with_location(settings.place(), [&] {
    return std::make_unique<KelvinVoigt>(body.name(), body.batch(), variants.value("viscosity", body.num_tets()),
                                         variants.value("second_viscosity", body.num_tets()));
  });
}

std::unique_ptr<DissipationTerm> make_maxwell(const Settings& settings, BodyAssembly& body) {
  require_tets(settings, body, "maxwell");
  const BodyAssembly::Variants variants = body.variants(settings);
  body.note(fmt::format("maxwell, shear modulus {}, relaxation time {}{}",
                        describe_quantity(settings.number("modulus"), Quantity::pressure),
                        describe_quantity(settings.number("tau"), Quantity::time),
                        variants.settings.size() > 1 ? ", other moduli in regions" : ""));
  return with_location(settings.place(), [&] {
    return std::make_unique<Maxwell>(body.name(), body.batch(), variants.value("modulus", body.num_tets()),
                                     settings.number("tau"));
  });
}

}  // namespace

namespace models {

void viscous(Registry& registry) {
  registry.add(
      {Category::damping,
       "kelvin_voigt",
       "viscosity in the rate of the Green strain, S = 2 \u03b7 \u0116 + \u03bb_d tr(\u0116) I; free under rigid "
       "motion; its matrix is not symmetric",
       "SanchezBanderasOtaduy2018",
       {parameter::real("viscosity", "\u03b7", Quantity::viscosity,
                        "shear viscosity; \u03b2 \u03bc acts at rest as rayleigh's \u03b2")
            .at_least(0)
            .by_region(),
        parameter::real(
            "second_viscosity", "\u03bb_d", Quantity::viscosity,
            "against change of volume, at least \u22122/3 of the viscosity; \u03b2 \u03bb in rayleigh's terms")
            .by_region()
            .or_else("\"0 Pa s\""),
        parameter::regions("other viscosities for parts of the body")},
       DampingFactory(make_kelvin_voigt),
       "",
       {},
       {R"({"model": "kelvin_voigt", "viscosity": "300 Pa s"})",
        R"({"model": "kelvin_voigt", "viscosity": "300 Pa s", "second_viscosity": "-100 Pa s"})"}});
  registry.add(
      {Category::damping,
       "maxwell",
       "a spring and a dashpot in series on the deviator of the Green strain: stress relaxes with exp(\u2212t/\u03c4); "
       "losses peak at \u03c9 = 1/\u03c4; several of them are a Prony series",
       "SimoHughes1998",
       {parameter::real("modulus", "G", Quantity::pressure,
                        "shear modulus that acts beside the body's when it moves fast")
            .at_least(0)
            .by_region(),
        parameter::real("tau", "\u03c4", Quantity::time, "relaxation time").above(0),
        parameter::regions("other moduli for parts of the body")},
       DampingFactory(make_maxwell),
       "",
       {},
       {R"({"model": "maxwell", "modulus": "20 kPa", "tau": "50 ms"})"},
       true});
}

}  // namespace models
}  // namespace dashpot
