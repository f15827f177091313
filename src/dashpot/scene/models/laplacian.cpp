#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/dissipation/pbd_damping.hpp"
#include "dashpot/dissipation/variational.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/filter_amount.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

double amount(const Settings& settings, const char* name) { return settings.has(name) ? settings.number(name) : 0; }

void check_laplacian(const Settings& settings, std::vector<Problem>& problems) {
  if (!settings.has("alpha") && !settings.has("beta"))
    problems.push_back(
        {settings.place(), "no amount of damping", "\"beta\" and/or \"alpha\"", "for example \"beta\": \"2 ms\""});
}

/// Springs and point masses follow the tets in the sources; regions choose tets only.
std::unique_ptr<DissipationTerm> make_laplacian(const Settings& settings, BodyAssembly& body) {
  const std::string& keeps = settings.text("keeps");
  const BodyAssembly::Variants variants = body.variants(settings);
  LaplacianParts parts;
  parts.mass = &body.mass_source();
  parts.laplacian = with_location(settings.place(), [&] { return &body.laplacian_source(); });
  parts.alpha = variants.value("alpha", parts.mass->num_elements());
  parts.beta = variants.value("beta", parts.laplacian->num_elements());
  body.note(fmt::format("laplacian, alpha {}, beta {}, {}{}",
                        describe_quantity(amount(settings, "alpha"), Quantity::rate),
                        describe_quantity(amount(settings, "beta"), Quantity::time),
                        keeps == "linear"    ? "brakes rotation"
                        : keeps == "element" ? "rotation of every element is free"
                                             : "rotation of the whole body is free",
                        variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  if (keeps == "linear") return std::make_unique<LaplacianDamping>(body.name(), std::move(parts));
  return std::make_unique<ConservingLaplacianDamping>(
      body.name(), std::move(parts), keeps == "element" ? FreeRotation::element : FreeRotation::global);
}

std::unique_ptr<DissipationTerm> make_variational(const Settings& settings, BodyAssembly& body) {
  if (body.num_tets() == 0)
    throw Error(Problem{settings.place(), fmt::format("variational damping of '{}', which has no tets", body.name()),
                        "a body of tets", "use rayleigh or laplacian"});
  const BodyAssembly::Variants variants = body.variants(settings);
  body.note(fmt::format("variational, viscosity {}{}",
                        describe_quantity(settings.number("viscosity"), Quantity::viscosity),
                        variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  return std::make_unique<VariationalDamping>(body.name(), body.batch(), variants.value("viscosity", body.num_tets()));
}

void add_pbd(const Settings& settings, BodyAssembly& body) {
  body.note(fmt::format("pbd, {}", describe_filter_gain(settings, "relative velocity")));
  const PbdDamping::Masses masses(body.element_masses().begin(), body.element_masses().end());
  body.add(
      std::make_unique<PbdDamping>(body.name(), masses, body.first_block(), body.num_nodes(), filter_gain(settings)));
}

}  // namespace

namespace models {

void laplacian(Registry& registry) {
  registry.add(
      {Category::damping,
       "laplacian",
       "\u03b1 M v + \u03b2 (L v \u2212 e): L is constant, so that projective dynamics damps for nothing; e is what is "
       "rotation",
       "LiLiuKavan2018",
       {parameter::real("alpha", "\u03b1", Quantity::rate, "mass-proportional; also damps flight and fall")
            .at_least(0)
            .by_region()
            .may_be_absent(),
        parameter::real("beta", "\u03b2", Quantity::time,
                        "times the Laplacian, whose weights are 2 \u03bc V of tets, k of springs")
            .at_least(0)
            .by_region()
            .may_be_absent(),
        parameter::choice(
            "keeps", {"linear", "element", "global"},
            "linear: momentum only, rotation is braked (the paper's form, one constant matrix); element: rotation "
            "of every element is free; global: rotation of the whole body is free")
            .or_else(R"("element")"),
        parameter::regions("other amounts for parts of the body")},
       one_damping(make_laplacian),
       "",
       check_laplacian,
       {R"({"model": "laplacian", "beta": "10 ms", "keeps": "linear"})",
        R"({"model": "laplacian", "beta": "10 ms", "keeps": "element"})",
        R"({"model": "laplacian", "beta": "10 ms", "keeps": "global"})",
        R"({"model": "laplacian", "alpha": "0.5 /s", "beta": "10 ms"})"}});
  registry.add(
      {Category::damping,
       "variational",
       "elastic energy whose rest pose is the start of the step, as viscosity; the law is ARAP",
       "KharevychEtAl2006",
       {parameter::real("viscosity", "\u03b7", Quantity::viscosity, "shear viscosity; c dt \u03bc in the paper's terms")
            .at_least(0)
            .by_region(),
        parameter::regions("other viscosities for parts of the body")},
       one_damping(make_variational),
       "",
       {},
       {R"({"model": "variational", "viscosity": "300 Pa s"})"}});
  registry.add({Category::damping,
                "pbd",
                "v \u2190 v + \u03b3 (v_cm + \u03c9 \u00d7 r \u2212 v) with \u03b3 = 1 \u2212 exp(\u2212r dt); keeps "
                "momenta, but "
                "sends motion through the whole body at once",
                "MullerHeidelbergerHennixRatcliff2007",
                filter_gain_parameters("motion relative to the rigid one"),
                BodyFactory(add_pbd),
                "",
                check_filter_gain,
                {R"({"model": "pbd", "rate": "3 /s"})", R"({"model": "pbd", "gamma_per_step": "10 %"})"}});
}

}  // namespace models
}  // namespace dashpot
