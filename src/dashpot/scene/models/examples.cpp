#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/damping_base.hpp"
#include "dashpot/scene/assembly/damping_examples.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void check_examples(const Settings& settings, std::vector<Problem>& problems) {
  for (const Settings& example : settings.sections("examples")) {
    const int ways = example.has("gamma") + example.has("curve") + example.has("preset");
    if (ways != 1)
      problems.push_back({example.place(), ways == 0 ? "no gain" : "more than one way of giving the gain",
                          "one of \"gamma\" (a number), \"curve\" and \"preset\""});
    const ModelSpec pose = example.model("shape", Category::start);
    if (!pose.settings.vec3("velocity").isZero(0) || !pose.settings.vec3("angular_velocity").isZero(0))
      problems.push_back({pose.settings.place(), "an example with a velocity", "a shape alone", "remove the velocity"});
    if (ways != 1) continue;
    try {
      make_gain(example);
    } catch (const Error& error) {
      for (Problem problem : error.problems()) {
        problem.place = example.place(example.has("curve") ? "curve" : example.has("preset") ? "preset" : "gamma");
        problems.push_back(std::move(problem));
      }
    }
  }
}

std::string gains_text(const std::vector<DampingExample>& examples) {
  std::string text;
  for (const DampingExample& example : examples) {
    const std::vector<math::GainCurve::Point>& knots = example.gain.knots();
    text += fmt::format("{}{} \u00d7{:.4g}", text.empty() ? "" : ", ", example.name, knots.front().gamma);
    if (!example.gain.is_constant()) text += fmt::format(" to \u00d7{:.4g}", knots.back().gamma);
  }
  return text;
}

bool depends_on_place(const ExampleBasedOptions& options) {
  return options.input == GainInput::displacement || (options.isotropic && !options.isotropic->curve.is_constant());
}

/// Whether a body that is held has an equilibrium of its own, other than rest: something pulls it at time zero.
bool is_loaded(const BodyAssembly& body) {
  if (body.spec().pins.empty()) return false;
  if (body.scene().gravity.norm() > 0) return true;
  Vector force = Vector::Zero(body.system_dofs());
  for (const ModelSpec& load : body.spec().loads)
    std::get<LoadFactory>(load.entry->factory)(load.settings, body)->add_force(0, force);
  return !force.isZero(0);
}

/// Positions of all dofs; those of other bodies are zero, as in rest_of().
Vector equilibrium_of(BodyAssembly& body) {
  const JsonValue plain =
      parse_json(R"({"from": "equilibrium", "loads": [], "gravity": true, "lasting_loads": true})", "").value;
  const auto document = std::make_shared<SceneDocument>(SceneDocument{"", "", plain});
  const ModelEntry& entry = *registry().find(Category::start, "equilibrium");
  const std::vector<Vec3> nodes = std::get<StartFactory>(entry.factory)(Settings(document, document->value, ""), body);
  Vector positions = rest_of(body);
  for (int i = 0; i < body.num_nodes(); ++i)
    positions.segment<3>(3 * (body.first_block() + i)) = nodes[static_cast<std::size_t>(i)];
  return positions;
}

std::unique_ptr<DissipationTerm> make_example_based(const Settings& settings, BodyAssembly& body) {
  DampingBase base = make_damping_base(settings, body);
  std::vector<DampingExample> examples = make_damping_examples(settings, body);
  ExampleBasedOptions options = example_options(settings, body, base.term->traits().constant);
  std::string counted;
  if (settings.text("counted_from") == "equilibrium" && depends_on_place(options) && is_loaded(body)) {
    try {
      options.origin = equilibrium_of(body);
      counted = ", amplitudes counted from the equilibrium";
    } catch (const Error&) {  // a body that swings about a hinge is damped all the same
      counted = ", amplitudes counted from the rest shape (no equilibrium was found)";
    }
  }
  body.note(fmt::format("example_based on the line above, {} coupling: {}{}", settings.text("coupling"),
                        gains_text(examples), (options.isotropic ? ", all scaled by amplitude" : "") + counted));
  return with_location(settings.place("examples"), [&] {
    return std::make_unique<ExampleBased>(body.name(), std::move(base.term), base.C, body.mass_source(), rest_of(body),
                                          body.first_block(), body.num_nodes(), std::move(examples),
                                          std::move(options));
  });
}

Parameter interpolation() {
  return parameter::choice("interpolation", {"linear", "monotone", "bezier"},
                           "between the points, in log10 \u03b3; bezier: knot, handle, handle, knot, ...")
      .or_else(R"("monotone")");
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const math::GainCurve::Preset& preset : math::GainCurve::presets()) names.push_back(preset.name);
  return names;
}

Parameter gain() {
  return parameter::real("gamma", "\u03b3", Quantity::number, "gain: 1 leaves the damping, 3 triples it, 0 removes it")
      .at_least(0)
      .at_most(math::GainCurve::largest);
}

}  // namespace

namespace models {

void examples(Registry& registry) {
  const ValueType row = parameter::list_type(parameter::real_type(Quantity::number), 2, 2);
  const ValueType example = parameter::object_type(
      {parameter::text("name", "for tables and messages"),
       parameter::model("shape", Category::start,
                        "the deformation, as a pose to start from; its size is what \u03c7 = 1 means"),
       parameter::boolean(
           "relaxed",
           "take the static, linearized form of the shape: what the load M x bends the rest shape to, scaled to the "
           "same largest displacement. It holds the slow part of the shape, which is what is seen to vibrate")
           .or_else("false"),
       gain().may_be_absent(),
       parameter::list(
           "curve", row,
           "points [|\u03c7|, \u03b3], or [|\u03c7\u0307| in 1/s, \u03b3] where it depends on velocity; constant "
           "outside")
           .sized(1, 1000)
           .may_be_absent(),
       interpolation(),
       parameter::object(
           "preset",
           {parameter::choice("name", preset_names(), "see docs/theory/example_based.md"),
            parameter::real("amplitude", "", Quantity::number, "|\u03c7| (or |\u03c7\u0307|) the preset is scaled to")
                .above(0)
                .or_else("1"),
            parameter::real("strength", "", Quantity::number, "gain at its strong end")
                .at_least(math::GainCurve::smallest)
                .at_most(math::GainCurve::largest)},
           "a ready-made curve")
           .may_be_absent()});
  const ValueType point = parameter::object_type(
      {parameter::real("size", "", Quantity::length, "size of the displacement").at_least(0), gain().above(0)});
  registry.add(
      {Category::damping,
       "example_based",
       "C with a gain \u03b3 along each example deformation; everything C-orthogonal to them is left as it is",
       "XuBarbic2017",
       {parameter::model("over", Category::damping, "the damping C that is changed, e.g. rayleigh"),
        parameter::list("examples", example, "deformations and their gains").sized(1, 200),
        parameter::choice(
            "coupling", {"lowdin", "nonnegative", "symmetrized", "raw"},
            "how examples that are not C-orthogonal share: lowdin is passive and bounded; nonnegative is the paper's "
            "fix; raw and symmetrized can create energy")
            .or_else(R"("lowdin")"),
        parameter::choice("depends_on", {"displacement", "velocity"}, "what curves depend on")
            .or_else(R"("displacement")"),
        parameter::object(
            "isotropic",
            {parameter::list("curve", point, "points of the gain of everything").sized(1, 1000), interpolation(),
             parameter::choice(
                 "norm", {"mass_rms", "euclidean"},
                 "size of the displacement: mass-weighted rms, or the paper's sum over nodes, which grows with "
                 "their number")
                 .or_else(R"("mass_rms")")},
            "a gain of the whole damping by amplitude")
            .may_be_absent(),
        parameter::choice(
            "counted_from", {"equilibrium", "rest"},
            "where displacements are zero: the static balance with gravity and the loads that last, for a body that "
            "is held; or the rest shape")
            .or_else(R"("equilibrium")"),
        parameter::choice(
            "frame", {"automatic", "fixed", "corotated", "local"},
            "fixed: examples stay as at rest; corotated: they turn with the whole body; local: each part turns with "
            "the material around it; automatic: local, and fixed where the damping is that of the rest shape")
            .or_else(R"("automatic")")},
       one_damping(make_example_based),
       "",
       check_examples,
       {R"({"model": "example_based", "over": {"model": "rayleigh", "beta": "10 ms", "stiffness": "rest"},
           "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "1 cm"}, "gamma": 3}],
           "frame": "fixed"})",
        R"({"model": "example_based", "over": {"model": "rayleigh", "beta": "10 ms"},
           "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "1 cm"}, "curve": [[0, 0.1], [0.5, 2], [1.5, 6]]},
                        {"name": "lean", "shape": {"from": "formula", "y": "0.1*X^2"}, "gamma": 0.2}]})"}});
}

}  // namespace models
}  // namespace dashpot
