#include "dashpot/scene/assembly/damping_examples.hpp"

#include <algorithm>

#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

math::GainCurve::Kind interpolation_of(const Settings& settings) {
  const std::string& name = settings.text("interpolation");
  for (const auto kind : {math::GainCurve::Kind::linear, math::GainCurve::Kind::bezier})
    if (name == to_string(kind)) return kind;
  return math::GainCurve::Kind::monotone;
}

/// K^-1 M x about the rest shape, scaled to the largest displacement of x. Each mode of x is divided by omega^2.
Vector relaxed(const Vector& shape, const Settings& example, const BodyAssembly& body) {
  const AssembledBodies alone = assemble(body.scene(), {&body.spec()}, AssemblyScope::modes);
  const System& system = *alone.system;
  const Vector zero = Vector::Zero(system.num_dofs());
  BlockMatrix K(system.pattern());
  for (const auto& energy : system.energies()) energy->evaluate({.q = system.rest(), .hessian = &K});
  Matrix load = Matrix::Zero(system.num_dofs(), 1), x = load;
  Vector force = zero;
  system.inertia().add_force(system.rest(), zero, shape.segment(3 * body.first_block(), system.num_dofs()), force);
  load.col(0) = force;
  LinearSolverOptions options;
  options.kind = LinearSolverKind::cholmod;
  const std::unique_ptr<LinearSolver> solver = make_linear_solver(options, system.num_dofs(), false, true);
  solver->analyze(system.pattern(), system.is_free());
  if (solver->factorize(K) != SolveStatus::ok || solver->solve(load, x).status != SolveStatus::ok)
    throw Error(Problem{example.place("relaxed"), "the relaxed form of a shape of a body that is not held",
                        "a body whose pins leave it no rigid motion", "pin it, or take a mode as the example"});
  const auto largest = [](const Vector& u) {
    double most = 0;
    for (Eigen::Index i = 0; i + 2 < u.size(); i += 3) most = std::max(most, u.segment<3>(i).norm());
    return most;
  };
  const double size = largest(x.col(0));
  Vector result = Vector::Zero(shape.size());
  if (size > 0) result.segment(3 * body.first_block(), system.num_dofs()) = largest(shape) / size * x.col(0);
  return result;
}

Vector shape_of(const Settings& example, BodyAssembly& body) {
  const ModelSpec pose = example.model("shape", Category::start);
  const std::vector<Vec3> positions = std::get<StartFactory>(pose.entry->factory)(pose.settings, body);
  Vector shape = Vector::Zero(body.system_dofs());
  for (int i = 0; i < body.num_nodes(); ++i)
    shape.segment<3>(3 * (body.first_block() + i)) =
        positions[static_cast<std::size_t>(i)] - body.mesh().nodes[static_cast<std::size_t>(i)];
  return example.flag("relaxed") ? relaxed(shape, example, body) : shape;
}

bool is_held_in_place(const BodyAssembly& body) {
  const auto& pins = body.spec().pins;
  return std::any_of(pins.begin(), pins.end(), [](const PinSpec& pin) { return !pin.motion; });
}

}  // namespace

math::GainCurve make_gain(const Settings& example) {
  if (example.has("gamma")) return math::GainCurve::constant(example.number("gamma"));
  if (example.has("preset")) {
    const Settings preset = example.section("preset");
    return math::GainCurve::preset(preset.text("name"), preset.number("amplitude"), preset.number("strength"));
  }
  std::vector<math::GainCurve::Point> points;
  for (const std::vector<double>& row : example.rows("curve")) points.push_back({row[0], row[1]});
  return math::GainCurve::through(points, interpolation_of(example));
}

std::vector<DampingExample> make_damping_examples(const Settings& damping, BodyAssembly& body) {
  std::vector<DampingExample> examples;
  std::vector<Problem> problems;
  for (const Settings& example : damping.sections("examples")) try {
      examples.push_back({example.text("name"),
                          with_location(example.place("shape"), [&] { return shape_of(example, body); }),
                          with_location(example.place(), [&] { return make_gain(example); })});
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  if (!problems.empty()) throw Error(std::move(problems));
  return examples;
}

ExampleBasedOptions example_options(const Settings& damping, const BodyAssembly& body, bool base_is_constant) {
  ExampleBasedOptions options;
  for (const Coupling coupling : {Coupling::raw, Coupling::symmetrized, Coupling::nonnegative, Coupling::lowdin})
    if (damping.text("coupling") == to_string(coupling)) options.coupling = coupling;
  const std::vector<Settings> examples = damping.sections("examples");
  const bool all_constant =
      std::all_of(examples.begin(), examples.end(), [](const Settings& example) { return example.has("gamma"); });
  options.input = all_constant                               ? GainInput::constant
                  : damping.text("depends_on") == "velocity" ? GainInput::velocity
                                                             : GainInput::displacement;
  if (damping.has("isotropic")) {
    const Settings isotropic = damping.section("isotropic");
    std::vector<math::GainCurve::Point> points;
    for (const Settings& point : isotropic.sections("curve"))
      points.push_back({point.number("size"), point.number("gamma")});
    options.isotropic = IsotropicGain{
        with_location(isotropic.place("curve"),
                      [&] { return math::GainCurve::through(points, interpolation_of(isotropic)); }),
        isotropic.text("norm") == "euclidean" ? IsotropicGain::Norm::euclidean : IsotropicGain::Norm::mass_rms};
  }
  const std::string& frame = damping.text("frame");
  options.corotated = frame == "corotated" || (frame != "fixed" && !is_held_in_place(body));
  // A damping that follows the shape needs examples that do; one of the rest shape is as rigid as they are.
  options.locally_turned = frame == "local" || (frame == "automatic" && !base_is_constant);
  options.is_free_body = body.spec().pins.empty();
  return options;
}

}  // namespace dashpot
