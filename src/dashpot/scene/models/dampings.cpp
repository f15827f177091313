#include <fmt/format.h>

#include <memory>

#include "dashpot/analysis/rayleigh_fit.hpp"
#include "dashpot/dissipation/ether_drag.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/filter_amount.hpp"
#include "dashpot/scene/assembly/paint.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void check_rayleigh(const Settings& settings, std::vector<Problem>& problems) {
  const bool coefficients = settings.has("alpha") || settings.has("beta");
  const auto one_of_two = [&](const Settings& at, bool is_override) {
    const bool zeta = at.has("zeta"), direct = at.has("alpha") || at.has("beta");
    if (zeta && direct)
      problems.push_back({at.place("zeta"), "zeta together with alpha or beta", "one way of saying how much",
                          "remove one of the two"});
    if (!zeta && !direct && !is_override)
      problems.push_back({at.place(), "no amount of damping", "\"alpha\" and/or \"beta\", or \"zeta\"",
                          "for example \"zeta\": [{\"f\": \"2 Hz\", \"zeta\": 0.02}]"});
  };
  one_of_two(settings, false);
  if (settings.has("regions"))
    for (const Settings& region : settings.sections("regions")) {
      one_of_two(region, true);
      if (region.has("zeta") == coefficients && (region.has("zeta") || region.has("alpha") || region.has("beta")))
        problems.push_back({region.place(), "a region that says its damping in another way than the body",
                            "the same parameters as the body", coefficients ? "use alpha and beta" : "use zeta"});
    }
  if (!settings.has("zeta")) return;
  for (const Settings& point : settings.sections("zeta"))
    if (point.has("f") == point.has("mode"))
      problems.push_back({point.place(), point.has("f") ? "both f and mode" : "neither f nor mode",
                          "a frequency \"f\" or a number \"mode\""});
}

/// Frequencies of a zeta list, modes looked up.
std::vector<analysis::DampingPoint> wanted_ratios(const Settings& settings, BodyAssembly& body) {
  std::vector<analysis::DampingPoint> points;
  for (const Settings& point : settings.sections("zeta"))
    points.push_back(
        {point.has("f") ? point.number("f") : body.mode(point.integer("mode")).frequency, point.number("zeta")});
  return points;
}

analysis::RayleighCoefficients coefficients_from(const Settings& amounts, const std::string& share_name,
                                                 BodyAssembly& body) {
  analysis::RayleighCoefficients result;
  if (!amounts.has("zeta")) {
    if (amounts.has("alpha")) result.alpha = amounts.number("alpha");
    if (amounts.has("beta")) result.beta = amounts.number("beta");
    return result;
  }
  return with_location(amounts.place("zeta"), [&] {
    const std::vector<analysis::DampingPoint> points = wanted_ratios(amounts, body);
    if (points.size() == 2) return analysis::rayleigh_from_two_points(points[0], points[1]);
    const analysis::RayleighShare share = share_name == "stiffness_only" ? analysis::RayleighShare::stiffness_only
                                          : share_name == "mass_only"    ? analysis::RayleighShare::mass_only
                                                                         : analysis::RayleighShare::flattest;
    return analysis::rayleigh_from_point(points[0], share);
  });
}

StiffnessPart part_of(const std::string& name) {
  return name == "rest"                ? StiffnessPart::rest
         : name == "projected_tangent" ? StiffnessPart::projected_tangent
                                       : StiffnessPart::gauss_newton;
}

/// Springs and point masses follow the tets in the sources; regions choose tets only.
std::unique_ptr<DissipationTerm> make_rayleigh(const Settings& settings, BodyAssembly& body) {
  const std::string& share = settings.text("share");
  const BodyAssembly::Variants parts = body.variants(settings);
  std::vector<analysis::RayleighCoefficients> coefficients;
  for (const Settings& part : parts.settings) coefficients.push_back(coefficients_from(part, share, body));
  const analysis::RayleighCoefficients& whole = coefficients.front();
  const int num_masses = body.mass_source().num_elements(), num_elements = body.stiffness_source().num_elements();
  PartwiseValue alpha = parts.value("alpha", num_masses), beta = parts.value("beta", num_elements);
  if (settings.has("zeta")) {
    std::vector<double> alphas, betas;
    for (const analysis::RayleighCoefficients& part : coefficients) {
      alphas.push_back(part.alpha);
      betas.push_back(part.beta);
    }
    alpha = parts.value(alphas, num_masses);
    beta = parts.value(betas, num_elements);
  }
  const Paint paint = paint_of_solid(settings, body);
  alpha.factors = paint.factors(num_masses);
  beta.factors = paint.factors(num_elements);
  body.note(fmt::format("rayleigh, alpha {}, beta {}, {} stiffness{}{}", describe_quantity(whole.alpha, Quantity::rate),
                        describe_quantity(whole.beta, Quantity::time), settings.text("stiffness"),
                        describe(paint, settings), coefficients.size() > 1 ? ", other amounts in regions" : ""));
  return std::make_unique<Rayleigh>(body.name(), &body.mass_source(), std::move(alpha), &body.stiffness_source(),
                                    std::move(beta), part_of(settings.text("stiffness")));
}

void add_ether_drag(const Settings& settings, BodyAssembly& body) {
  body.note(fmt::format("ether_drag, {}", describe_filter_gain(settings, "velocity")));
  body.add(std::make_unique<EtherDrag>(body.name(), body.first_block(), body.num_nodes(), filter_gain(settings)));
}

}  // namespace

namespace models {

void dampings(Registry& registry) {
  const ValueType zeta_point = parameter::object_type(
      {parameter::real("f", "f", Quantity::frequency, "frequency where this ratio is wanted").above(0).may_be_absent(),
       parameter::integer("mode", "", "or the number of a vibration mode, from 1").at_least(1).may_be_absent(),
       parameter::real("zeta", "\u03b6", Quantity::ratio, "damping ratio")
           .at_least(0)
           .below(1)
           .advise("2 % is written 0.02 or \"2 %\"")
           .doubt_outside(0, 0.7, "nearly critical: the body will hardly swing")});
  registry.add(
      {Category::damping,
       "rayleigh",
       "C = \u03b1 M + \u03b2 K; \u03b6(f) = \u03b1/(2\u03c9) + \u03b2\u03c9/2",
       "Rayleigh1877",
       {parameter::real("alpha", "\u03b1", Quantity::rate, "mass-proportional; also damps flight and fall")
            .at_least(0)
            .by_region()
            .may_be_absent(),
        parameter::real("beta", "\u03b2", Quantity::time, "stiffness-proportional")
            .at_least(0)
            .by_region()
            .may_be_absent(),
        parameter::list("zeta", zeta_point, "damping ratio at one or two frequencies or modes")
            .sized(1, 2)
            .by_region()
            .may_be_absent(),
        parameter::choice("share", {"flattest", "stiffness_only", "mass_only"},
                          "how one zeta is shared between \u03b1 and \u03b2")
            .or_else(R"("stiffness_only")"),
        parameter::choice(
            "stiffness", {"rest", "projected_tangent", "gauss_newton"},
            "which K: rest shape (damps rotation), projected tangent at the start of the step, or the part blind to "
            "rigid motion")
            .or_else(R"("gauss_newton")"),
        painted_parameter("\u03b1 and \u03b2"), parameter::regions("other amounts for parts of the body")},
       one_damping(make_rayleigh),
       "",
       check_rayleigh,
       {R"({"model": "rayleigh", "alpha": "0.5 /s"})", R"({"model": "rayleigh", "beta": "10 ms", "stiffness": "rest"})",
        R"({"model": "rayleigh", "beta": "10 ms", "stiffness": "projected_tangent"})",
        R"({"model": "rayleigh", "beta": "10 ms", "stiffness": "gauss_newton"})",
        R"({"model": "rayleigh", "zeta": [{"f": "5 Hz", "zeta": "2 %"}, {"f": "50 Hz", "zeta": "2 %"}]})"}});
  registry.add(
      {Category::damping,
       "ether_drag",
       "v \u2190 (1 \u2212 \u03b3) v with \u03b3 = 1 \u2212 exp(\u2212r dt); brakes every motion, flight included",
       "",
       filter_gain_parameters("velocity"),
       BodyFactory(add_ether_drag),
       "",
       check_filter_gain,
       {R"({"model": "ether_drag", "rate": "3 /s"})"}});
}

}  // namespace models
}  // namespace dashpot
