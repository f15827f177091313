// Rate-independent hysteresis of springs, solids and sheets.

#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/bouc_wen.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

std::vector<std::unique_ptr<DissipationTerm>> make_bouc_wen(const Settings& settings, BodyAssembly& body) {
  return with_location(settings.place(), [&] {
    std::vector<std::unique_ptr<DissipationTerm>> terms;
    for (const ModuliSource* source : body.moduli_sources()) {
      const Moduli::Kind kind = source->moduli().kind;
      const bool bends = kind == Moduli::Kind::hinge;
      if (kind == Moduli::Kind::line && source->shared_batch()->nodes_per_element() != 2) continue;
      if (!settings.has(bends ? "angle" : "strain")) continue;
      const BoucWenOptions options{settings.number("share"), settings.number(bends ? "angle" : "strain"),
                                   settings.integer("exponent"), settings.number("delta"),
                                   settings.text("tangent") == "exact"};
      terms.push_back(
          std::make_unique<BoucWen>(bends ? "bouc_wen_bending" : "bouc_wen", body.name(), *source, options));
      body.note(fmt::format(
          "bouc_wen, {:.4g} of the stiffness in {}, yields at {}, exponent {}, delta {:.4g}", options.share,
          bends                        ? "bending"
          : kind == Moduli::Kind::line ? "springs"
                                       : "strain",
          bends ? describe_quantity(options.yield, Quantity::angle) : fmt::format("a strain of {:.4g}", options.yield),
          options.exponent, options.delta));
    }
    if (terms.empty())
      throw Error(Problem{"", fmt::format("bouc_wen damping of '{}' has nothing to act on", body.name()),
                          "springs, a solid or a sheet and a \"strain\", or a sheet that bends by angle and an "
                          "\"angle\"",
                          ""});
    return terms;
  });
}

void check_bouc_wen(const Settings& settings, std::vector<Problem>& problems) {
  if (!settings.has("strain") && !settings.has("angle"))
    problems.push_back({settings.place(), "neither \"strain\" nor \"angle\"",
                        "where it yields: a strain of springs, solids and sheets, an angle of hinges, or both", ""});
}

}  // namespace

namespace models {

void hysteresis(Registry& registry) {
  ModelEntry entry{
      Category::damping,
      "bouc_wen",
      "hysteresis: a spring and a slider in series, whose loss a cycle depends on the amplitude and not on the speed; "
      "exponent 1 and delta 1, as solids and sheets have it in strain: Dahl friction",
      "Wen1976",
      {parameter::real("share", "g", Quantity::ratio, "of the stiffness, for small motions").at_least(0),
       parameter::real(
           "strain", "z\u2080", Quantity::ratio,
           "at which springs (length over rest length) and the strain of solids and sheets (its size) yield")
           .above(0)
           .may_be_absent(),
       parameter::real("angle", "z\u2080", Quantity::angle, "at which hinges yield").above(0).may_be_absent(),
       parameter::integer("exponent", "n", "1: yields gradually; 2: more sharply").at_least(1).at_most(2).or_else("1"),
       parameter::real("delta", "\u03b4", Quantity::number, "0: unloads as an elastic spring does; 1: Dahl")
           .at_least(0)
           .at_most(1)
           .or_else("1"),
       parameter::choice("tangent", {"exact", "symmetric"},
                         "of solids and sheets, for Newton. exact: fewest iterations, a matrix that is not symmetric; "
                         "symmetric: for Cholesky or CG")
           .or_else("\"symmetric\"")},
      DampingFactory(make_bouc_wen),
      "",
      check_bouc_wen,
      {R"({"model": "bouc_wen", "share": 0.3, "angle": "0.05 rad"})",
       R"({"model": "bouc_wen", "share": 0.3, "strain": "2 %"})",
       R"({"model": "bouc_wen", "share": 0.3, "strain": "2 %", "tangent": "exact"})"}};
  entry.is_for_sheets = true;
  registry.add(std::move(entry));
}

}  // namespace models
}  // namespace dashpot
