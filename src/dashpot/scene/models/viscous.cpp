#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/maxwell.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
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

std::unique_ptr<DissipationTerm> make_strain_rate(const Settings& settings, BodyAssembly& body) {
  require_tets(settings, body, "strain_rate");
  const BodyAssembly::Variants variants = body.variants(settings);
  StrainRateOptions options;
  options.metric = settings.text("metric") == "corotational" ? StrainMetric::corotational : StrainMetric::green;
  options.tangent = settings.text("tangent") == "symmetric" ? RateTangent::symmetric : RateTangent::exact;
  options.power = {settings.number("exponent"), settings.number("reference_rate")};
  body.note(fmt::format(
      "strain_rate, {} strain, viscosity {}{}, second viscosity {}{}", settings.text("metric"),
      describe_quantity(settings.number("viscosity"), Quantity::viscosity),
      options.power.exponent == 1
          ? ""
          : fmt::format(" at {}, to the power {:g} of the rate",
                        describe_quantity(options.power.reference_rate, Quantity::rate), options.power.exponent - 1),
      describe_quantity(settings.number("second_viscosity"), Quantity::viscosity),
      variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  return std::make_unique<StrainRateDamping>(body.name(), body.batch(), variants.value("viscosity", body.num_tets()),
                                             variants.value("second_viscosity", body.num_tets()), options);
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
       "strain_rate",
       "viscosity in the rate of the strain, T = 2 \u03bc_d \u03b5\u0307 + \u03bb_d tr(\u03b5\u0307) I: resists the "
       "change of shape alone, free under rigid motion",
       "SanchezBanderasOtaduy2018",
       {parameter::real("viscosity", "\u03bc_d", Quantity::viscosity,
                        "shear viscosity; \u03b2 \u03bc acts at rest as rayleigh's \u03b2")
            .at_least(0)
            .by_region()
            .known_as({"mu", "mu_d", "eta"}),
        parameter::real(
            "second_viscosity", "\u03bb_d", Quantity::viscosity,
            "against change of volume, at least \u22122/3 of the viscosity; \u03b2 \u03bb in rayleigh's terms")
            .by_region()
            .or_else("\"0 Pa s\"")
            .known_as({"lambda", "lambda_d"}),
        parameter::choice("metric", {"green", "corotational"},
                          "which strain: Green's, whose damping goes with the square of the stretch, or corotational, "
                          "whose does not")
            .or_else("\"green\""),
        parameter::real("exponent", "n", Quantity::number,
                        "of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster")
            .above(0)
            .at_most(10)
            .or_else("1"),
        parameter::real("reference_rate", "r_0", Quantity::rate,
                        "with an exponent: strain rate at which the viscosity is the one given")
            .above(0)
            .or_else("\"1 /s\""),
        parameter::choice(
            "tangent", {"exact", "symmetric"},
            "exact: fewest iterations, a matrix that is not symmetric; symmetric: Cholesky or CG, more iterations")
            .or_else("\"exact\""),
        parameter::regions("other viscosities for parts of the body")},
       DampingFactory(make_strain_rate),
       "",
       {},
       {R"({"model": "strain_rate", "viscosity": "300 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "-100 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "200 Pa s", "metric": "corotational"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "metric": "corotational", "exponent": 0.6, "reference_rate": "2 /s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "tangent": "symmetric"})"}});
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
