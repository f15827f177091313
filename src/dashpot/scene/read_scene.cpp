#include "dashpot/scene/read_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/assembly/attachments.hpp"
#include "dashpot/scene/assembly/reduced_body.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/assembly/start_checks.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/scaled_moduli.hpp"

namespace dashpot {
namespace {

TimeSpec read_time(const Settings& settings) {
  TimeSpec time;
  time.dt = settings.number("dt");
  time.end = settings.number("end");
  time.stepper_model = settings.model("stepper", Category::stepper);
  time.stepper = std::get<StepperFactory>(time.stepper_model.entry->factory)(time.stepper_model.settings);
  time.max_halvings = settings.integer("max_halvings");
  return time;
}

ProjectiveOptions read_projective(const Settings& settings) {
  ProjectiveOptions options;
  options.iterations = settings.integer("iterations");
  options.tolerance = settings.number("tolerance");
  options.max_iterations = settings.integer("max_iterations");
  if (settings.text("precision") == "single") options.precision = ProjectionPrecision::single_precision;
  if (settings.text("acceleration") == "anderson") options.acceleration = Acceleration::anderson;
  options.window = settings.integer("window");
  options.restore_momentum = settings.flag("restore_momentum");
  options.budget = settings.number("budget");
  return options;
}

void read_solver(const Settings& settings, SceneSpec& spec) {
  if (settings.has("projective")) spec.projective = read_projective(settings.section("projective"));
  const Settings newton = settings.section("newton"), cg = settings.section("cg");
  spec.newton.max_iterations = newton.integer("max_iterations");
  spec.newton.tolerance = newton.number("tolerance");
  spec.newton.fixed_iterations = newton.integer("fixed_iterations");
  spec.newton.tangent = newton.text("tangent") == "projected" ? NewtonOptions::Tangent::projected
                                                              : NewtonOptions::Tangent::exact_then_projected;
  const std::string& kind = settings.text("linear");
  spec.linear.kind = kind == "cholmod" ? LinearSolverKind::cholmod
                     : kind == "cg"    ? LinearSolverKind::conjugate_gradient
                     : kind == "lu"    ? LinearSolverKind::lu
                     : kind == "eigen" ? LinearSolverKind::eigen_cholesky
                                       : LinearSolverKind::automatic;
  spec.linear.cg_tolerance = cg.number("tolerance");
  spec.linear.cg_max_iterations = cg.integer("max_iterations");
}

PinSpec read_pin(const Settings& settings) {
  PinSpec pin;
  pin.where = settings.model("where", Category::where);
  pin.axes = {false, false, false};
  for (const std::string& axis : settings.texts("axes")) pin.axes[static_cast<std::size_t>(axis[0] - 'x')] = true;
  if (settings.has("motion")) pin.motion = settings.model("motion", Category::motion);
  return pin;
}

SpringSpec read_spring(const Settings& settings) {
  SpringSpec spring;
  spring.settings = settings;
  spring.stiffness = settings.number("stiffness");
  if (settings.has("between"))
    for (const std::vector<double>& pair : settings.rows("between"))
      spring.between.push_back({static_cast<int>(pair[0]), static_cast<int>(pair[1])});
  if (settings.has("rest_length")) spring.rest_length = settings.number("rest_length");
  return spring;
}

ReducedSpec read_reduced(const Settings& settings) {
  ReducedSpec reduced;
  reduced.settings = settings;
  reduced.num_modes = settings.integer("modes");
  reduced.size = settings.integer("size");
  reduced.is_pod = settings.text("basis") == "pod";
  reduced.cache = settings.flag("cache");
  reduced.examples = settings.flag("examples");
  if (settings.has("run")) reduced.run = settings.path("run");
  return reduced;
}

/// Gives a body the moduli that it has at rest, where its damping stiffens what moves and those in motion were given.
void soften_at_rest(BodySpec& body) {
  bool is_softened = false;
  for (const ModelSpec& damping : body.damping) {
    const double share = damping.entry->share_at_rest ? damping.entry->share_at_rest(damping.settings) : 1;
    if (share == 1) continue;
    if (is_softened)
      throw Error(Problem{damping.settings.place(), "a second damping that says at which frequency moduli hold", "one",
                          "put the branches of both into one prony"});
    is_softened = true;
    if (body.material) body.material = with_scaled_moduli(*body.material, share);
    for (SpringSpec& spring : body.springs) spring.stiffness *= share;
  }
}

BodySpec read_body(const Settings& settings, std::size_t index, std::size_t count) {
  BodySpec body;
  body.settings = settings;
  body.name = settings.has("name") ? settings.text("name") : count == 1 ? "body" : fmt::format("body{}", index + 1);
  body.mesh = settings.model("mesh", Category::mesh);
  const std::string& order = settings.text("elements");
  body.elements = order == "tet4" ? ElementOrder::tet4 : order == "tet10" ? ElementOrder::tet10 : ElementOrder::as_mesh;
  const Settings place = settings.section("place");
  body.scale = place.number("scale");
  body.rotate = place.vec3("rotate");
  body.translate = place.vec3("translate");
  if (settings.has("material")) body.material = settings.model("material", Category::material);
  body.damping = settings.models("damping", Category::damping);
  body.loads = settings.models("loads", Category::load);
  for (const Settings& pin : settings.sections("pins")) body.pins.push_back(read_pin(pin));
  for (const Settings& spring : settings.sections("springs")) body.springs.push_back(read_spring(spring));
  for (const Settings& mass : settings.sections("point_masses"))
    body.point_masses.push_back({mass.model("where", Category::where), mass.number("mass")});
  soften_at_rest(body);
  body.start = settings.model("start", Category::start);
  if (settings.has("reduced")) body.reduced = read_reduced(settings.section("reduced"));
  return body;
}

/// Index of a body by name; 0 where there is none, which check_names reports.
std::size_t body_index(const std::vector<BodySpec>& bodies, const std::string& name) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return i;
  return 0;
}

AttachmentSpec read_attachment(const Settings& settings, const std::vector<BodySpec>& bodies) {
  AttachmentSpec attachment;
  attachment.settings = settings;
  attachment.body = body_index(bodies, settings.text("body"));
  attachment.to = body_index(bodies, settings.text("to"));
  attachment.where = settings.model("where", Category::where);
  attachment.within = settings.number("within");
  attachment.to_nodes = settings.text("follow") == "node";
  attachment.close_gap = settings.text("gap") == "close";
  return attachment;
}

std::vector<ColliderSpec> read_colliders(const Settings& root) {
  std::vector<ColliderSpec> colliders;
  for (const ModelSpec& model : root.models("colliders", Category::collider)) {
    ColliderSpec spec;
    spec.model = model;
    spec.name = model.settings.has("name") ? model.settings.text("name")
                                           : fmt::format("{}{}", model.name(), colliders.size() + 1);
    if (model.settings.has("bodies")) spec.bodies = model.settings.texts("bodies");
    colliders.push_back(std::move(spec));
  }
  return colliders;
}

ContactSpec read_contact(const Settings& settings) {
  ContactSpec contact;
  contact.settings = settings;
  if (settings.has("between")) contact.between = settings.texts("between");
  contact.friction = settings.number("friction");
  contact.slip_speed = settings.number("slip_speed");
  for (const auto& [name, value] : {std::pair{"stiffness", &contact.stiffness}, std::pair{"onset", &contact.onset},
                                    std::pair{"thickness", &contact.thickness}})
    if (settings.has(name)) *value = settings.number(name);
  return contact;
}

RecordSpec read_record(const Settings& settings, const std::vector<BodySpec>& bodies) {
  RecordSpec record;
  record.every = settings.number("every");
  record.checkpoint = settings.number("checkpoint");
  for (const Settings& probe : settings.sections("probes")) {
    ProbeSpec spec{probe.text("name"), 0, probe.model("where", Category::where)};
    if (probe.has("body")) spec.body = body_index(bodies, probe.text("body"));
    record.probes.push_back(std::move(spec));
  }
  return record;
}

SceneSpec read_spec(const std::shared_ptr<const SceneDocument>& document) {
  const Settings root(document, document->value, "");
  SceneSpec spec;
  spec.document = document;
  spec.title = root.text("title");
  spec.gravity = root.vec3("gravity");
  spec.seed = root.integer("seed");
  spec.time = read_time(root.section("time"));
  read_solver(root.section("solver"), spec);
  const std::vector<Settings> bodies = root.sections("bodies");
  for (std::size_t i = 0; i < bodies.size(); ++i) spec.bodies.push_back(read_body(bodies[i], i, bodies.size()));
  for (const Settings& attachment : root.sections("attachments"))
    spec.attachments.push_back(read_attachment(attachment, spec.bodies));
  spec.colliders = read_colliders(root);
  for (const Settings& contact : root.sections("contacts")) spec.contacts.push_back(read_contact(contact));
  spec.record = read_record(root.section("record"), spec.bodies);
  return spec;
}

void apply_overrides(JsonValue& document, const std::vector<SceneOverride>& overrides, std::vector<Problem>& problems) {
  for (const SceneOverride& change : overrides) {
    ParsedJson value = parse_json(change.json, "override of " + change.pointer);
    if (!value.problems.empty()) {
      // Unquoted text is what people type on a command line: --set /time/dt="1 ms" arrives as 1 ms.
      value = {JsonValue::of(change.json), {}};
    }
    if (!put_at_pointer(document, change.pointer, std::move(value.value)))
      problems.push_back(
          {"override of " + change.pointer, "no such place in the scene", "a JSON pointer such as /time/dt"});
  }
}

std::vector<Problem> only(const std::vector<Problem>& problems, Problem::Severity severity) {
  std::vector<Problem> result;
  std::copy_if(problems.begin(), problems.end(), std::back_inserter(result),
               [&](const Problem& problem) { return problem.severity == severity; });
  return result;
}

/// A scene that a command wrote says which bytes its files had.
void expect_inputs(const SceneDocument& document) {
  const JsonValue* inputs = document.value.find("inputs");
  if (inputs == nullptr) return;
  for (const JsonValue& entry : inputs->items)
    document.files->expect(path_from(document, entry.find("path")->text), entry.find("hash")->text);
}

/// `problems` were found before.
CheckedScene check_document(const JsonValue& value, const std::string& file, const std::string& folder,
                            std::vector<Problem> problems) {
  CheckedScene result;
  result.problems = std::move(problems);
  Normalized normal = normalize(value, file, folder);
  result.problems.insert(result.problems.end(), normal.problems.begin(), normal.problems.end());
  const auto document = std::make_shared<SceneDocument>(
      SceneDocument{file, folder, std::move(normal.value), std::make_shared<InputFiles>(), std::move(normal.paths)});
  if (!has_errors(result.problems)) expect_inputs(*document);
  if (has_errors(result.problems)) {
    check_intact_bodies(document, result.problems);
    check_intact_colliders(document, result.problems);
    return result;
  }
  SceneSpec spec = read_spec(document);
  check_names(spec, result.problems);
  check_physics(spec, result.problems);
  check_reduced(spec, result.problems);
  if (!has_errors(result.problems)) check_attachments(spec, result.problems);
  check_colliders(spec, result.problems);
  check_body_contacts(spec, result.problems);
  if (!has_errors(result.problems)) check_starts(spec, result.problems);
  if (has_errors(result.problems)) return result;
  spec.warnings = only(result.problems, Problem::Severity::warning);
  result.spec = std::move(spec);
  return result;
}

}  // namespace

CheckedScene check_scene(std::string_view text, const std::string& file, const std::string& folder,
                         const std::vector<SceneOverride>& overrides) {
  CheckedScene result;
  ParsedJson parsed = parse_json(text, file);
  result.problems = std::move(parsed.problems);
  if (parsed.value.is(JsonValue::Kind::null) && !result.problems.empty()) return result;
  apply_overrides(parsed.value, overrides, result.problems);
  return check_document(parsed.value, file, folder, std::move(result.problems));
}

CheckedScene check_scene(const JsonValue& document, const std::string& file, const std::string& folder) {
  return check_document(document, file, folder, {});
}

SceneSpec parse_scene(std::string_view text, const std::string& file, const std::string& folder,
                      const std::vector<SceneOverride>& overrides) {
  CheckedScene checked = check_scene(text, file, folder, overrides);
  if (!checked.spec) throw Error(std::move(checked.problems));
  return std::move(*checked.spec);
}

SceneSpec load_scene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  return parse_scene(read_file(path), path, std::filesystem::path(path).parent_path().string(), overrides);
}

}  // namespace dashpot
