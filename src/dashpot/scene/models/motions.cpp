// How held nodes and colliders move in time.
#include <fmt/format.h>

#include <algorithm>

#include "dashpot/constraint/cache_motion.hpp"
#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/contact/steady_motion.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/assembly/formula_motion.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

math::Spline::Ends ends_of(const Settings& settings) {
  const std::string& name = settings.text("ends");
  return name == "cyclic"     ? math::Spline::Ends::cyclic
         : name == "straight" ? math::Spline::Ends::straight
                              : math::Spline::Ends::rest;
}

/// The limit given, or that of a teleport; 0 (none) for things without a size.
double max_speed(const Settings& settings, const MotionTarget& target) {
  return settings.has("max_speed") ? settings.number("max_speed") : teleport_sizes_per_second * target.size();
}

/// A rigid motion, with the points it carries; it is not looked at again.
DrivenMotion carried(std::shared_ptr<const RigidMotion> rigid, const MotionTarget& target) {
  return {rigid, std::make_shared<CarriedPoints>(rigid, target.rest())};
}

void require_nodes(const Settings& settings, const MotionTarget& target, const char* what) {
  if (target.mesh == nullptr)
    throw Error(Problem{settings.place(), fmt::format("{} for something that has no nodes", what),
                        "a rigid motion: keyframes, harmonic, or a joint of a skeleton"});
}

/// Begins later, faded in, as the settings say.
std::shared_ptr<const PointMotion> delayed(const Settings& settings, const MotionTarget& target,
                                           std::shared_ptr<const PointMotion> motion) {
  const double from = settings.number("from"), ramp = settings.number("ramp");
  if (from != 0 || ramp > 0) motion = std::make_shared<DelayedMotion>(std::move(motion), target.rest(), from, ramp);
  return motion;
}

/// Looks at a motion at up to 1000 times before the run; at fewer where it has many points.
void look_at(const Settings& settings, const MotionTarget& target, const PointMotion& motion) {
  const int samples = std::clamp(1000000 / std::max(1, motion.num_points()), 50, 1000);
  if (target.end > 0) check_motion(motion, target.end, samples, max_speed(settings, target));
}

DrivenMotion harmonic(const Settings& settings, const MotionTarget& target) {
  HarmonicMotion motion;
  motion.amplitude = settings.vec3("amplitude");
  motion.frequency = settings.number("frequency");
  motion.phase = settings.number("phase");
  motion.ramp = settings.number("ramp");
  motion.start = settings.number("from");
  return carried(std::make_shared<ShakenTable>(motion), target);
}

DrivenMotion steady(const Settings& settings, const MotionTarget& target) {
  SteadyMotionOptions motion;
  motion.velocity = settings.vec3("velocity");
  motion.angular_velocity = settings.vec3("angular_velocity");
  motion.about = settings.vec3("about");
  motion.start = settings.number("from");
  motion.ramp = settings.number("ramp");
  return carried(std::make_shared<SteadyMotion>(motion), target);
}

DrivenMotion keyframes(const Settings& settings, const MotionTarget& target) {
  const std::vector<Settings> keys = settings.sections("keys");
  std::vector<double> times;
  Matrix translation(3, static_cast<Eigen::Index>(keys.size())), rotation = translation;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    times.push_back(keys[i].number("time"));
    translation.block<3, 1>(0, static_cast<Eigen::Index>(i)) = keys[i].vec3("translate");
    rotation.block<3, 1>(0, static_cast<Eigen::Index>(i)) = keys[i].vec3("rotate");
  }
  Vec3 pivot = Vec3::Zero();
  const std::vector<Vec3> rest = target.rest();
  if (settings.has("pivot"))
    pivot = settings.vec3("pivot");
  else
    for (const Vec3& x : rest) pivot += x / static_cast<double>(rest.size());
  const math::Spline::Ends ends = ends_of(settings);
  DrivenMotion motion = carried(std::make_shared<KeyedRigidMotion>(math::Spline(times, translation, ends),
                                                                   math::Spline(times, rotation, ends), pivot),
                                target);
  look_at(settings, target, *motion.points);
  return motion;
}

DrivenMotion formula_motion(const Settings& settings, const MotionTarget& target) {
  require_nodes(settings, target, "a formula");
  std::array<Formula, 3> displacement;
  const char* const names[] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis)
    displacement[axis] =
        with_location(settings.place(names[axis]), [&] { return Formula::parse_in_time(settings.text(names[axis])); });
  DrivenMotion motion{
      nullptr, delayed(settings, target, std::make_shared<FormulaMotion>(std::move(displacement), target.rest()))};
  look_at(settings, target, *motion.points);
  return motion;
}

DrivenMotion cache(const Settings& settings, const MotionTarget& target) {
  require_nodes(settings, target, "a point cache");
  const PointCache cache = read_point_cache(settings.path("file"), settings.number("fps"), settings.reader());
  Placement placement = target.placement;
  if (settings.text("coordinates") == "world") placement = Placement();
  CacheLimits limits;
  limits.num_nodes = target.mesh->num_nodes();
  if (settings.has("max_gap")) limits.max_gap = settings.number("max_gap");
  limits.max_speed = max_speed(settings, target) / placement.scale;
  check_cache(cache, limits);
  auto points = std::make_shared<CacheMotion>(cache, target.nodes, ends_of(settings), placement);
  return {nullptr, delayed(settings, target, std::move(points))};
}

DrivenMotion skeleton(const Settings& settings, const MotionTarget& target) {
  const auto bones = std::make_shared<const Skeleton>(Skeleton::read(settings.path("file"), settings.reader()));
  const std::vector<Vec3> rest = target.rest();
  DrivenMotion motion;
  if (settings.has("joint")) {
    const int joint = with_location(settings.place("joint"), [&] { return bones->find(settings.text("joint")); });
    const bool faded = settings.number("ramp") > 0;
    motion = carried(std::make_shared<JointMotion>(bones, joint, target.placement, faded ? 0 : settings.number("from")),
                     target);
    if (faded) motion = {nullptr, delayed(settings, target, motion.points)};  // not rigid on its way into the motion
  } else {
    require_nodes(settings, target, "a skeleton without \"joint\"");
    std::vector<Vec3> local;
    for (const Vec3& x : rest) local.push_back(target.placement.from_world(x));
    const double blend = settings.has("blend") ? settings.number("blend") / target.placement.scale
                                               : 0.1 * target.size() / target.placement.scale;
    auto influences = bones->has_weights() ? given_weights(*bones, target.nodes, target.mesh->num_nodes())
                                           : skin_weights(*bones, local, blend);
    motion.points = delayed(settings, target,
                            std::make_shared<SkinnedPoints>(bones, rest, target.placement, std::move(influences)));
  }
  look_at(settings, target, *motion.points);
  return motion;
}

Parameter ends() {
  return parameter::choice("ends", {"rest", "straight", "cyclic"},
                           "before the first and after the last key: at rest, straight on, or again and again")
      .or_else(R"("rest")");
}

std::vector<Parameter> with_limits(std::vector<Parameter> parameters, bool delayed_too) {
  if (delayed_too) {
    parameters.push_back(
        parameter::real("from", "", Quantity::time, "begins; its own time starts from zero then").or_else("0"));
    parameters.push_back(
        parameter::real("ramp", "", Quantity::time, "smooth way from the rest shape into the motion; 0: none")
            .at_least(0)
            .or_else("0"));
  }
  parameters.push_back(parameter::real("max_speed", "", Quantity::velocity,
                                       "faster is refused as a teleport; left out: 30 body sizes a second")
                           .above(0)
                           .may_be_absent());
  return parameters;
}

void check_formulas(const Settings& settings, std::vector<Problem>& problems) {
  for (const char* name : {"x", "y", "z"}) try {
      with_location(settings.place(name), [&] { return Formula::parse_in_time(settings.text(name)); });
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
}

void check_keys(const Settings& settings, std::vector<Problem>& problems) {
  const std::vector<Settings> keys = settings.sections("keys");
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].number("time") <= keys[i - 1].number("time"))
      problems.push_back(
          {keys[i].place("time"),
           fmt::format("a key at {:.6g} s after one at {:.6g} s", keys[i].number("time"), keys[i - 1].number("time")),
           "times that increase", "Sort the keys, and give each time once"});
}

}  // namespace

std::vector<Vec3> MotionTarget::rest() const {
  std::vector<Vec3> points;
  for (const int node : nodes) points.push_back(mesh->nodes[static_cast<std::size_t>(node)]);
  return points;
}

double MotionTarget::size() const {
  if (mesh == nullptr) return 0;
  const BoundingBox box = bounding_box(mesh->nodes);
  return (box.max - box.min).norm();
}

DrivenMotion make_motion(const ModelSpec& motion, const MotionTarget& target) {
  return with_location(motion.settings.place(),
                       [&] { return std::get<MotionFactory>(motion.entry->factory)(motion.settings, target); });
}

namespace models {

void motions(Registry& registry) {
  registry.add(
      {Category::motion,
       "harmonic",
       "d(t) = A sin(2\u03c0 f t + \u03c6)",
       "",
       {parameter::vector3("amplitude", "A", Quantity::length, "displacement amplitude"),
        parameter::real("frequency", "f", Quantity::frequency, "cycles per second").above(0),
        parameter::real("phase", "\u03c6", Quantity::angle, "sin(2\u03c0 f t + \u03c6)").or_else("0"),
        parameter::real("from", "", Quantity::time, "begins").or_else("0"),
        parameter::real("ramp", "", Quantity::time, "smooth rise from rest; 0: starts with the velocity of the sine")
            .at_least(0)
            .or_else("0")},
       MotionFactory(harmonic)});
  registry.add(
      {Category::motion,
       "steady",
       "constant velocity and turning about an axis: a belt, a lift, a turntable",
       "",
       {parameter::vector3("velocity", "v", Quantity::velocity, "of everything").or_else("[0, 0, 0]"),
        parameter::vector3("angular_velocity", "\u03c9", Quantity::angular_velocity, "about the axis")
            .or_else("[0, 0, 0]"),
        parameter::vector3("about", "", Quantity::length, "a point of the axis at the start").or_else("[0, 0, 0]"),
        parameter::real("from", "", Quantity::time, "begins").or_else("0"),
        parameter::real("ramp", "", Quantity::time, "smooth rise from rest; 0: at full speed at once")
            .at_least(0)
            .or_else("0")},
       MotionFactory(steady)});
  registry.add(
      {Category::motion, "keyframes", "rigid: translation and rotation about a pivot, by keys joined with splines", "",
       with_limits(
           {parameter::list("keys",
                            parameter::object_type(
                                {parameter::real("time", "t", Quantity::time, "when"),
                                 parameter::vector3("translate", "", Quantity::length, "from the rest position")
                                     .or_else("[0, 0, 0]"),
                                 parameter::vector3("rotate", "", Quantity::angle, "rotation vector (axis times angle)")
                                     .or_else("[0, 0, 0]")}),
                            "poses in time")
                .sized(1, 1000000),
            parameter::vector3("pivot", "", Quantity::length,
                               "the pivot, which turns leave in place; left out: the middle of the nodes")
                .may_be_absent(),
            ends()},
           false),
       MotionFactory(keyframes), "keys", check_keys});
  registry.add({Category::motion, "formula",
                "rest plus a displacement, given as formulas of the rest position X, Y, Z [m] and the time t [s]", "",
                with_limits({parameter::text("x", "for example \"0.1*sin(2*pi*t)\"").or_else(R"("0")"),
                             parameter::text("y", "displacement along y").or_else(R"("0")"),
                             parameter::text("z", "displacement along z").or_else(R"("0")")},
                            true),
                MotionFactory(formula_motion), "", check_formulas});
  registry.add({Category::motion, "cache", "a point cache of the whole mesh (.pc2, .mdd), joined with splines", "",
                with_limits({parameter::file("file", "the cache; its points are the mesh's nodes, in the same order"),
                             parameter::real("fps", "", Quantity::frequency, "frames a second; .pc2 counts frames only")
                                 .above(0)
                                 .or_else("24"),
                             parameter::choice("coordinates", {"mesh", "world"},
                                               "of the positions: moved by the body's \"place\", or not")
                                 .or_else(R"("mesh")"),
                             parameter::real("max_gap", "", Quantity::time,
                                             "longest time between frames; left out: five times the median")
                                 .above(0)
                                 .may_be_absent(),
                             ends()},
                            true),
                MotionFactory(cache), "file"});
  registry.add(
      {Category::motion, "skeleton", "joints with tracks of rotations that carry the nodes as skin", "",
       with_limits({parameter::file("file", "skeleton and tracks (JSON)"),
                    parameter::text("joint", "follow this joint rigidly; left out: skin of all joints").may_be_absent(),
                    parameter::real("blend", "", Quantity::length,
                                    "how far around a joint its skin blends; left out: a tenth of the body's size")
                        .above(0)
                        .may_be_absent()},
                   true),
       MotionFactory(skeleton), "file"});
}

}  // namespace models
}  // namespace dashpot
