#include "dashpot/scene/assembly/scene_checks.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/assembly/law_checks.hpp"
#include "dashpot/scene/assembly/material_elements.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

/// Runs an action that may throw Error; its problems are added, with a place where they have none.
template <class Action>
bool collect(std::vector<Problem>& problems, const std::string& place, Action action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    for (Problem problem : error.problems()) {
      if (problem.place.empty()) problem.place = place;
      problems.push_back(std::move(problem));
    }
    return false;
  }
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c >= 0x80;
  });
}

void check_selections(const BodySpec& body, const Mesh& mesh, std::vector<Problem>& problems) {
  const auto selects = [&](const ModelSpec& where) {
    if (collect(problems, where.settings.place(), [&] { select_nodes(where, mesh); }))
      check_nearest(where, mesh, problems);
  };
  for (const PinSpec& pin : body.pins) selects(pin.where);
  for (const PointMassSpec& mass : body.point_masses) selects(mass.where);
  for (const ModelSpec& load : body.loads) selects(load.settings.model("where", Category::where));
  if (body.start.settings.has("loads"))
    for (const ModelSpec& load : body.start.settings.models("loads", Category::load))
      selects(load.settings.model("where", Category::where));
  const auto check_regions = [&](const ModelSpec& model) {
    if (!model.settings.has("regions") || mesh.tets() == nullptr) return;
    for (const Settings& region : model.settings.sections("regions"))
      collect(problems, region.place("where"), [&] { select_tets(region.model("where", Category::where), mesh); });
  };
  if (body.material) check_regions(*body.material);
  for (const ModelSpec& damping : body.damping) check_regions(damping);
}

void check_springs(const BodySpec& body, const Mesh& mesh, std::vector<Problem>& problems) {
  for (const SpringSpec& spring : body.springs) {
    for (const std::array<int, 2>& pair : spring.between)
      if (pair[0] >= mesh.num_nodes() || pair[1] >= mesh.num_nodes() || pair[0] == pair[1])
        problems.push_back(
            {spring.settings.place("between"), fmt::format("a spring between nodes {} and {}", pair[0], pair[1]),
             fmt::format("two different nodes from 0 to {}", mesh.num_nodes() - 1), "nodes count from 0"});
    if (spring.between.empty() && unique_edges(mesh).empty())
      problems.push_back(
          {spring.settings.place(), "springs along edges of a mesh without edges", "\"between\": [[0, 1], ...]"});
  }
}

/// Keyframes, caches and tracks that cannot be followed.
void check_motions(const BodySpec& body, const Mesh& mesh, double end, std::vector<Problem>& problems) {
  for (const PinSpec& pin : body.pins)
    if (pin.motion)
      collect(problems, pin.motion->settings.place(), [&] {
        make_motion(*pin.motion, {&mesh, select_nodes(pin.where, mesh), placement_of(body), end});
      });
}

/// Every node must weigh something, or its acceleration is undefined.
void check_mass(const BodySpec& body, const Mesh& mesh, std::vector<Problem>& problems) {
  std::vector<char> heavy(mesh.nodes.size(), 0);
  if (const ElementGroup* elements = body.material ? elements_of(*body.material, mesh) : nullptr)
    for (const int node : elements->nodes) heavy[static_cast<std::size_t>(node)] = 1;
  for (const PointMassSpec& mass : body.point_masses)
    collect(problems, "", [&] {
      for (const int node : select_nodes(mass.where, mesh)) heavy[static_cast<std::size_t>(node)] = 1;
    });
  for (const PinSpec& pin : body.pins)
    if (pin.axes[0] && pin.axes[1] && pin.axes[2])
      collect(problems, "", [&] {
        for (const int node : select_nodes(pin.where, mesh)) heavy[static_cast<std::size_t>(node)] = 1;
      });
  const auto light = std::find(heavy.begin(), heavy.end(), 0);
  if (light != heavy.end())
    problems.push_back({body.settings.place(),
                        fmt::format("{} of {} nodes have no mass (the first is node {})",
                                    std::count(heavy.begin(), heavy.end(), 0), heavy.size(), light - heavy.begin()),
                        "a material, or \"point_masses\", at every free node",
                        mesh.tets() == nullptr ? "add \"point_masses\": [{\"mass\": \"1 g\"}]"
                                               : "remove unused nodes from the mesh, or pin them"});
}

/// A body whose pins hold every node, none of them driven, is there for others; alone it is a scene without motion.
void check_freedom(const BodySpec& body, const Mesh& mesh, std::vector<Problem>& problems) {
  std::vector<std::array<bool, 3>> held(mesh.nodes.size(), {false, false, false});
  for (const PinSpec& pin : body.pins) {
    if (pin.motion) return;
    for (const int node : select_nodes(pin.where, mesh))
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (pin.axes[axis]) held[static_cast<std::size_t>(node)][axis] = true;
  }
  if (std::all_of(held.begin(), held.end(), [](const auto& axes) { return axes[0] && axes[1] && axes[2]; }))
    problems.push_back({body.settings.place("pins"), fmt::format("the pins hold every node of '{}'", body.name),
                        "nodes that can move", "select fewer of them, or give the pins a \"motion\"",
                        Problem::Severity::warning});
}

void check_body(SceneSpec& spec, std::size_t index, std::vector<Problem>& problems) {
  BodySpec& body = spec.bodies[index];
  if (body.material && spec.time.stepper.is_explicit() && body.material->settings.text("mass") != "lumped")
    problems.push_back({body.material->settings.place("mass"),
                        fmt::format("consistent mass with the explicit stepper {}", spec.time.stepper_model.name()),
                        "\"mass\": \"lumped\"", "or an implicit stepper"});
  std::set<std::string> dampings;
  for (const ModelSpec& damping : body.damping)
    if (!dampings.insert(damping.name()).second && !damping.entry->may_repeat)
      problems.push_back({damping.settings.place(), fmt::format("{} a second time", damping.name()),
                          "each damping model once a body", "add the amounts, or use \"regions\""});
  if (!collect(problems, body.mesh.settings.place(), [&] { body.built = build_mesh(body, &problems); })) return;
  const Mesh& mesh = *body.built;
  if (body.material && elements_of(*body.material, mesh) == nullptr) {
    const int dimension = dimension_of(*body.material);
    const std::string wanted = dimension == 3 ? "tets" : dimension == 2 ? "triangles" : "edges";
    problems.push_back(
        {body.material->settings.place(), fmt::format("a material for {0} on a mesh without {0}", wanted),
         "a mesh of " + wanted,
         "sheets of triangles are a \"membrane\", edges a \"strand\" or \"springs\", points have \"point_masses\""});
  }
  if (!body.material && body.springs.empty() && mesh.tets() != nullptr)
    problems.push_back({body.settings.place(), "no material", "\"material\": {\"model\": ..., \"young\": ..., ...}"});
  const auto num_errors = [&] {
    return std::count_if(problems.begin(), problems.end(),
                         [](const Problem& problem) { return problem.severity == Problem::Severity::error; });
  };
  const auto before = num_errors();
  check_selections(body, mesh, problems);
  for (const ProbeSpec& probe : spec.record.probes)
    if (probe.body == index &&
        collect(problems, probe.where.settings.place(), [&] { select_nodes(probe.where, mesh); }))
      check_nearest(probe.where, mesh, problems);
  check_springs(body, mesh, problems);
  if (num_errors() == before) check_motions(body, mesh, spec.time.end, problems);
  if (num_errors() == before) check_mass(body, mesh, problems);
  if (num_errors() == before && spec.bodies.size() == 1) check_freedom(body, mesh, problems);
}

}  // namespace

void check_name(const std::string& name, const std::string& place, std::set<std::string>& seen,
                std::vector<Problem>& problems) {
  if (!is_plain_name(name))
    problems.push_back(
        {place, fmt::format("the name \"{}\"", name), "letters, digits, - and _", "it becomes part of column names"});
  else if (!seen.insert(name).second)
    problems.push_back({place, fmt::format("the name \"{}\" a second time", name), "different names"});
}

Placement placement_of(const BodySpec& body) {
  const double angle = body.rotate.norm();
  Placement placement{body.scale, Mat3::Identity(), body.translate};
  if (angle > 0) placement.R = Eigen::AngleAxisd(angle, body.rotate / angle).toRotationMatrix();
  return placement;
}

std::shared_ptr<const Mesh> build_mesh(const BodySpec& body, std::vector<Problem>* warnings) {
  if (body.built) return body.built;
  std::vector<Problem> unheard;
  Mesh mesh =
      std::get<MeshFactory>(body.mesh.entry->factory)(body.mesh.settings, warnings != nullptr ? *warnings : unheard);
  if (mesh.nodes.empty()) throw Error(Problem{body.mesh.settings.place(), "a mesh without nodes", "at least one node"});
  if (body.elements == ElementOrder::tet10 && mesh.group(ElementKind::tet4) != nullptr) mesh = to_quadratic(mesh);
  if (body.elements == ElementOrder::tet10 && mesh.group(ElementKind::tet10) == nullptr)
    throw Error(Problem{body.settings.place("elements"), "tet10 for a mesh without tets", "a mesh of tets"});
  if (body.elements == ElementOrder::tet4 && mesh.group(ElementKind::tet10) != nullptr)
    throw Error(
        Problem{body.settings.place("elements"), "tet4 for a mesh of 10-node tets", "\"as_mesh\" or \"tet10\""});
  const Placement placement = placement_of(body);
  for (Vec3& x : mesh.nodes) x = placement.to_world(x);
  return std::make_shared<const Mesh>(std::move(mesh));
}

void check_names(const SceneSpec& spec, std::vector<Problem>& problems) {
  std::set<std::string> bodies, probes;
  std::vector<std::string> names;
  for (const BodySpec& body : spec.bodies) {
    check_name(body.name, body.settings.place("name"), bodies, problems);
    names.push_back(body.name);
  }
  const Settings root(spec.document, spec.document->value, "");
  const auto require_body = [&](const Settings& settings, const char* key) {
    if (bodies.count(settings.text(key)) != 0) return;
    const std::string near = nearest_name(settings.text(key), names);
    problems.push_back({settings.place(key), fmt::format("no body \"{}\"", settings.text(key)), "the name of a body",
                        near.empty() ? "" : fmt::format("did you mean \"{}\"?", near)});
  };
  for (const Settings& attachment : root.sections("attachments")) {
    require_body(attachment, "body");
    require_body(attachment, "to");
    if (attachment.text("body") == attachment.text("to"))
      problems.push_back({attachment.place("to"), "a body attached to itself", "another body"});
  }
  const Settings record = root.section("record");
  for (const Settings& probe : record.sections("probes")) {
    check_name(probe.text("name"), probe.place("name"), probes, problems);
    if (!probe.has("body")) {
      if (spec.bodies.size() > 1)
        problems.push_back({probe.place(), "a probe without \"body\"", "which of the bodies"});
    } else {
      require_body(probe, "body");
    }
  }
}

void check_physics(SceneSpec& spec, std::vector<Problem>& problems) {
  const Settings time = Settings(spec.document, spec.document->value, "").section("time");
  constexpr double shortest = 1e-15, longest = 1e9;  // masses over its square, and its square times forces, are numbers
  if (!(spec.time.dt >= shortest && spec.time.dt <= longest))
    problems.push_back({time.place("dt"), fmt::format("dt = {:g} s", spec.time.dt),
                        fmt::format("{:g} s \u2264 dt \u2264 {:g} s", shortest, longest), "check the unit"});
  if (spec.time.dt > spec.time.end)
    problems.push_back({time.place("dt"),
                        fmt::format("dt = {} is longer than the run", describe_quantity(spec.time.dt, Quantity::time)),
                        fmt::format("dt \u2264 {}", describe_quantity(spec.time.end, Quantity::time))});
  if (spec.time.end / spec.time.dt > 1e9)
    problems.push_back(
        {time.place("dt"), fmt::format("{:.4g} steps", spec.time.end / spec.time.dt), "at most 1000000000 steps"});
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) check_body(spec, i, problems);
  check_laws(spec, problems);
}

void check_intact_bodies(const std::shared_ptr<const SceneDocument>& document, std::vector<Problem>& problems) {
  const JsonValue* bodies = document->value.find("bodies");
  if (bodies == nullptr) return;
  for (std::size_t i = 0; i < bodies->items.size(); ++i) {
    const std::string pointer = fmt::format("/bodies/{}", i);
    const auto touched = [&](const Problem& problem) {
      return problem.severity == Problem::Severity::error && problem.place.find(pointer + "/mesh") != std::string::npos;
    };
    const JsonValue* mesh = bodies->items[i].find("mesh");
    if (mesh == nullptr || mesh->members.empty() || std::any_of(problems.begin(), problems.end(), touched)) continue;
    const Settings body(document, bodies->items[i], pointer);
    const ModelSpec model = body.model("mesh", Category::mesh);
    collect(problems, model.settings.place(),
            [&] { std::get<MeshFactory>(model.entry->factory)(model.settings, problems); });
  }
}

}  // namespace dashpot
