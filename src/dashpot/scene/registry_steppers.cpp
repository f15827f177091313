#include "dashpot/integrate/stepper.hpp"
#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

StepperFactory plain(StepperKind kind) {
  return [kind](const Settings&) {
    StepperOptions options;
    options.kind = kind;
    return options;
  };
}

StepperOptions newmark(const Settings& settings) {
  StepperOptions options;
  options.kind = StepperKind::newmark;
  options.newmark_beta = settings.number("beta");
  options.newmark_gamma = settings.number("gamma");
  return options;
}

StepperOptions generalized_alpha(const Settings& settings) {
  StepperOptions options;
  options.kind = StepperKind::generalized_alpha;
  options.rho_inf = settings.number("rho_inf");
  return options;
}

void warn_of_newmark(const Settings& settings, std::vector<Problem>& problems) {
  const double beta = settings.number("beta"), gamma = settings.number("gamma");
  if (2 * beta < gamma)
    problems.push_back({settings.place("beta"), "beta < gamma / 2: stable only for small steps", "beta >= gamma / 2",
                        "use beta = (gamma + 1/2)^2 / 4 for the largest high-frequency loss",
                        Problem::Severity::warning});
}

}  // namespace

void add_steppers(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, const char* reference, StepperKind kind) {
    registry.add({Category::stepper, name, meaning, reference, {}, plain(kind)});
  };
  add("symplectic_euler", "explicit, order 1, no numerical damping while stable; needs lumped mass",
      "HairerLubichWanner2006", StepperKind::symplectic_euler);
  add("leapfrog", "explicit, order 2, no numerical damping while stable; needs lumped mass", "HairerLubichWanner2006",
      StepperKind::leapfrog);
  add("backward_euler", "implicit, order 1, strong numerical damping", "BaraffWitkin1998", StepperKind::backward_euler);
  add("bdf2", "implicit, order 2, moderate numerical damping of high frequencies", "HairerWanner1996",
      StepperKind::bdf2);
  add("trapezoid", "implicit, order 2, no numerical damping of linear systems", "Newmark1959", StepperKind::trapezoid);
  add("midpoint", "implicit, order 2, no numerical damping of linear systems, keeps angular momentum",
      "HairerLubichWanner2006", StepperKind::midpoint);
  add("bathe", "implicit, order 2, two solves a step, damps only what the step cannot resolve", "Bathe2007",
      StepperKind::bathe);
  registry.add({Category::stepper,
                "newmark",
                "implicit family; gamma = 1/2 is order 2, more dissipates and is order 1",
                "Newmark1959",
                {real("beta", "\u03b2", Quantity::number, "displacement weight of the end acceleration")
                     .above(0)
                     .at_most(1)
                     .or_else("0.25"),
                 real("gamma", "\u03b3", Quantity::number, "velocity weight of the end acceleration")
                     .at_least(0.5)
                     .at_most(1)
                     .or_else("0.5")
                     .advise("less than 1/2 creates energy")},
                StepperFactory(newmark),
                "",
                warn_of_newmark});
  registry.add({Category::stepper,
                "generalized_alpha",
                "implicit, order 2, chosen loss at infinite frequency",
                "ChungHulbert1993",
                {real("rho_inf", "\u03c1\u221e", Quantity::number,
                      "spectral radius at infinite frequency: 1 keeps all, 0 kills it in one step")
                     .at_least(0)
                     .at_most(1)
                     .or_else("0.8")},
                StepperFactory(generalized_alpha)});
}

}  // namespace dashpot
