#include <memory>

#include <Eigen/Geometry>

#include "dashpot/contact/collider_mesh.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/scene/assembly/driven_motion.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

/// What every collider has besides its shape.
std::vector<Parameter> with_contact(std::vector<Parameter> shape) {
  std::vector<Parameter> common{
      parameter::text("name", "appears in messages and pictures; left out: the kind and a number").may_be_absent(),
      parameter::real("friction", "\u03bc", Quantity::number, "Coulomb friction, force over normal force")
          .at_least(0)
          .or_else("0")
          .doubt_outside(0, 3, "rubber on rubber has about 1"),
      parameter::real("slip_speed", "v\u03b5", Quantity::velocity,
                      "below this speed friction fades smoothly: a sticking node creeps, always slower than this")
          .above(0)
          .or_else("0.02"),
      parameter::real(
          "stiffness", "k", Quantity::pressure_stiffness,
          "pressure per overlap; left out: from the body's modulus, size and weight (the run says how much)")
          .above(0)
          .may_be_absent(),
      parameter::real(
          "node_stiffness", "", Quantity::stiffness,
          "force per overlap of a node without surface (points, springs); left out: from its weight and springs")
          .above(0)
          .may_be_absent(),
      parameter::real("onset", "w", Quantity::length,
                      "overlap over which the stiffness rises smoothly; left out: 0.2 % of the body's size")
          .above(0)
          .may_be_absent(),
      parameter::real("thickness", "", Quantity::length, "distance kept from the surface").at_least(0).or_else("0"),
      parameter::real("damping", "c", Quantity::slowness,
                      "loss of an impact: pressure \u00b7 (1 + c \u00b7 approach speed)")
          .at_least(0)
          .may_be_absent(),
      parameter::real(
          "restitution", "e", Quantity::number,
          "speed after over speed before an impact at restitution_speed, for a rigid body; in place of damping")
          .above(0)
          .at_most(1)
          .may_be_absent(),
      parameter::real("restitution_speed", "", Quantity::velocity, "impact speed at which restitution holds")
          .above(0)
          .or_else("1"),
      parameter::model("motion", Category::motion, "how it moves; left out: it stands still").may_be_absent(),
      parameter::boolean(
          "step_limit",
          "refuse steps in which a node would pass through (they are halved): for thin colliders and fast bodies")
          .or_else("false"),
      parameter::list(
          "bodies",
          [] {
            ValueType name;
            name.kind = ValueType::Kind::text;
            return name;
          }(),
          "names of the bodies it touches; left out: all")
          .may_be_absent()};
  for (Parameter& parameter : common) shape.push_back(std::move(parameter));
  return shape;
}

Parameter hollow() { return parameter::boolean("hollow", "inside out: bodies are kept within").or_else("false"); }

void check_losses(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("damping") && settings.has("restitution"))
    problems.push_back({settings.place("restitution"), "both damping and restitution", "one of them",
                        "restitution is another way to say how large the damping is"});
}

void check_capsule(const Settings& settings, std::vector<Problem>& problems) {
  check_losses(settings, problems);
  if (settings.vec3("from") == settings.vec3("to"))
    problems.push_back({settings.place("to"), "a capsule from a point to the same point", "two different ends",
                        "a ball is \"sphere\": {\"center\": ..., \"radius\": ...}"});
}

bool is_hollow(const Settings& settings) { return settings.has("hollow") && settings.flag("hollow"); }

/// A shape that stands still or is carried by the motion the scene gives it.
std::shared_ptr<const Collider> in_world(std::shared_ptr<const ColliderShape> shape, const Settings& settings,
                                         double end) {
  std::shared_ptr<const RigidMotion> motion;
  if (settings.has("motion")) {
    MotionTarget target;
    target.end = end;
    motion = make_motion(settings.model("motion", Category::motion), target).rigid;
    if (motion == nullptr)
      throw Error(Problem{settings.place("motion"), "a motion that deforms", "a rigid one",
                          "harmonic, steady, keyframes, or a joint of a skeleton; meshes can deform"});
  }
  return std::make_shared<RigidCollider>(std::move(shape), std::move(motion), is_hollow(settings));
}

std::shared_ptr<const Collider> plane(const Settings& settings, double end, std::vector<Problem>&) {
  return in_world(std::make_shared<PlaneShape>(settings.vec3("point"), settings.vec3("normal")), settings, end);
}

std::shared_ptr<const Collider> sphere_collider(const Settings& settings, double end, std::vector<Problem>&) {
  return in_world(
      std::make_shared<CapsuleShape>(CapsuleShape::sphere(settings.vec3("center"), settings.number("radius"))),
      settings, end);
}

std::shared_ptr<const Collider> capsule(const Settings& settings, double end, std::vector<Problem>&) {
  return in_world(std::make_shared<CapsuleShape>(settings.vec3("from"), settings.vec3("to"), settings.number("radius")),
                  settings, end);
}

Mat3 rotation_of(const Vec3& turn) {
  const double angle = turn.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

std::shared_ptr<const Collider> box(const Settings& settings, double end, std::vector<Problem>&) {
  return in_world(std::make_shared<BoxShape>(settings.vec3("center"), 0.5 * settings.vec3("size"),
                                             settings.number("rounding"), rotation_of(settings.vec3("rotate"))),
                  settings, end);
}

std::shared_ptr<const Collider> mesh(const Settings& settings, double end, std::vector<Problem>& problems) {
  const ModelSpec of = settings.model("of", Category::mesh);
  Mesh solid = std::get<MeshFactory>(of.entry->factory)(of.settings, problems);
  MotionTarget target{&solid, {}, {}, end};
  target.placement = {settings.number("scale"), rotation_of(settings.vec3("rotate")), settings.vec3("translate")};
  for (Vec3& x : solid.nodes) x = target.placement.to_world(x);
  std::vector<std::string> warnings;
  SignedSurface surface = collider_surface(solid, warnings, &target.nodes);
  if (!surface.is_closed() && settings.number("thickness") == 0)
    throw Error(Problem{settings.place("of"), warnings.front(),
                        "\"thickness\": how far from an open surface bodies feel it",
                        "Give a thickness of at least dt times the impact speed, or close the surface"});
  for (const std::string& warning : warnings)
    problems.push_back({settings.place("of"), warning, "", "", Problem::Severity::warning});
  if (!settings.has("motion")) return in_world(std::make_shared<MeshShape>(std::move(surface)), settings, end);
  const DrivenMotion motion = make_motion(settings.model("motion", Category::motion), target);
  if (motion.rigid != nullptr)
    return std::make_shared<RigidCollider>(std::make_shared<MeshShape>(std::move(surface)), motion.rigid,
                                           is_hollow(settings));
  if (is_hollow(settings))
    throw Error(Problem{settings.place("hollow"), "a hollow mesh that deforms", "\"hollow\": false",
                        "turn its triangles round in the file"});
  return std::make_shared<DeformingCollider>(std::move(surface), motion.points);
}

}  // namespace

namespace models {

void colliders(Registry& registry) {
  registry.add(
      {Category::collider, "plane", "everything behind a plane: a floor, a wall, a slope", "",
       with_contact({parameter::vector3("point", "", Quantity::length, "a point of the plane").or_else("[0, 0, 0]"),
                     parameter::vector3("normal", "n", Quantity::number, "towards the free side; any length but zero")
                         .or_else("[0, 1, 0]")}),
       ColliderFactory(plane), "", check_losses});
  registry.add({Category::collider, "sphere", "a ball, or (hollow) a round room", "",
                with_contact({parameter::vector3("center", "", Quantity::length, "its middle"),
                              parameter::real("radius", "r", Quantity::length, "its radius").above(0), hollow()}),
                ColliderFactory(sphere_collider), "", check_losses});
  registry.add({Category::collider, "capsule", "all points within a radius of a segment: a rod with round ends", "",
                with_contact({parameter::vector3("from", "", Quantity::length, "one end of the segment"),
                              parameter::vector3("to", "", Quantity::length, "the other end"),
                              parameter::real("radius", "r", Quantity::length, "its radius").above(0), hollow()}),
                ColliderFactory(capsule), "", check_capsule});
  registry.add(
      {Category::collider, "box", "a box with rounded edges, or (hollow) a room", "",
       with_contact(
           {parameter::vector3("center", "", Quantity::length, "its middle"),
            parameter::vector3("size", "", Quantity::length, "full lengths of its edges").above(0),
            parameter::real("rounding", "", Quantity::length, "radius of its edges; 0: sharp").at_least(0).or_else("0"),
            parameter::vector3("rotate", "", Quantity::angle, "rotation vector (axis times angle) about its middle")
                .or_else("[0, 0, 0]"),
            hollow()}),
       ColliderFactory(box), "", check_losses});
  registry.add(
      {Category::collider, "mesh", "the solid inside a closed surface; an open one pushes only within its thickness",
       "BaerentzenAanaes2005",
       with_contact(
           {parameter::model("of", Category::mesh, "triangles, or tets whose surface is meant"),
            parameter::real("scale", "", Quantity::number, "applied first").above(0).or_else("1"),
            parameter::vector3("rotate", "", Quantity::angle, "rotation vector (axis times angle), applied second")
                .or_else("[0, 0, 0]"),
            parameter::vector3("translate", "", Quantity::length, "applied last").or_else("[0, 0, 0]"), hollow()}),
       ColliderFactory(mesh), "", check_losses});
}

}  // namespace models
}  // namespace dashpot
