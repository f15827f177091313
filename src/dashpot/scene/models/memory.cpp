#include <fmt/format.h>

#include <memory>

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

void memory(Registry& registry) {
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
       one_damping(make_maxwell),
       "",
       {},
       {R"({"model": "maxwell", "modulus": "20 kPa", "tau": "50 ms"})"},
       true});
}

}  // namespace models
}  // namespace dashpot
