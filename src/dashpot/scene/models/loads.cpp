#include <memory>

#include "dashpot/constraint/loads.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

std::vector<Parameter> force_parameters(std::vector<Parameter> more) {
  std::vector<Parameter> parameters{
      parameter::model("where", Category::where, "nodes that share the force equally"),
      parameter::vector3("force", "f", Quantity::force, "total force"),
      parameter::real("from", "", Quantity::time, "begins").or_else("0"),
      parameter::real("until", "", Quantity::time, "ends; left out: never").may_be_absent(),
      parameter::real("ramp", "", Quantity::time, "linear rise and fall within the window").at_least(0).or_else("0")};
  for (Parameter& parameter : more) parameters.push_back(std::move(parameter));
  return parameters;
}

void check_window(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("until") && settings.number("until") <= settings.number("from"))
    problems.push_back({settings.place("until"), "the load ends before it begins", "until > from"});
}

std::vector<Parameter> harmonic_parameters() {
  return {parameter::real("frequency", "f", Quantity::frequency, "cycles per second").above(0),
          parameter::real("phase", "\u03c6", Quantity::angle, "sin(2\u03c0 f t + \u03c6)").or_else("0")};
}

TimeCourse window_of(const Settings& settings) {
  TimeCourse course;
  course.start = settings.number("from");
  if (settings.has("until")) course.end = settings.number("until");
  course.ramp = settings.number("ramp");
  return course;
}

std::unique_ptr<ExternalLoad> shared_force(const Settings& settings, const BodyAssembly& body,
                                           const TimeCourse& course) {
  std::vector<int> blocks = select_nodes(settings.model("where", Category::where), body.mesh());
  const std::vector<double> weights(blocks.size(), 1.0 / static_cast<double>(blocks.size()));
  for (int& block : blocks) block += body.first_block();
  return std::make_unique<NodeForce>(std::move(blocks), weights, settings.vec3("force"), course);
}

std::unique_ptr<ExternalLoad> constant_force(const Settings& settings, const BodyAssembly& body) {
  return shared_force(settings, body, window_of(settings));
}

std::unique_ptr<ExternalLoad> harmonic_force(const Settings& settings, const BodyAssembly& body) {
  TimeCourse course = window_of(settings);
  course.harmonic = true;
  course.frequency = settings.number("frequency");
  course.phase = settings.number("phase");
  return shared_force(settings, body, course);
}

}  // namespace

namespace models {

void loads(Registry& registry) {
  registry.add({Category::load, "force", "a constant force on a node or a patch, in a window of time", "",
                force_parameters({}), LoadFactory(constant_force), "", check_window});
  registry.add({Category::load, "harmonic", "force \u00b7 sin(2\u03c0 f t + \u03c6), in a window of time", "",
                force_parameters(harmonic_parameters()), LoadFactory(harmonic_force), "", check_window});
}

}  // namespace models
}  // namespace dashpot
