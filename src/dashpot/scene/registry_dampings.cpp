#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

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

void check_ether_drag(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("rate") == settings.has("gamma_per_step"))
    problems.push_back({settings.place(),
                        settings.has("rate") ? "both rate and gamma_per_step" : "neither rate nor gamma_per_step",
                        "\"rate\" [1/s] (independent of dt) or \"gamma_per_step\" (the papers' form)"});
}

}  // namespace

void add_dampings(Registry& registry) {
  const Type zeta_point =
      object_type({real("f", "f", Quantity::frequency, "frequency where this ratio is wanted").above(0).may_be_absent(),
                   integer("mode", "", "or the number of a vibration mode, from 1").at_least(1).may_be_absent(),
                   real("zeta", "\u03b6", Quantity::ratio, "damping ratio")
                       .at_least(0)
                       .below(1)
                       .advise("2 % is written 0.02 or \"2 %\"")
                       .doubt_outside(0, 0.7, "nearly critical: the body will hardly swing")});
  registry.add(
      {Category::damping,
       "rayleigh",
       "C = \u03b1 M + \u03b2 K; \u03b6(f) = \u03b1/(2\u03c9) + \u03b2\u03c9/2",
       "Rayleigh1877",
       {real("alpha", "\u03b1", Quantity::rate, "mass-proportional; also damps flight and fall")
            .at_least(0)
            .by_region()
            .may_be_absent(),
        real("beta", "\u03b2", Quantity::time, "stiffness-proportional").at_least(0).by_region().may_be_absent(),
        list("zeta", zeta_point, "damping ratio at one or two frequencies or modes")
            .sized(1, 2)
            .by_region()
            .may_be_absent(),
        choice("share", {"flattest", "stiffness_only", "mass_only"}, "how one zeta is shared between \u03b1 and \u03b2")
            .or_else(R"("flattest")"),
        choice("stiffness", {"rest", "lagged", "gauss_newton"},
               "which K: rest shape (damps rotation), projected tangent at the start of the step, or the part blind to "
               "rigid motion")
            .or_else(R"("lagged")"),
        regions("other amounts for parts of the body")},
       {},
       "",
       check_rayleigh});
  registry.add(
      {Category::damping,
       "ether_drag",
       "v \u2190 (1 \u2212 \u03b3) v with \u03b3 = 1 \u2212 exp(\u2212r dt); brakes every motion, flight included",
       "",
       {real("rate", "r", Quantity::rate, "rate of decay of velocities").at_least(0).may_be_absent(),
        real("gamma_per_step", "\u03b3", Quantity::ratio, "fraction of velocity removed in each step; depends on dt")
            .at_least(0)
            .at_most(1)
            .may_be_absent()},
       {},
       "",
       check_ether_drag});
}

}  // namespace dashpot
