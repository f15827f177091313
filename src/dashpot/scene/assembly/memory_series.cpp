#include "dashpot/scene/assembly/memory_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/dissipation/prony.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/paint.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

/// The branches of all parts of a body: those of one relaxation time are one branch, whose share depends on the part
/// and is zero where a part has none of them.
std::vector<PronyBranch> branches_by_region(const std::vector<std::vector<LossBranch>>& of_variant,
                                            const BodyAssembly::Variants& variants, bool is_list) {
  std::vector<PronyBranch> series;
  std::vector<std::vector<int>> value_of_variant;  // by branch: which value a variant has; -1: none
  for (std::size_t v = 0; v < of_variant.size(); ++v)
    for (std::size_t k = 0; k < of_variant[v].size(); ++k) {
      const std::string prefix = variants.prefix(v) + (is_list ? fmt::format("branches/{}/", k) : "");
      std::size_t b = 0;
      while (b < series.size() && (series[b].tau != of_variant[v][k].tau || value_of_variant[b][v] >= 0)) ++b;
      if (b == series.size()) {
        series.push_back({PartwiseValue(), of_variant[v][k].tau, "share", prefix + "tau"});
        series.back().share.values.clear();
        series.back().share.names.clear();
        value_of_variant.emplace_back(of_variant.size(), -1);
      }
      value_of_variant[b][v] = static_cast<int>(series[b].share.values.size());
      series[b].share.values.push_back(of_variant[v][k].share);
      series[b].share.names.push_back(prefix);
    }
  for (std::size_t b = 0; of_variant.size() > 1 && b < series.size(); ++b)
    for (const int variant : variants.of_tet) {
      const int value = value_of_variant[b][static_cast<std::size_t>(variant)];
      series[b].share.of_element.push_back(std::max(value, 0));
      series[b].share.factors.push_back(value >= 0 ? 1 : 0);
    }
  return series;
}

void paint_shares(const Paint& paint, std::vector<PronyBranch>& series, int num_tets) {
  const std::vector<double> factors = paint.factors(num_tets);
  for (PronyBranch& branch : series) {
    std::vector<double>& own = branch.share.factors;
    if (own.empty())
      own = factors;
    else
      for (std::size_t e = 0; e < factors.size(); ++e) own[e] *= factors[e];
  }
}

}  // namespace

MemoryTerms make_series(const Settings& settings, BodyAssembly& body, const std::string& model,
                        const BranchesOf& branches_of, bool is_list) {
  return with_location(settings.place(), [&] {
    MemoryTerms terms;
    const BodyAssembly::Variants variants = body.variants(settings);
    std::vector<std::vector<LossBranch>> of_variant;
    bool is_empty = true;
    for (const Settings& variant : variants.settings) {
      of_variant.push_back(branches_of(variant));
      is_empty = is_empty && of_variant.back().empty();
    }
    if (is_empty) return terms;
    const Paint paint = paint_of_solid(settings, body);
    for (const ModuliSource* source : body.moduli_sources()) {
      const Moduli::Kind kind = source->moduli().kind;
      const bool is_solid = kind == Moduli::Kind::lame || kind == Moduli::Kind::solid;
      std::vector<PronyBranch> series = is_solid ? branches_by_region(of_variant, variants, is_list)
                                                 : branches_by_region({of_variant.front()}, variants, is_list);
      if (is_solid) paint_shares(paint, series, body.num_tets());
      if (series.empty()) continue;
      terms.push_back(std::make_unique<PronySeries>(kind == Moduli::Kind::hinge ? model + "_bending" : model,
                                                    body.name(), *source, std::move(series)));
    }
    if (body.moduli_sources().empty())
      throw Error(Problem{"", fmt::format("{} damping of '{}', which has nothing elastic", model, body.name()),
                          "a body with a material or springs", ""});
    return terms;
  });
}

std::string describe_regions(const Settings& settings, const BodyAssembly& body, const BranchesOf& branches_of,
                             double at) {
  const BodyAssembly::Variants variants = body.variants(settings);
  if (variants.settings.size() == 1) return "";
  std::string text = ", other amounts in regions";
  if (!(at > 0)) return text;
  const double whole = modulus_factor(branches_of(settings), at).storage;
  for (std::size_t v = 1; v < variants.settings.size(); ++v)
    text += fmt::format("{} {:.4g}", v == 1 ? ", whose moduli there are" : ",",
                        modulus_factor(branches_of(variants.settings[v]), at).storage / whole);
  return text + " of those given";
}

}  // namespace dashpot
