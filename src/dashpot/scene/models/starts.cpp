#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "dashpot/core/file.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/math/formula.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/record/recording.hpp"
#include "dashpot/scene/assembly/bent_region.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/assembly/start_parameters.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

std::vector<Vec3> nodes_of(const Vector& q) {
  std::vector<Vec3> nodes;
  for (Eigen::Index i = 0; i + 2 < q.size(); i += 3) nodes.emplace_back(q[i], q[i + 1], q[i + 2]);
  return nodes;
}

/// Lines of three numbers, separated by blanks or commas; '#' starts a comment.
std::vector<Vec3> read_positions(const std::string& path, const FileReader& read) {
  std::istringstream lines(read(path));
  std::vector<Vec3> positions;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find('#'));
    std::replace(line.begin(), line.end(), ',', ' ');
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream words(line);
    Vec3 x;
    std::string rest_of_line;
    if (!(words >> x.x() >> x.y() >> x.z()) || (words >> rest_of_line))
      throw Error(Problem{fmt::format("{}:{}", path, number), fmt::format("\"{}\"", line.substr(0, 40)),
                          "three numbers x y z [m]"});
    positions.push_back(x);
  }
  return positions;
}

std::vector<Vec3> rest(const Settings&, const BodyAssembly& body) { return body.mesh().nodes; }

/// The body and all bodies that attachments join to it, directly or through others.
std::vector<const BodySpec*> joined_to(const BodyAssembly& body) {
  const SceneSpec& scene = body.scene();
  std::vector<char> joined(scene.bodies.size(), 0);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) joined[i] = &scene.bodies[i] == &body.spec() ? 1 : 0;
  for (bool grew = true; grew;) {
    grew = false;
    for (const AttachmentSpec& attachment : scene.attachments)
      if (joined[attachment.body] != joined[attachment.to]) {
        joined[attachment.body] = joined[attachment.to] = 1;
        grew = true;
      }
  }
  std::vector<const BodySpec*> group;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (joined[i] != 0) group.push_back(&scene.bodies[i]);
  return group;
}

/// Adds what an equilibrium asks for to the forces of the balance; all bodies of a group find theirs together.
void add_start_forces(const System& system, const BodyAssembly& body, const Settings& settings, const Vector& rest,
                      Vector& extra) {
  for (const ModelSpec& load : settings.models("loads", Category::load))
    std::get<LoadFactory>(load.entry->factory)(load.settings, body)->add_force(0, extra);
  if (!settings.flag("lasting_loads")) {
    Vector lasting = Vector::Zero(system.num_dofs());
    for (const ModelSpec& load : body.spec().loads)
      std::get<LoadFactory>(load.entry->factory)(load.settings, body)->add_force(0, lasting);
    extra -= lasting;
  }
  if (!settings.flag("gravity"))
    for (const auto& energy : system.energies())
      if (energy->kind() == EnergyKind::gravity && energy->body() == body.name())
        energy->evaluate({.q = rest, .gradient = &extra});
}

/// Bodies that do not hang together find their balance each in a System of its own. `settings` are the body's start, or
/// another equilibrium of it (an example of damping); bodies attached to it stand in that of their start.
std::vector<Vec3> equilibrium(const Settings& settings, const BodyAssembly& body) {
  const std::vector<const BodySpec*> group = joined_to(body);
  for (const BodySpec* other : group)
    if (other != &body.spec() && other->start.name() != "equilibrium")
      throw Error(Problem{other->start.settings.place(),
                          fmt::format("{} starts from \"{}\", but is attached to {}, which starts from equilibrium",
                                      other->name, other->start.name(), body.name()),
                          "one start for all bodies that hang together", "\"start\": {\"from\": \"equilibrium\"}"});
  const AssembledBodies together = assemble(body.scene(), group, AssemblyScope::balance);
  const System& system = *together.system;
  State state = system.initial_state();
  Vector extra = Vector::Zero(system.num_dofs());
  for (const BodyAssembly& part : together.bodies)
    add_start_forces(system, part, &part.spec() == &body.spec() ? settings : part.spec().start.settings, state.q,
                     extra);
  StaticOptions options;
  options.linear = body.scene().linear;
  options.tolerance = 1e-7;  // stiff thin bodies reach round-off above the solver's own default
  const StaticReport report = solve_static(system, state, extra, options);
  if (!report.converged)
    throw Error(Problem{settings.place(), "no equilibrium found: " + report.explanation,
                        "a body that is held and loads it can bear", "pin it, lower the loads, or start from rest"});
  return nodes_of(state.q.segment(3 * together.find(body.spec())->first_block(), 3 * body.num_nodes()));
}

std::vector<Vec3> pose(const Settings& settings, const BodyAssembly& body) {
  const std::string path = settings.path("file");
  const std::vector<std::string> known = readable_mesh_extensions();
  const std::string extension = std::filesystem::path(path).extension().string();
  ReadOptions options;
  options.read = settings.reader();
  std::vector<Vec3> positions = std::find(known.begin(), known.end(), extension) != known.end()
                                    ? read_mesh(path, nullptr, options).nodes
                                    : read_positions(path, settings.reader());
  if (static_cast<int>(positions.size()) != body.num_nodes())
    throw Error(Problem{settings.place("file"), fmt::format("{} positions in {}", positions.size(), path),
                        fmt::format("{}, one for each node of the body", body.num_nodes())});
  return positions;
}

std::vector<Vec3> formula_start(const Settings& settings, const BodyAssembly& body) {
  std::vector<Vec3> positions = body.mesh().nodes;
  const char* names[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    const Formula displacement = Formula::parse(settings.text(names[axis]));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i][axis] += displacement.evaluate(body.mesh().nodes[i]);
      if (!std::isfinite(positions[i][axis]))
        throw Error(Problem{settings.place(names[axis]), fmt::format("the formula is not finite at node {}", i),
                            "a finite displacement"});
    }
  }
  return positions;
}

std::vector<Vec3> mode(const Settings& settings, BodyAssembly& body) {
  if (joined_to(body).size() > 1)
    throw Error(Problem{settings.place(), fmt::format("a mode of {}, which is attached to other bodies", body.name()),
                        "a body by itself",
                        "its own modes are not those of the whole; start from a formula or a pose"});
  const BodyAssembly::Mode wanted =
      with_location(settings.place("mode"), [&] { return body.mode(settings.integer("mode")); });
  std::vector<Vec3> positions = body.mesh().nodes;
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += settings.number("amplitude") * wanted.shape[i];
  return positions;
}

/// The frame nearest to the wanted time.
std::vector<Vec3> frame(const Settings& settings, const BodyAssembly& body) {
  const std::string folder = settings.path("run");
  const Recording recording =
      with_location(settings.place("run"), [&] { return read_recording(folder, settings.reader()); });
  const std::string& wanted = settings.has("body") ? settings.text("body") : body.name();
  const auto recorded = std::find_if(recording.bodies.begin(), recording.bodies.end(),
                                     [&](const RecordedBody& other) { return other.name == wanted; });
  if (recorded == recording.bodies.end())
    throw Error(Problem{settings.place("body"), fmt::format("no body \"{}\" in the run {}", wanted, folder),
                        "a body of that run", "name it by \"body\""});
  if (recorded->mesh.num_nodes() != body.num_nodes())
    throw Error(Problem{settings.place("run"),
                        fmt::format("{} nodes in the run's \"{}\"", recorded->mesh.num_nodes(), wanted),
                        fmt::format("{}, the same mesh as \"{}\"", body.num_nodes(), body.name())});
  if (recording.frames.empty()) throw Error(Problem{settings.place("run"), "a run without frames", "recorded frames"});
  const double time = settings.number("time");
  const auto nearest = std::min_element(
      recording.frames.begin(), recording.frames.end(),
      [&](const Frame& a, const Frame& b) { return std::abs(a.time - time) < std::abs(b.time - time); });
  const auto first = nearest->points.begin() + recorded->first_point;
  return {first, first + body.num_nodes()};
}

std::vector<Vec3> bend(const Settings& settings, const BodyAssembly& body) {
  RegionBend wanted;
  wanted.axis = settings.vec3("axis");
  wanted.angle = settings.number("angle");
  if (settings.has("center")) wanted.center = settings.vec3("center");
  if (settings.has("rise")) wanted.rise = settings.number("rise");
  return with_location(settings.place("where"), [&] {
    return bend_region(body.mesh(), select_nodes(settings.model("where", Category::where), body.mesh()), wanted);
  });
}

void check_bend(const Settings& settings, std::vector<Problem>& problems) {
  if (!(settings.vec3("axis").norm() > 0))
    problems.push_back({settings.place("axis"), "an axis of length zero", "a direction such as [0, 0, 1]"});
}

void check_formula(const Settings& settings, std::vector<Problem>& problems) {
  for (const char* name : {"x", "y", "z"}) try {
      Formula::parse(settings.text(name));
    } catch (const Error& error) {
      for (Problem problem : error.problems()) {
        problem.place = settings.place(name);
        problems.push_back(std::move(problem));
      }
    }
}

}  // namespace

namespace models {

void starts(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, std::vector<Parameter> parameters, StartFactory make,
                       ModelCheck check = {}) {
    registry.add({Category::start, name, meaning, "", with_start_velocity(std::move(parameters)), std::move(make), "",
                  std::move(check)});
  };
  add("rest", "the shape of the mesh", {}, rest);
  add("equilibrium", "static balance of elasticity, gravity and the loads given here, which are let go at time zero",
      {parameter::list("loads", parameter::model_type(Category::load),
                       "act only before time zero, with their value at time zero")
           .or_else("[]"),
       parameter::boolean("gravity", "whether gravity acts in the balance").or_else("true"),
       parameter::boolean("lasting_loads", "whether the body's own loads (at time zero) act in the balance")
           .or_else("true")},
      equilibrium);
  add("pose", "node positions from a file, in the mesh's order; held nodes stay where the mesh has them",
      {parameter::file("file", "a mesh file with the same nodes, or lines of x y z [m]")}, pose);
  add("formula", "rest plus a displacement, given as formulas of the rest position X, Y, Z [m]",
      {parameter::text("x", "for example \"0.1*X^2\"").or_else(R"("0")"),
       parameter::text("y", "displacement along y").or_else(R"("0")"),
       parameter::text("z", "displacement along z").or_else(R"("0")")},
      formula_start, check_formula);
  add("mode", "rest plus a vibration mode of the body",
      {parameter::integer("mode", "", "number, from 1, rigid motions not counted").at_least(1).or_else("1"),
       parameter::real("amplitude", "A", Quantity::length, "displacement of the node that moves most")},
      mode);
  add("bend", "rest with a part turned about an axis; smooth at the border of the part",
      {parameter::model("where", Category::where, "the part"),
       parameter::vector3("axis", "", Quantity::number, "direction of the axis, right-handed"),
       parameter::real("angle", "", Quantity::angle, "turn of the deep nodes of the part"),
       parameter::vector3("center", "", Quantity::length,
                          "a point of the axis; the middle of the part's border unless given")
           .may_be_absent(),
       parameter::real("rise", "", Quantity::length,
                       "depth from the border at which the turn is whole; half of the greatest depth "
                       "unless given")
           .above(0)
           .may_be_absent()},
      bend, check_bend);
  add("frame", "a frame of a recorded run of the same mesh",
      {parameter::text("run", "folder of the run, relative to the scene").or_a_path(),
       parameter::real("time", "t", Quantity::time, "the frame nearest to this time is taken"),
       parameter::text("body", "its name in that run; the same name unless given").may_be_absent()},
      frame);
}

}  // namespace models
}  // namespace dashpot
