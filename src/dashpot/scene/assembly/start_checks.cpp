#include "dashpot/scene/assembly/start_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dashpot/contact/collider.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/scene/assembly/collider_assembly.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

// Shares of the body's largest extent. Less than the first is what bodies at rest overlap anyway.
constexpr double harmless_overlap = 0.005;
constexpr double harmless_jump = 0.05;
constexpr int num_looks = 200;  ///< times at which motions are looked at

std::string length(double value) { return describe_quantity(value, Quantity::length, 3); }
std::string speed(double value) { return describe_quantity(value, Quantity::velocity, 3); }

/// A body at time zero.
struct StartingBody {
  const BodySpec* spec;
  const Mesh* mesh;
  std::vector<Vec3> x;      ///< of the nodes, before driven ones are put where they belong [m]
  std::vector<char> held;   ///< nodes whose three axes are prescribed
  bool is_balanced;         ///< starts in equilibrium with its drivers and colliders
  double size;              ///< largest extent [m]
  double driven_speed = 0;  ///< largest of its driven nodes during the run [m/s]
};

StartingBody starting_body(const SceneSpec& spec, const BodySpec& body) {
  StartingBody result{&body, body.built.get(), body.built->nodes, {}, body.start.name() == "equilibrium", 0};
  result.size = bounding_box(result.x).size().maxCoeff();
  const std::string& start = body.start.name();
  if (start == "formula" || start == "pose" || start == "opened") {  // the others cost a solve, or change nothing
    BodyAssembly alone(spec, body, *body.built, 0);
    result.x = std::get<StartFactory>(body.start.entry->factory)(body.start.settings, alone);
  }
  result.held.assign(result.x.size(), 0);
  for (const PinSpec& pin : body.pins)
    if (pin.axes[0] && pin.axes[1] && pin.axes[2])
      for (const int node : select_nodes(pin.where, *body.built)) result.held[at(node)] = 1;
  return result;
}

/// First pose and speed of driven nodes.
void check_motion_of(const SceneSpec& spec, const PinSpec& pin, StartingBody& body, std::vector<Problem>& problems) {
  const std::vector<int> nodes = select_nodes(pin.where, *body.mesh);
  const auto motion = make_motion(*pin.motion, {body.mesh, nodes, placement_of(*body.spec), spec.time.end}).points;
  const std::string place = pin.motion->settings.place();
  std::vector<Vec3> x, v;
  motion->evaluate(0, &x, nullptr, nullptr);
  double jump = 0, fastest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Vec3 way = x[i] - body.x[at(nodes[i])];
    for (int axis = 0; axis < 3; ++axis)
      if (!pin.axes[at(axis)]) way[axis] = 0;
    jump = std::max(jump, way.norm());
  }
  const bool has_free_nodes = std::count(body.held.begin(), body.held.end(), 0) > 0;
  if (has_free_nodes && !body.is_balanced && jump > harmless_jump * body.size)
    problems.push_back(
        {place,
         fmt::format(
             "driven nodes of {} are {} away from where the body starts, {:.3g} times its size: they jump there "
             "at time zero and stretch the rest",
             body.spec->name, length(jump), jump / body.size),
         "a first pose near the start of the body",
         "Begin with the rest pose, fade in with \"ramp\", place the body where the motion begins, or start from "
         "\"equilibrium\"",
         jump > body.size ? Problem::Severity::error : Problem::Severity::warning});
  for (int k = 0; k <= num_looks; ++k) {
    motion->evaluate(spec.time.end * k / num_looks, nullptr, &v, nullptr);
    for (const Vec3& velocity : v) fastest = std::max(fastest, velocity.norm());
  }
  if (fastest * spec.time.dt > body.size)
    problems.push_back({place,
                        fmt::format("driven nodes of {} move at up to {}: {:.3g} of its sizes in a step of {}",
                                    body.spec->name, speed(fastest), fastest * spec.time.dt / body.size,
                                    describe_quantity(spec.time.dt, Quantity::time, 3)),
                        "less than its size in a step", "Put the keys farther apart in time, or shorten dt",
                        Problem::Severity::warning});
  body.driven_speed = std::max(body.driven_speed, fastest);
}

void check_inside(const ColliderSpec& collider, const StartingBody& body, std::vector<Problem>& problems) {
  const std::shared_ptr<const ColliderInstant> solid = collider.built->at(0);
  const double thickness = collider.model.settings.number("thickness");
  const std::vector<int> nodes = contact_nodes(*body.mesh);
  SurfaceSample sample;
  double deepest = 0;
  Vec3 way_out = Vec3::Zero();
  int inside = 0;
  for (const int node : nodes) {
    if (body.held[at(node)] != 0 || !solid->sample(body.x[at(node)], thickness, false, sample)) continue;
    const double depth = thickness - sample.distance;
    if (depth <= harmless_overlap * body.size) continue;
    ++inside;
    if (depth <= deepest) continue;
    deepest = depth;
    way_out = sample.normal;
  }
  if (inside == 0) return;
  const Vec3 move = 1.01 * deepest * way_out;
  problems.push_back(
      {collider.model.settings.place(),
       fmt::format("{} of the {} surface nodes of {} start inside \"{}\", the deepest by {}: it is thrown out", inside,
                   nodes.size(), body.spec->name, collider.name, length(deepest)),
       "bodies that start outside",
       fmt::format("Move it by about ({:.3g}, {:.3g}, {:.3g}) m with \"place\": {{\"translate\": ...}}, start from "
                   "\"equilibrium\", or leave it out of the collider's \"bodies\"",
                   move.x(), move.y(), move.z()),
       Problem::Severity::warning});
}

/// How a collider moves and where it is.
struct Obstacle {
  BoundingBox box;   ///< at time zero
  double speed = 0;  ///< largest of its surface [m/s]
  double reach = 0;  ///< how deep a node may get before it is pushed out on the other side [m]
};

std::optional<Obstacle> thin_obstacle(const SceneSpec& spec, const ColliderSpec& collider) {
  const Settings& settings = collider.model.settings;
  const double reach = collider.built->depth() + settings.number("thickness");
  const Mesh outline = collider.built->outline();
  if (settings.flag("step_limit") || !std::isfinite(reach) || outline.nodes.empty()) return std::nullopt;
  Obstacle obstacle{bounding_box(outline.nodes), 0, reach};
  std::vector<Vec3> v;
  for (int k = 0; k <= num_looks && !collider.built->is_fixed(); ++k) {
    collider.built->outline_at(spec.time.end * k / num_looks, nullptr, &v);
    for (const Vec3& velocity : v) obstacle.speed = std::max(obstacle.speed, velocity.norm());
  }
  return obstacle;
}

/// Speed a body may have when it meets an obstacle [m/s]; 0: it does not get there.
double meeting_speed(const SceneSpec& spec, const StartingBody& body, const Obstacle& obstacle) {
  const Settings& start = body.spec->start.settings;
  BoundingBox box = bounding_box(body.x);
  const double thrown = start.vec3("velocity").norm() + 0.5 * box.diagonal() * start.vec3("angular_velocity").norm();
  const double g = spec.gravity.norm();
  double fall = 0;
  if (g > 0) {
    const Vec3 down = spec.gravity / g;
    const auto lowest = [&](const BoundingBox& b) {
      return 0.5 * (b.min + b.max).dot(down) + 0.5 * (b.max - b.min).dot(down.cwiseAbs());
    };
    fall = std::max(0.0, lowest(obstacle.box) - lowest(box));
    if (!body.spec->pins.empty()) fall = std::min(fall, body.size);  // it hangs
    fall = std::min(fall, 0.5 * g * spec.time.end * spec.time.end);
    const Vec3 path = fall * down;
    box.min += path.cwiseMin(0.0);
    box.max += path.cwiseMax(0.0);
  }
  const double travel = (thrown + body.driven_speed) * spec.time.end + obstacle.reach;
  const bool gets_there = ((box.min.array() - travel) <= obstacle.box.max.array()).all() &&
                          ((box.max.array() + travel) >= obstacle.box.min.array()).all();
  if (!gets_there && obstacle.speed == 0) return 0;
  return thrown + body.driven_speed + std::sqrt(2 * g * fall) + obstacle.speed;
}

void check_thinness(const SceneSpec& spec, const ColliderSpec& collider, const StartingBody& body,
                    const Obstacle& obstacle, std::vector<Problem>& problems) {
  const double fastest = meeting_speed(spec, body, obstacle);
  if (fastest * spec.time.dt <= obstacle.reach) return;
  problems.push_back(
      {collider.model.settings.place(),
       fmt::format(
           "{} may meet \"{}\" at {} and move {} in a step of {}, but a node {} deep is past its middle: it can "
           "pass through",
           body.spec->name, collider.name, speed(fastest), length(fastest * spec.time.dt),
           describe_quantity(spec.time.dt, Quantity::time, 3), length(obstacle.reach)),
       fmt::format("dt below {}", describe_quantity(obstacle.reach / fastest, Quantity::time, 3)),
       "or \"step_limit\": true, or a thicker collider", Problem::Severity::warning});
}

}  // namespace

void check_starts(const SceneSpec& spec, std::vector<Problem>& problems) {
  std::vector<StartingBody> bodies;
  for (const BodySpec& body : spec.bodies) try {
      bodies.push_back(starting_body(spec, body));
      for (const PinSpec& pin : body.pins)
        if (pin.motion) check_motion_of(spec, pin, bodies.back(), problems);
    } catch (const Error& error) {  // a pose file of another mesh
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  for (const ColliderSpec& collider : spec.colliders) {
    const std::optional<Obstacle> obstacle = thin_obstacle(spec, collider);
    for (const StartingBody& body : bodies) {
      if (!touches(collider, body.spec->name)) continue;
      if (!body.is_balanced) check_inside(collider, body, problems);
      if (obstacle) check_thinness(spec, collider, body, *obstacle, problems);
    }
  }
}

}  // namespace dashpot
