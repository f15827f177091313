#include "dashpot/design/scene_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"

namespace dashpot::design {
namespace {

JsonValue points_json(const SplineMaterial::Points& points) {
  JsonValue list = JsonValue::array();
  for (const auto& [stretch, stress] : points) {
    JsonValue point = JsonValue::object();
    point.add("stretch", JsonValue::of(stretch));
    point.add("stress", JsonValue::of(stress));
    list.push(std::move(point));
  }
  return list;
}

JsonValue material_json(const ElasticPoints& points) {
  JsonValue value = JsonValue::object();
  value.add("young", JsonValue::of(points.rest.young));
  value.add("poisson", JsonValue::of(points.rest.poisson));
  value.add("tension", points_json(points.tension));
  value.add("compression", points_json(points.compression));
  return value;
}

Mesh with_nodes(const Mesh& mesh, const std::vector<Vec3>& nodes) {
  Mesh result = mesh;
  result.nodes = nodes;
  return result;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

/// Later sweeps begin with the curve of the one before and fit no straight one.
void keep_straight(const Identified& from, Identified& to) {
  to.straight_young = from.straight_young;
  to.straight_error = from.straight_error;
  for (std::size_t i = 0; i < to.points.size(); ++i) to.points[i].straight = from.points[i].straight;
}

}  // namespace

FitBody fit_body(const FitTask& task, const ElasticPoints* material, const std::vector<Vec3>& rest) {
  SceneSpec spec = task.spec;
  BodySpec& body = spec.bodies[task.body];
  if (material != nullptr) {
    const auto document = std::make_shared<SceneDocument>(SceneDocument{"", "", material_json(*material)});
    body.material->settings = body.material->settings.overridden_by(Settings(document, document->value, ""));
  }
  if (!rest.empty()) body.built = std::make_shared<const Mesh>(with_nodes(*body.built, rest));
  AssembledBodies assembled = assemble(spec, {&body}, AssemblyScope::balance);
  return {assembled.system, assembled.bodies.front().batch()};
}

PosedBody posed_body(const FitTask& task, const ElasticPoints* material) {
  PosedBody body;
  body.pose = task.pose;
  body.linear = task.spec.linear;
  const ElementGroup& tets = *task.body_spec().built->tets();
  for (int e = 0; e < tets.size(); ++e) body.tets.insert(body.tets.end(), tets.element(e), tets.element(e) + 4);
  std::shared_ptr<ElasticPoints> kept = material != nullptr ? std::make_shared<ElasticPoints>(*material) : nullptr;
  body.with_rest = [&task, kept](const std::vector<Vec3>& rest) { return fit_body(task, kept.get(), rest).system; };
  return body;
}

TestedBody tested_body(const FitTask& task, const std::vector<Vec3>& rest) {
  TestedBody body;
  body.name = task.body_spec().name;
  body.linear = task.spec.linear;
  body.batch = fit_body(task, nullptr, rest).batch;
  if (!rest.empty()) {
    body.unloaded.resize(static_cast<Eigen::Index>(3 * task.pose.size()));
    for (std::size_t i = 0; i < task.pose.size(); ++i)
      body.unloaded.segment<3>(static_cast<Eigen::Index>(3 * i)) = task.pose[i];
  }
  body.with_material = [&task, rest](const ElasticPoints& points) { return fit_body(task, &points, rest).system; };
  return body;
}

FitOutcome run_fit(const FitTask& task) {
  FitOutcome outcome;
  if (task.cases.empty()) {
    outcome.rest = rest_shape_from_sag(posed_body(task, nullptr), task.sag);
    outcome.reached = outcome.rest->found;
    outcome.stopped = outcome.rest->stopped;
    return outcome;
  }
  IdentifyOptions options = task.identify;
  RestShapeOptions sag = task.sag;
  ElasticPoints curve = task.start;
  for (outcome.sweeps = 1; outcome.sweeps <= task.max_sweeps; ++outcome.sweeps) {
    const std::optional<RestShape> before = outcome.rest;
    if (task.wants_rest_shape) {
      outcome.rest = rest_shape_from_sag(posed_body(task, &curve), sag);
      outcome.stopped = outcome.rest->stopped;
      if (!outcome.rest->found) return outcome;
      sag.start = outcome.rest->rest;
    }
    LoadTest test(tested_body(task, task.wants_rest_shape ? outcome.rest->rest : std::vector<Vec3>{}), task.cases);
    const std::optional<Identified> last = std::move(outcome.elasticity);
    outcome.elasticity = identify_elasticity(test, options);
    if (last) keep_straight(*last, *outcome.elasticity);
    outcome.stopped = outcome.elasticity->stopped;
    curve = outcome.elasticity->curve;
    if (outcome.stopped || !task.wants_rest_shape) break;
    options.first = outcome.elasticity->theta;
    options.tension.clear();  // knots stay where the first sweep put them
    options.compression.clear();
    for (const auto& [stretch, stress] : curve.tension) options.tension.push_back(stretch);
    for (const auto& [stretch, stress] : curve.compression) options.compression.push_back(stretch);
    if (before && largest_difference(before->rest, outcome.rest->rest) <= task.sweep_change * outcome.rest->sag) break;
  }
  outcome.sweeps = std::min(outcome.sweeps, task.max_sweeps);
  outcome.reached = outcome.elasticity->reached && (!outcome.rest || outcome.rest->found);
  return outcome;
}

Mesh rest_mesh(const FitTask& task, const std::vector<Vec3>& rest) { return with_nodes(*task.body_spec().built, rest); }

std::string fitted_scene(const FitTask& task, const FitOutcome& outcome, const std::string& folder) {
  JsonValue scene = parse_json(filled_in(task.spec), "").value;
  std::erase_if(scene.members, [](const JsonMember& member) { return member.key == "fit"; });
  JsonValue& body = scene.find("bodies")->items[task.body];
  const auto set = [](JsonValue& object, const char* key, JsonValue value) {
    if (JsonValue* old = object.find(key))
      *old = std::move(value);
    else
      object.add(key, std::move(value));
  };
  if (outcome.elasticity)
    for (JsonMember& member : material_json(outcome.elasticity->curve).members)
      set(*body.find("material"), member.key.c_str(), std::move(member.value));
  if (outcome.rest) {
    JsonValue mesh = JsonValue::object();
    mesh.add("file", JsonValue::of("rest.msh"));
    set(body, "mesh", std::move(mesh));
    std::erase_if(body.members, [](const JsonMember& m) { return m.key == "place" || m.key == "elements"; });
    if (task.body_spec().start.name() == "rest") {
      JsonValue start = JsonValue::object();
      start.add("from", JsonValue::of("equilibrium"));
      set(body, "start", std::move(start));
    }
  }
  // Other meshes are read from where they were.
  for (JsonValue& other : scene.find("bodies")->items)
    if (JsonValue* file = other.find("mesh")->find("file"); file != nullptr && !(outcome.rest && &other == &body)) {
      JsonValue* path = file->is(JsonValue::Kind::object) ? file->find("path") : file;
      if (path != nullptr && path->is(JsonValue::Kind::string) && !std::filesystem::path(path->text).is_absolute())
        path->text = std::filesystem::relative(std::filesystem::path(task.spec.document->folder) / path->text, folder)
                         .generic_string();
    }
  return write_json(scene);
}

}  // namespace dashpot::design
