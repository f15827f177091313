#include "dashpot/scene/assembly/reduced_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/record/recording.hpp"
#include "dashpot/reduce/forms_cache.hpp"
#include "dashpot/reduce/moving_frame.hpp"
#include "dashpot/reduce/strain_forms.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

constexpr double far = 0.05;  ///< share of a pose that lies outside the subspace, above which a warning is due

bool is_driven(const BodySpec& body) {
  return std::any_of(body.pins.begin(), body.pins.end(), [](const PinSpec& pin) { return !!pin.motion; });
}

DrivenMotion motion_of(const BodySpec& body, double end) {
  const PinSpec& pin = body.pins.front();
  return make_motion(*pin.motion, {body.built.get(), select_nodes(pin.where, *body.built), placement_of(body), end});
}

/// What carries a reduced body must be rigid, and nothing else may hold or push it.
template <class Refuse>
void check_carrier(const SceneSpec& spec, const BodySpec& body, const Refuse& refuse) {
  const auto& axes = body.pins.front().axes;
  if (body.pins.size() > 1 || !(axes[0] && axes[1] && axes[2]))
    refuse("with several pins of which one moves", "one pin that moves, along x, y and z");
  else if (!body.loads.empty())
    refuse("with loads on a moving seat", "gravity only");
  else if (body.built)
    try {
      if (!motion_of(body, spec.time.end).rigid)
        refuse("on nodes that move each in its own way", "a rigid motion: keyframes, harmonic, steady, or one joint");
    } catch (const Error&) {
      // Reported where motions are checked.
    }
}

bool is_alone(const SceneSpec& spec) {
  return spec.bodies.size() == 1 && spec.colliders.empty() && spec.contacts.empty();
}

void check_world(const SceneSpec& spec, const BodySpec& body, std::vector<Problem>& problems) {
  const std::string place = body.settings.place("reduced");
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    problems.push_back({place, fmt::format("reduced body \"{}\" {}", body.name, found), expected,
                        "remove \"reduced\" to simulate it in full"});
  };
  for (const AttachmentSpec& attachment : spec.attachments) {
    if (&spec.bodies[attachment.body] == &body)
      problems.push_back(
          {attachment.settings.place(),
           fmt::format("reduced body \"{}\" attached to \"{}\"", body.name, spec.bodies[attachment.to].name),
           "a body of nodes that follows", "attach the other body to it, or remove \"reduced\""});
    if (&spec.bodies[attachment.to] == &body && is_driven(body))
      refuse("on moving pins with a body attached to it", "pins that stay");
  }
  if (spec.linear.kind == LinearSolverKind::conjugate_gradient && !is_alone(spec))
    refuse("with conjugate gradients", "\"linear\": \"auto\" beside other bodies and contact");
  if (spec.projective) refuse("with solver.projective", "an ordinary stepper");
  if (is_driven(body)) check_carrier(spec, body, refuse);
  if (body.pins.empty()) refuse("that floats freely", "pins: a linear subspace cannot follow large rotations");
}

void check_basis(const BodySpec& body, std::vector<Problem>& problems) {
  const ReducedSpec& reduced = *body.reduced;
  const Settings& settings = reduced.settings;
  if (!reduced.run.empty() != reduced.is_pod)
    problems.push_back({settings.place(reduced.is_pod ? "basis" : "run"),
                        reduced.is_pod ? "a pod basis without a run" : "a run for a basis of modes",
                        "\"basis\": \"pod\" and \"run\": a folder, or neither"});
  if (!reduced.is_pod && reduced.size < reduced.num_modes)
    problems.push_back({settings.place("size"), fmt::format("size {} for {} modes", reduced.size, reduced.num_modes),
                        "at least as many coordinates as modes"});
  const std::string law = body.material ? body.material->name() : "springs";
  if (law == "stvk" && reduced.size > max_subspace)
    problems.push_back(
        {settings.place("size"), fmt::format("{} coordinates", reduced.size),
         fmt::format("at most {} for St. Venant-Kirchhoff, whose polynomials grow as the fourth power", max_subspace)});
  if ((law != "stvk" && law != "linear") || !body.springs.empty())
    problems.push_back({body.settings.place("reduced"),
                        fmt::format("{} in a reduced body is evaluated on the full mesh at every step",
                                    body.springs.empty() ? law : "springs"),
                        "exact, but hardly faster than the full body", "\"stvk\" becomes fast polynomials",
                        Problem::Severity::warning});
}

/// Displacements of the body in the frames of a run, one column each.
Matrix moves_of_run(const BodySpec& body, const System& full) {
  const std::string& folder = body.reduced->run;
  const Recording recording = read_recording(folder, body.reduced->settings.reader());
  const auto found = std::find_if(recording.bodies.begin(), recording.bodies.end(),
                                  [&](const RecordedBody& other) { return other.name == body.name; });
  if (found == recording.bodies.end())
    throw Error(Problem{"", fmt::format("no body \"{}\" in the run {}", body.name, folder), "a run of this body"});
  if (3 * found->mesh.num_nodes() != full.num_dofs())
    throw Error(Problem{"", fmt::format("{} nodes in the run's \"{}\"", found->mesh.num_nodes(), body.name),
                        fmt::format("{}, the same mesh", full.num_dofs() / 3)});
  if (recording.frames.empty()) throw Error(Problem{"", "a run without frames", "recorded frames"});
  Matrix moves(full.num_dofs(), static_cast<Eigen::Index>(recording.frames.size()));
  const Vector rest = full.initial_state().q;
  for (std::size_t k = 0; k < recording.frames.size(); ++k)
    for (int i = 0; i < found->mesh.num_nodes(); ++i)
      moves.col(static_cast<Eigen::Index>(k)).segment<3>(3 * i) =
          recording.frames[k].points[static_cast<std::size_t>(found->first_point + i)] - rest.segment<3>(3 * i);
  return moves;
}

/// Shapes of the examples of all dampings, one column each.
Matrix example_shapes(const System& full) {
  Matrix shapes(full.num_dofs(), 0);
  for (const auto& term : full.dissipations())
    if (const ExampleBased* examples = term->capabilities().examples)
      for (std::size_t i = 0; i < examples->examples().size(); ++i) {
        shapes.conservativeResize(Eigen::NoChange, shapes.cols() + 1);
        shapes.rightCols(1) = examples->shape(i);
      }
  return shapes;
}

std::optional<ReducedBasis> make_basis(const BodySpec& body, const System& full, const PrecomputeHooks& hooks) {
  const ReducedSpec& reduced = *body.reduced;
  const Matrix examples = reduced.examples ? example_shapes(full) : Matrix(full.num_dofs(), 0);
  const int size = reduced.size - static_cast<int>(examples.cols());
  if (size < (reduced.is_pod ? 1 : reduced.num_modes))
    throw Error(Problem{reduced.settings.place("size"),
                        fmt::format("{} coordinates, of which {} are damping examples", reduced.size, examples.cols()),
                        reduced.is_pod ? "more coordinates than examples" : "room for the modes besides the examples",
                        "a larger \"size\", or \"examples\": false"});
  std::optional<ReducedBasis> basis;
  if (reduced.is_pod) {
    basis =
        with_location(reduced.settings.place("run"), [&] { return pod_basis(full, moves_of_run(body, full), size); });
  } else {
    const auto num_free = std::count(full.is_free().begin(), full.is_free().end(), 1);
    if (reduced.num_modes >= num_free)
      throw Error(Problem{reduced.settings.place("modes"),
                          fmt::format("{} modes of {} free coordinates", reduced.num_modes, num_free),
                          "fewer modes than the full body has coordinates"});
    basis = with_location(body.settings.place("reduced"), [&] {
      return modal_basis(full, {reduced.num_modes, size}, hooks);
    });
  }
  if (basis) extend_basis(full, examples, *basis);
  return basis;
}

std::string basis_note(const BodySpec& body, const ReducedBasis& basis, int full_dofs) {
  const std::string what = basis.origin == "pod" ? "principal directions of a run"
                           : basis.origin == "modes and derivatives"
                               ? fmt::format("{} modes and their derivatives", basis.frequencies.size())
                               : fmt::format("{} modes", basis.frequencies.size());
  return fmt::format("{}: {} coordinates instead of {} ({}, {:.4g} % of their squares captured)", body.name,
                     basis.size(), full_dofs, what, 100 * basis.captured);
}

/// |x - Phi z|_M / |x|_M of a displacement.
double outside(const ReducedModel& model, const Vector& x) {
  const ReducedBasis& basis = model.subspace->basis();
  const Inertia& inertia = model.subspace->full().inertia();
  const double size = inertia.kinetic_energy(basis.rest, x);
  if (!(size > 0)) return 0;
  const Vector rest = x - basis.shapes * (basis.weighted.transpose() * x);
  return std::sqrt(inertia.kinetic_energy(basis.rest, rest) / size);
}

/// Says how well the subspace holds a shape; warns where it does not.
void judge(const BodySpec& body, const std::string& what, double error, const std::string& place, ReducedBody& out) {
  if (!(error > 1e-6)) return;  // round-off of the norm
  out.notes.push_back(fmt::format("{}: {} is {:.2g} % outside the subspace", body.name, what, 100 * error));
  if (error > far)
    out.warnings.push_back({place,
                            fmt::format("{} is {:.2g} % outside the subspace (in the norm of mass)", what, 100 * error),
                            fmt::format("at most {:.0f} %", 100 * far),
                            "more \"modes\" and \"size\", or a pod basis from a full run that shows such shapes",
                            Problem::Severity::warning});
}

double elastic_energy(const System& system, const Vector& q) {
  double sum = 0;
  for (const auto& energy : system.energies())
    if (energy->kind() != EnergyKind::gravity) sum += energy->evaluate({.q = q});
  return sum;
}

/// A small part of a pose can hold much of its energy: what lies outside the subspace is often stiff.
void judge_energy(const BodySpec& body, const State& full, bool is_warned, ReducedBody& out) {
  const System& system = out.model->subspace->full();
  const double rest = elastic_energy(system, system.rest());
  const double wanted = elastic_energy(system, full.q) - rest;
  const double there =
      elastic_energy(*out.model->system, out.start.q) - elastic_energy(*out.model->system, out.model->system->rest());
  const double error = std::abs(there - wanted) / std::max(std::abs(wanted), 1e-300);
  if (!(std::abs(wanted) > 1e-12 * std::abs(rest)) || !(error > 1e-3)) return;
  const std::string text = fmt::format("the elastic energy at the start is {} where the full body has {} ({:+.2g} %)",
                                       describe_quantity(there, Quantity::energy, 4),
                                       describe_quantity(wanted, Quantity::energy, 4), 100 * (there / wanted - 1));
  out.notes.push_back(body.name + ": " + text);
  if (error > far && !is_warned)
    out.warnings.push_back({body.start.settings.place(), text,
                            fmt::format("a difference of at most {:.0f} %", 100 * far),
                            "more \"modes\" and \"size\", a pod basis, or a start that the modes can make, such as an "
                            "equilibrium",
                            Problem::Severity::warning});
}

}  // namespace

void check_reduced(const SceneSpec& spec, std::vector<Problem>& problems) {
  for (const BodySpec& body : spec.bodies) {
    if (!body.reduced) continue;
    check_world(spec, body, problems);
    check_basis(body, problems);
  }
}

std::optional<ReducedBody> reduce_body(const BodySpec& body, std::shared_ptr<const System> full, const State& start,
                                       const PrecomputeHooks& hooks) {
  std::optional<ReducedBasis> basis = make_basis(body, *full, hooks);
  if (!basis) return std::nullopt;
  ReducedBody out;
  out.notes.push_back(basis_note(body, *basis, full->num_dofs()));
  ReduceOptions options;
  if (body.reduced->cache) options.cache_folder = default_cache_folder();
  std::optional<ReducedModel> model = with_location(
      body.settings.place("reduced"), [&] { return reduce_system(full, std::move(*basis), hooks, options); });
  if (!model) return std::nullopt;
  out.notes.insert(out.notes.end(), model->methods.begin(), model->methods.end());
  out.model = std::make_shared<const ReducedModel>(std::move(*model));
  const ReducedModel::Projected projected = out.model->project(start);
  out.start = projected.state;
  judge(body, "the pose at the start", projected.position_error, body.start.settings.place(), out);
  judge_energy(body, start, projected.position_error > far, out);
  judge(body, "the velocity at the start", projected.velocity_error, body.start.settings.place(), out);
  for (const auto& term : full->dissipations())
    if (const ExampleBased* examples = term->capabilities().examples) {
      if (examples->options().locally_turned)
        out.notes.push_back(body.name +
                            ": examples stay as at rest here; in full each part turns with its material, so "
                            "that gains differ in large motion (\"frame\": \"fixed\" makes both alike)");
      for (std::size_t i = 0; i < examples->examples().size(); ++i)
        judge(body, fmt::format("example \"{}\"", examples->examples()[i].name),
              outside(*out.model, examples->shape(i)), body.settings.place("damping"), out);
    }
  return out;
}

std::shared_ptr<const RigidMotion> carrier_of(const SceneSpec& spec, const BodySpec& body) {
  return body.reduced && is_driven(body) ? motion_of(body, spec.time.end).rigid : nullptr;
}

SceneSpec held_still(SceneSpec spec, std::size_t body) {
  for (PinSpec& pin : spec.bodies[body].pins) pin.motion.reset();
  return spec;
}

}  // namespace dashpot
