#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

std::vector<Parameter> force_parameters(std::vector<Parameter> more) {
  std::vector<Parameter> parameters{model("where", Category::where, "nodes that share the force equally"),
                                    vector3("force", "f", Quantity::force, "total force"),
                                    real("from", "", Quantity::time, "begins").or_else("0"),
                                    real("until", "", Quantity::time, "ends; left out: never").may_be_absent()};
  for (Parameter& parameter : more) parameters.push_back(std::move(parameter));
  return parameters;
}

void check_window(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("until") && settings.number("until") <= settings.number("from"))
    problems.push_back({settings.place("until"), "the load ends before it begins", "until > from"});
}

std::vector<Parameter> harmonic_parameters() {
  return {real("frequency", "f", Quantity::frequency, "cycles per second").above(0),
          real("phase", "\u03c6", Quantity::angle, "sin(2\u03c0 f t + \u03c6)").or_else("0")};
}

}  // namespace

void add_loads(Registry& registry) {
  registry.add({Category::load,
                "force",
                "a constant force on a node or a patch, in a window of time",
                "",
                force_parameters({}),
                {},
                "",
                check_window});
  registry.add({Category::load,
                "harmonic",
                "force \u00b7 sin(2\u03c0 f t + \u03c6), in a window of time",
                "",
                force_parameters(harmonic_parameters()),
                {},
                "",
                check_window});
}

void add_motions(Registry& registry) {
  std::vector<Parameter> parameters = harmonic_parameters();
  parameters.insert(parameters.begin(), vector3("amplitude", "A", Quantity::length, "displacement amplitude"));
  registry.add({Category::motion, "harmonic", "d(t) = A sin(2\u03c0 f t + \u03c6)", "", std::move(parameters), {}});
}

}  // namespace dashpot
