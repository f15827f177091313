// Dampings that remember: Maxwell elements, Prony series, Zener's solid, structural damping.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "dashpot/dissipation/loss_band.hpp"
#include "dashpot/dissipation/prony.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/memory_series.hpp"
#include "dashpot/scene/assembly/paint.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void require_tets(const Settings& settings, const BodyAssembly& body, const char* model) {
  if (body.num_tets() == 0)
    throw Error(Problem{settings.place(), fmt::format("{} damping of '{}', which has no tets", model, body.name()),
                        "a body of tets", "use prony, rayleigh or laplacian"});
}

std::unique_ptr<DissipationTerm> make_maxwell_model(const Settings& settings, BodyAssembly& body) {
  require_tets(settings, body, "maxwell");
  const BodyAssembly::Variants variants = body.variants(settings);
  const Paint paint = paint_of_solid(settings, body);
  body.note(fmt::format("maxwell, shear modulus {}, relaxation time {}{}{}",
                        describe_quantity(settings.number("modulus"), Quantity::pressure),
                        describe_quantity(settings.number("tau"), Quantity::time), describe(paint, settings),
                        variants.settings.size() > 1 ? ", other moduli in regions" : ""));
  PartwiseValue modulus = variants.value("modulus", body.num_tets());
  modulus.factors = paint.factors(body.num_tets());
  return with_location(settings.place(), [&] {
    return make_maxwell(body.name(), body.batch(), std::move(modulus), settings.number("tau"));
  });
}

/// 1 / m'(at): what is left at rest of moduli that hold at the frequency `at`; 1 where they hold at rest.
double share_at_rest(const std::vector<LossBranch>& branches, const Settings& settings) {
  return settings.has("at") ? 1 / modulus_factor(branches, settings.number("at")).storage : 1;
}

/// [Hz]; 0: at rest.
double frequency_of_moduli(const Settings& settings) { return settings.has("at") ? settings.number("at") : 0; }

std::string describe_rest(double share) {
  return share == 1 ? "" : fmt::format("; moduli at rest {:.4g} of those given", share);
}

// --- prony

std::vector<LossBranch> prony_branches(const Settings& settings) {
  std::vector<LossBranch> branches;
  for (const Settings& branch : settings.sections("branches"))
    branches.push_back({branch.number("share"), branch.number("tau")});
  return branches;
}

MemoryTerms make_prony(const Settings& settings, BodyAssembly& body) {
  const std::vector<LossBranch> branches = prony_branches(settings);
  std::string list;
  for (const LossBranch& branch : branches)
    list += fmt::format("{}{:.4g} of the moduli for {}", list.empty() ? "" : ", ", branch.share,
                        describe_quantity(branch.tau, Quantity::time));
  body.note(fmt::format("prony, {}{}{}{}", list, describe_rest(share_at_rest(branches, settings)),
                        describe(paint_of_solid(settings, body), settings),
                        describe_regions(settings, body, prony_branches, frequency_of_moduli(settings))));
  return make_series(settings, body, "prony", prony_branches, true);
}

// --- zener

std::vector<LossBranch> zener_branches(const Settings& settings) {
  return {zener_branch(settings.number("loss_factor"), settings.number("f"))};
}

MemoryTerms make_zener(const Settings& settings, BodyAssembly& body) {
  const std::vector<LossBranch> branches = zener_branches(settings);
  body.note(fmt::format("zener, loss factor at most {:.4g}, at {}: share {:.4g}, relaxation time {}{}{}",
                        settings.number("loss_factor"), describe_quantity(settings.number("f"), Quantity::frequency),
                        branches[0].share, describe_quantity(branches[0].tau, Quantity::time),
                        describe_rest(share_at_rest(branches, settings)),
                        describe_regions(settings, body, zener_branches, frequency_of_moduli(settings))));
  return make_series(settings, body, "zener", zener_branches, false);
}

// --- structural

/// The frequency at which the moduli asked for hold [Hz].
double structural_frequency(const Settings& settings) {
  return settings.has("at") ? settings.number("at") : std::sqrt(settings.number("from") * settings.number("to"));
}

LossBand structural_band(const Settings& settings) {
  return with_location(settings.place(), [&] {
    return constant_loss_factor(settings.number("loss_factor"), settings.number("from"), settings.number("to"));
  });
}

std::vector<LossBranch> structural_branches(const Settings& settings) { return structural_band(settings).branches; }

void check_structural(const Settings& settings, std::vector<Problem>& problems) {
  const double low = settings.number("from"), high = settings.number("to");
  if (!(high > low))
    problems.push_back({settings.place("to"), fmt::format("a band from {:g} to {:g} Hz", low, high), "to > from", ""});
  else if (settings.has("at") && !(settings.number("at") >= low && settings.number("at") <= high))
    problems.push_back({settings.place("at"), fmt::format("{:g} Hz", settings.number("at")),
                        fmt::format("a frequency of the band, {:g} <= at <= {:g} Hz", low, high), ""});
}

double structural_share_at_rest(const Settings& settings) {
  if (!(settings.number("to") > settings.number("from"))) return 1;  // the check refuses it
  return 1 / modulus_factor(structural_band(settings).branches, structural_frequency(settings)).storage;
}

MemoryTerms make_structural(const Settings& settings, BodyAssembly& body) {
  const LossBand band = structural_band(settings);
  body.note(fmt::format(
      "structural, loss factor {:.4g} from {} to {}: {} branches, within {:.2g} %; moduli grow by {:.3g} % over the "
      "band, are as given at {} and {:.4g} of that at rest{}",
      settings.number("loss_factor"), describe_quantity(settings.number("from"), Quantity::frequency),
      describe_quantity(settings.number("to"), Quantity::frequency), band.branches.size(), 100 * band.worst_error,
      100 * (band.stiffening - 1), describe_quantity(structural_frequency(settings), Quantity::frequency),
      structural_share_at_rest(settings),
      describe_regions(settings, body, structural_branches, structural_frequency(settings))));
  return make_series(settings, body, "structural", structural_branches, true);
}

Parameter at_frequency(const char* otherwise) {
  return parameter::real("at", "f\u2080", Quantity::frequency,
                         fmt::format("frequency at which the material's moduli are those given; {}", otherwise))
      .above(0)
      .may_be_absent();
}

void add_maxwell(Registry& registry) {
  registry.add(
      {Category::damping,
       "maxwell",
       "a spring and a dashpot in series on the deviator of the Green strain: stress relaxes with exp(\u2212t/\u03c4); "
       "losses peak at \u03c9 = 1/\u03c4",
       "SimoHughes1998",
       {parameter::real("modulus", "G", Quantity::pressure,
                        "shear modulus that acts beside the body's when it moves fast")
            .at_least(0)
            .by_region(),
        parameter::real("tau", "\u03c4", Quantity::time, "relaxation time").above(0), painted_parameter("G"),
        parameter::regions("other moduli for parts of the body")},
       one_damping(make_maxwell_model),
       "",
       {},
       {R"({"model": "maxwell", "modulus": "20 kPa", "tau": "50 ms"})"},
       true});
}

void add_prony(Registry& registry) {
  ModelEntry entry{
      Category::damping,
      "prony",
      "generalized Maxwell series: branches of a spring and a dashpot in series beside everything elastic of the body; "
      "complex moduli C (1 + \u03a3 g\u2096 i\u03c9\u03c4\u2096/(1 + i\u03c9\u03c4\u2096))",
      "SimoHughes1998",
      {parameter::list(
           "branches",
           parameter::object_type({parameter::real("share", "g", Quantity::ratio, "of the body's moduli").at_least(0),
                                   parameter::real("tau", "\u03c4", Quantity::time, "relaxation time").above(0)}),
           "shares and relaxation times")
           .sized(1, 64)
           .by_region(),
       at_frequency("left out: at rest"), painted_parameter("the shares"),
       parameter::regions("other branches for parts of a solid")},
      DampingFactory(make_prony),
      "",
      {},
      {R"({"model": "prony", "branches": [{"share": 0.4, "tau": "50 ms"}, {"share": "20 %", "tau": "3 ms"}]})"}};
  entry.share_at_rest = [](const Settings& settings) { return share_at_rest(prony_branches(settings), settings); };
  registry.add(std::move(entry));
}

void add_zener(Registry& registry) {
  ModelEntry entry{Category::damping,
                   "zener",
                   "standard linear solid: one branch, from its largest loss factor and the frequency of that peak",
                   "SimoHughes1998",
                   {parameter::real("loss_factor", "\u03b7", Quantity::ratio, "at the peak; twice the damping ratio")
                        .at_least(0)
                        .by_region(),
                    parameter::real("f", "f", Quantity::frequency, "frequency of the peak").above(0).by_region(),
                    at_frequency("left out: at rest"), parameter::regions("other peaks for parts of a solid")},
                   DampingFactory(make_zener),
                   "",
                   {},
                   {R"({"model": "zener", "loss_factor": 0.2, "f": "5 Hz"})"}};
  entry.share_at_rest = [](const Settings& settings) { return share_at_rest(zener_branches(settings), settings); };
  registry.add(std::move(entry));
}

void add_structural(Registry& registry) {
  ModelEntry entry{
      Category::damping,
      "structural",
      "structural (hysteretic) damping: one loss factor, the same over a band of frequencies, by a Prony series two "
      "branches a decade",
      "SimoHughes1998",
      {parameter::real("loss_factor", "\u03b7", Quantity::ratio, "twice the damping ratio of every mode in the band")
           .at_least(0)
           .below(1)
           .by_region(),
       parameter::real("from", "f\u2081", Quantity::frequency, "lowest frequency of the band").above(0),
       parameter::real("to", "f\u2082", Quantity::frequency, "highest frequency of the band").above(0),
       at_frequency("left out: the geometric mean of the band"),
       parameter::regions("other loss factors for parts of a solid")},
      DampingFactory(make_structural),
      "",
      check_structural,
      {R"({"model": "structural", "loss_factor": 0.1, "from": "1 Hz", "to": "100 Hz"})"}};
  entry.share_at_rest = structural_share_at_rest;
  registry.add(std::move(entry));
}

}  // namespace

namespace models {

void memory(Registry& registry) {
  add_maxwell(registry);
  add_prony(registry);
  add_zener(registry);
  add_structural(registry);
}

}  // namespace models
}  // namespace dashpot
