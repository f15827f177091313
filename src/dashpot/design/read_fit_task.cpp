// Reads the "fit" section of a scene into a FitTask.
#include <fmt/format.h>

#include "dashpot/design/scene_fit.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot::design {
namespace {

std::string vertices_json(const std::vector<int>& nodes) {
  return fmt::format(R"({{"vertices": {{"indices": [{}]}}}})", fmt::join(nodes, ", "));
}

/// Every selection of the body by node number, so that it means the same nodes in every rest shape.
std::vector<SceneOverride> frozen_selections(const SceneSpec& spec, std::size_t index) {
  const BodySpec& body = spec.bodies[index];
  const Mesh& mesh = *body.built;
  std::vector<SceneOverride> changes;
  const auto freeze = [&](const std::string& pointer, const ModelSpec& where) {
    changes.push_back({pointer, vertices_json(select_nodes(where, mesh))});
  };
  for (std::size_t i = 0; i < body.pins.size(); ++i)
    freeze(fmt::format("/bodies/{}/pins/{}/where", index, i), body.pins[i].where);
  for (std::size_t i = 0; i < body.point_masses.size(); ++i)
    freeze(fmt::format("/bodies/{}/point_masses/{}/where", index, i), body.point_masses[i].where);
  for (std::size_t i = 0; i < body.loads.size(); ++i)
    freeze(fmt::format("/bodies/{}/loads/{}/where", index, i), body.loads[i].settings.model("where", Category::where));
  for (std::size_t i = 0; i < spec.record.probes.size(); ++i)
    if (spec.record.probes[i].body == index)
      freeze(fmt::format("/record/probes/{}/where", i), spec.record.probes[i].where);
  return changes;
}

std::size_t find_body(const SceneSpec& spec, const Settings& section) {
  if (!section.has("body") && spec.bodies.size() == 1) return 0;
  if (section.has("body"))
    for (std::size_t i = 0; i < spec.bodies.size(); ++i)
      if (spec.bodies[i].name == section.text("body")) return i;
  throw Error(Problem{section.place("body"),
                      section.has("body") ? fmt::format("no body \"{}\"", section.text("body")) : "several bodies",
                      "the name of a body", "name it by \"body\""});
}

class TaskReader {
 public:
  TaskReader(FitTask& task, const Settings& section) : task_(task), section_(section) {}

  void read() {
    const BodySpec& body = task_.body_spec();
    if (!body.built || body.built->tets() == nullptr || !body.material)
      report(body.settings.place(), "a body without tets", "a body of tets with a material");
    for (const AttachmentSpec& attachment : task_.spec.attachments)
      if (attachment.body == task_.body || attachment.to == task_.body)
        report(attachment.settings.place(), "an attachment of the body that is fitted", "a body by itself");
    if (!task_.wants_rest_shape && section_.sections("cases").empty())
      report(section_.place(), "nothing to fit", "\"cases\", or \"rest_shape\": true, or both");
    if (task_.wants_rest_shape && task_.spec.gravity.isZero(0) && body.loads.empty())
      report(section_.place("rest_shape"), "no gravity and no loads", "something that makes the body sag",
             "add \"gravity\"");
    if (!problems_.empty()) throw Error(std::move(problems_));
    if (!section_.sections("cases").empty()) read_material();
    for (const Settings& load : section_.sections("cases")) read_case(load);
    task_.identify.knots_per_side = section_.integer("knots");
    task_.identify.tolerance = section_.number("tolerance");
    task_.identify.prior = section_.number("noise");
    if (section_.has("tension")) task_.identify.tension = section_.numbers("tension");
    if (section_.has("compression")) task_.identify.compression = section_.numbers("compression");
    collect("", [&] { ElasticCurve(0.3, task_.identify.tension, task_.identify.compression); });
    if (!problems_.empty()) throw Error(std::move(problems_));
  }

 private:
  void report(std::string place, std::string found, std::string expected, std::string remedy = {}) {
    problems_.push_back({std::move(place), std::move(found), std::move(expected), std::move(remedy)});
  }
  template <class F>
  void collect(const std::string& place, F&& action) {
    try {
      action();
    } catch (const Error& error) {
      for (Problem problem : error.problems()) {
        problem.place = fmt::format("{}{}{}", place, place.empty() || problem.place.empty() ? "" : ": ", problem.place);
        problems_.push_back(std::move(problem));
      }
    }
  }
  void read_material() {
    const ModelSpec& material = *task_.body_spec().material;
    if (material.name() != "spline")
      return report(material.settings.place(), fmt::format("material \"{}\"", material.name()), "\"spline\"",
                    "give the body the model \"spline\"; young is the first guess");
    if (material.settings.has("regions") && !material.settings.sections("regions").empty())
      report(material.settings.place("regions"), "a material that differs by region", "one material for the body");
    task_.start.rest = {material.settings.number("young"), material.settings.number("poisson")};
    task_.identify.start = task_.start.rest;
  }
  void read_case(const Settings& settings) {
    LoadCase load;
    load.name = settings.has("name") ? settings.text("name") : fmt::format("case {}", task_.cases.size() + 1);
    const Mesh& mesh = *task_.body_spec().built;
    collect("", [&] {
      const ModelSpec where = settings.model("where", Category::where);
      const Vec3 direction = settings.vec3("direction");
      const ModelSpec probe = settings.has("probe") ? settings.model("probe", Category::where) : where;
      load.pattern = spread(select_nodes(where, mesh), direction, mesh);
      load.probe = spread(select_nodes(probe, mesh), settings.has("along") ? settings.vec3("along") : direction, mesh);
    });
    if (settings.has("table") == settings.has("points"))
      report(settings.place(), settings.has("table") ? "a table and points" : "no measurements",
             "either \"table\" or \"points\"");
    else if (settings.has("table"))
      collect("", [&] { load.points = read_load_table(settings.path("table")); });
    else
      for (const Settings& point : settings.sections("points"))
        load.points.push_back({point.number("load"), point.number("displacement"), point.flag("held_out")});
    task_.cases.push_back(std::move(load));
  }
  /// The unit vector of a direction, shared equally by some nodes.
  static Vector spread(const std::vector<int>& nodes, const Vec3& direction, const Mesh& mesh) {
    Vector result = Vector::Zero(3 * mesh.num_nodes());
    if (!(direction.norm() > 0)) return result;  // the load test reports it
    for (const int node : nodes)
      result.segment<3>(3 * node) = direction.normalized() / static_cast<double>(nodes.size());
    return result;
  }

  FitTask& task_;
  const Settings& section_;
  std::vector<Problem> problems_;
};

}  // namespace

FitTask make_fit_task(const SceneSpec& spec) {
  const Settings root(spec.document, spec.document->value, "");
  if (!root.has("fit"))
    throw Error(Problem{spec.document->file, "no \"fit\" section", "load tests of a body, or a sagged pose",
                        R"(add "fit": {"cases": [{"where": .., "direction": [0, -1, 0], "table": "loads.csv"}]})"});
  const Settings section = root.section("fit");
  FitTask task;
  task.body = find_body(spec, section);
  task.wants_rest_shape = section.flag("rest_shape");
  task.spec = spec;
  TaskReader(task, section).read();
  task.pose = task.body_spec().built->nodes;
  if (task.wants_rest_shape) {
    const std::shared_ptr<const Mesh> built = task.body_spec().built;
    task.spec =
        parse_scene(filled_in(spec), spec.document->file, spec.document->folder, frozen_selections(spec, task.body));
    task.spec.bodies[task.body].built = built;
  }
  if (!task.cases.empty()) LoadTest(tested_body(task, {}), task.cases);  // so that bad tables are told now
  return task;
}

}  // namespace dashpot::design
