#include "dashpot/scene/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dashpot/core/hash.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/model/placed_system.hpp"
#include "dashpot/projective/projective_stepper.hpp"
#include "dashpot/projective/projective_terms.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/body_contacts.hpp"
#include "dashpot/scene/assembly/collider_assembly.hpp"
#include "dashpot/scene/assembly/reduced_parts.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/shape/assets.hpp"

namespace dashpot {
namespace {

std::vector<Probe> make_probes(const SceneSpec& spec, const std::vector<BodyAssembly>& bodies) {
  std::vector<Probe> probes;
  for (const ProbeSpec& wanted : spec.record.probes) {
    const BodyAssembly& body = bodies[wanted.body];
    Probe probe{wanted.name, select_nodes(wanted.where, body.mesh()), {}};
    for (int& point : probe.points) point += body.first_point();
    probe.weights.assign(probe.points.size(), 1.0 / static_cast<double>(probe.points.size()));
    probes.push_back(std::move(probe));
  }
  return probes;
}

/// The shape file of a body that was meshed from one.
std::optional<ShapeSource> shape_of(const BodySpec& body) {
  if (body.mesh.name() != "shape") return std::nullopt;
  const Settings& settings = body.mesh.settings;
  const std::string_view asset = asset_text(settings.text("name"));
  const Placement placement = placement_of(body);
  return ShapeSource{asset.empty() ? settings.reader()(settings.path("name")) : std::string(asset),
                     settings.has("height") ? settings.number("height") : 0, placement.scale, placement.R,
                     body.translate};
}

/// The bodies as pictures show them: springs that the mesh does not contain become edges.
Recording make_recording(const SceneSpec& spec, const std::vector<BodyAssembly>& bodies) {
  Recording recording;
  recording.title = spec.title;
  recording.gravity = spec.gravity;
  for (const BodyAssembly& body : bodies) {
    RecordedBody recorded{body.name(), body.mesh(), body.first_point(), shape_of(body.spec())};
    for (const SpringSpec& springs : body.spec().springs)
      for (const std::array<int, 2>& pair : springs.between) {
        ElementGroup& edges = recorded.mesh.group_or_new(ElementKind::edge);
        edges.nodes.insert(edges.nodes.end(), pair.begin(), pair.end());
        if (!edges.region.empty()) edges.region.push_back(0);
      }
    recording.bodies.push_back(std::move(recorded));
  }
  return recording;
}

std::string fingerprint_of(const SceneSpec& spec, const std::vector<BodyAssembly>& bodies,
                           const std::vector<PreparedPart>& parts) {
  // Two scenes that differ only in when they end continue each other: a finished run can be extended by --resume.
  // Files count by their bytes, wherever they lie.
  JsonValue what = without_places(spec);
  if (JsonValue* time = what.find("time"))
    std::erase_if(time->members, [](const JsonMember& member) { return member.key == "end"; });
  Hash hash;
  hash.text(write_json(what)).text(version());
  for (const BodyAssembly& body : bodies) {
    for (const Vec3& x : body.mesh().nodes) hash.bytes(x.data(), 3 * sizeof(double));
    for (const ElementGroup& group : body.mesh().groups)
      hash.bytes(group.nodes.data(), group.nodes.size() * sizeof(int));
  }
  for (const InputFile& file : spec.document->files->list()) hash.text(file.hash);
  for (const PreparedPart& part : parts) {  // coordinates mean nothing in another basis
    const Matrix& shapes = part.reduced.model->subspace->basis().shapes;
    hash.bytes(shapes.data(), static_cast<std::size_t>(shapes.size()) * sizeof(double));
  }
  return hash.hex();
}

const PreparedPart* part_of(const BodySpec& body, const std::vector<PreparedPart>& parts) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const PreparedPart& part) { return part.part.body == &body; });
  return found == parts.end() ? nullptr : &*found;
}

/// The System of the scene and its state at the start, accelerations not yet consistent.
AssembledBodies put_together(const SceneSpec& spec, const std::vector<PreparedPart>& parts, CompiledScene& scene) {
  if (is_one_reduced_body(spec)) {
    AssembledBodies alone;
    alone.bodies.emplace_back(spec, spec.bodies.front(), *build_mesh(spec.bodies.front()), 0);
    scene.reduced = parts.front().reduced.model;
    scene.system = parts.front().part.system;
    scene.start = parts.front().reduced.start;
    return alone;
  }
  std::vector<const BodySpec*> wanted;
  for (const BodySpec& body : spec.bodies) wanted.push_back(&body);
  std::vector<ReducedPart> reduced;
  for (const PreparedPart& part : parts) reduced.push_back(part.part);
  AssembledBodies assembled = assemble(spec, wanted, AssemblyScope::motion, reduced);
  scene.system = assembled.system;
  scene.start = scene.system->initial_state();
  for (BodyAssembly& body : assembled.bodies)
    if (part_of(body.spec(), parts) == nullptr) start_body(body, scene.start);
  for (std::size_t i = 0; i < parts.size(); ++i)
    set_part_state(parts[i].reduced.start, assembled.parts[i], scene.start);
  scene.system->prescribe(scene.start.time, &scene.start.q, &scene.start.v, nullptr);
  return assembled;
}

bool has_mass_everywhere(const System& system) {
  const Vector zero = Vector::Zero(system.num_dofs());
  Vector row_sums = zero;
  system.inertia().add_force(system.rest(), zero, Vector::Ones(system.num_dofs()), row_sums);
  for (std::size_t dof = 0; dof < system.is_free().size(); ++dof)
    if (system.is_free()[dof] != 0 && !(row_sums[static_cast<Eigen::Index>(dof)] > 0)) return false;
  return true;
}
}  // namespace

CompiledScene compile(SceneSpec spec) { return std::move(*compile(std::move(spec), PrecomputeHooks{})); }

std::optional<CompiledScene> compile(SceneSpec spec, const PrecomputeHooks& hooks) {
  CompiledScene scene;
  std::optional<std::vector<PreparedPart>> parts = prepare_parts(spec, hooks);
  if (!parts) return std::nullopt;
  const AssembledBodies assembled = put_together(spec, *parts, scene);
  for (const PreparedPart& part : *parts) {
    scene.reductions.insert(scene.reductions.end(), part.reduced.notes.begin(), part.reduced.notes.end());
    scene.warnings.insert(scene.warnings.end(), part.reduced.warnings.begin(), part.reduced.warnings.end());
  }
  spec.warnings.insert(spec.warnings.end(), scene.warnings.begin(), scene.warnings.end());
  if (spec.projective) {
    make_stepper(spec);  // throws where integrator and options do not fit
    std::vector<Problem> problems = projective_problems(*scene.system);
    if (!problems.empty()) throw Error(std::move(problems));
  }
  std::vector<Problem> at_start;
  if (!spec.contacts.empty() && !is_one_reduced_body(spec))
    check_cloth_starts(spec, assembled.bodies, {scene.system, &scene.system->kinematics()}, scene.start.q, at_start);
  if (has_errors(at_start)) throw Error(std::move(at_start));
  spec.warnings.insert(spec.warnings.end(), at_start.begin(), at_start.end());
  scene.warnings.insert(scene.warnings.end(), at_start.begin(), at_start.end());
  Workspace workspace = scene.system->make_workspace();
  const bool is_consistent = make_consistent(*scene.system, scene.start, workspace);
  if (!is_consistent && !has_mass_everywhere(*scene.system))
    throw Error(Problem{spec.document->file, "the mass matrix is singular", "mass at every free node",
                        "check densities and point masses"});
  if (!is_consistent || !scene.start.is_finite() || !std::isfinite(energies(*scene.system, scene.start).total()))
    throw Error(Problem{spec.document->file,
                        "forces at the start are not finite, or so large that their squares overflow",
                        "a start without inverted or collapsed elements, and positions, velocities, moduli and gravity "
                        "whose squares are numbers",
                        "check the units of positions, velocities and moduli"});
  for (const BodyAssembly& body : assembled.bodies) {
    const double mass = std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0);
    scene.bodies.push_back({body.name(), body.mesh(), body.first_point(), mass});
    const PreparedPart* part = part_of(body.spec(), *parts);
    const std::vector<std::string>& notes = part ? part->dampings : body.notes();
    scene.dampings.insert(scene.dampings.end(), notes.begin(), notes.end());
  }
  scene.run.dt = spec.time.dt;
  scene.run.end = spec.time.end;
  scene.run.record_every = spec.record.every;
  scene.run.checkpoint_every = spec.record.checkpoint;
  scene.run.max_halvings = spec.time.max_halvings;
  scene.run.probes = make_probes(spec, assembled.bodies);
  scene.recording = make_recording(spec, assembled.bodies);
  scene.contacts = assembled.contacts;
  if (!scene.contacts.empty())
    for (const CompiledBody& body : scene.bodies)
      scene.run.touching.push_back({body.name, body.first_block, body.mesh.num_nodes()});
  add_scenery(spec, scene.system->kinematics().num_points(), scene.run, scene.recording);
  scene.run.fingerprint = fingerprint_of(spec, assembled.bodies, *parts);
  scene.run.inputs = spec.document->files->list();
  scene.spec = std::move(spec);
  return scene;
}

std::unique_ptr<Stepper> make_stepper(const SceneSpec& spec) {
  if (spec.projective) return make_projective_stepper(spec.time.stepper, *spec.projective);
  return make_stepper(spec.time.stepper, spec.newton, spec.linear);
}

}  // namespace dashpot
