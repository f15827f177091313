#include "dashpot/scene/assembly/collider_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "dashpot/contact/collider_friction.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/contact/collider_step_limit.hpp"
#include "dashpot/contact/default_stiffness.hpp"
#include "dashpot/contact/restitution.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

/// The part of a body that can touch.
struct Skin {
  std::vector<int> nodes;     ///< of the body
  std::vector<double> areas;  ///< of each [m^2]; 0: a node without surface
  double size = 0;            ///< largest extent of the body [m]
};

Skin skin_of(const Mesh& mesh) {
  Skin skin;
  skin.size = bounding_box(mesh.nodes).size().maxCoeff();
  const Surface surface = boundary_surface(mesh);
  std::vector<double> area(mesh.nodes.size(), 0.0);
  for (const std::array<int, 3>& t : surface.triangles) {
    const double third = triangle_area(mesh.nodes[at(t[0])], mesh.nodes[at(t[1])], mesh.nodes[at(t[2])]) / 3;
    for (const int node : t) area[at(node)] += third;
  }
  std::vector<char> inside(mesh.nodes.size(), 0);  // of a solid: never the first to touch
  if (mesh.tets() != nullptr)
    for (const int node : mesh.tets()->nodes) inside[at(node)] = 1;
  for (int i = 0; i < mesh.num_nodes(); ++i) {
    if (area[at(i)] == 0 && inside[at(i)] != 0) continue;
    skin.nodes.push_back(i);
    skin.areas.push_back(area[at(i)]);
  }
  return skin;
}

/// Springs that end at each node, summed [N/m].
std::vector<double> spring_stiffness(const BodyAssembly& body) {
  std::vector<double> sum(at(body.num_nodes()), 0.0);
  for (const SpringSpec& group : body.spec().springs)
    for (const std::array<int, 2>& pair : group.between.empty() ? unique_edges(body.mesh()) : group.between)
      for (const int node : pair) sum[at(node)] += group.stiffness;
  return sum;
}

/// How a body meets a collider.
struct ContactStiffness {
  double pressure_stiffness = 0;  ///< [Pa/m]; 0: the body has no surface
  std::vector<double> stiffness;  ///< of each skin node [N/m]
  double onset = 0;               ///< [m]
};

ContactStiffness contact_stiffness_for(const BodyAssembly& body, const Skin& skin, const ColliderSpec& collider) {
  const Settings& settings = collider.model.settings;
  const double g = body.scene().gravity.norm(), L = skin.size;
  const double mass = std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0);
  ContactStiffness found;
  const bool has_surface = std::any_of(skin.areas.begin(), skin.areas.end(), [](double area) { return area > 0; });
  if (has_surface)
    found.pressure_stiffness = settings.has("stiffness")
                                   ? settings.number("stiffness")
                                   : contact::default_pressure_stiffness(modulus_of(body.spec()), mass * g, L);
  const std::vector<double> springs = spring_stiffness(body);
  for (std::size_t i = 0; i < skin.nodes.size(); ++i) {
    const std::size_t node = at(skin.nodes[i]);
    double k = found.pressure_stiffness * skin.areas[i];
    if (skin.areas[i] == 0)
      k = settings.has("node_stiffness")
              ? settings.number("node_stiffness")
              : contact::default_node_stiffness(body.mass_row_sums()[node] * g, springs[node]);
    if (!(k > 0))
      throw Error(Problem{settings.place(),
                          fmt::format("no contact stiffness is given for \"{}\" and {}", collider.name, body.name()),
                          skin.areas[i] == 0 ? "\"node_stiffness\": \"1000 N/m\"" : "\"stiffness\": \"10 MPa/m\"",
                          "without gravity, springs and Young's modulus there is no default"});
    found.stiffness.push_back(k);
  }
  found.onset = settings.has("onset") ? settings.number("onset") : contact::default_onset(L);
  return found;
}

double damping_of(const Settings& settings) {
  if (settings.has("restitution"))
    return contact::damping_for_restitution(settings.number("restitution"), settings.number("restitution_speed"));
  return settings.has("damping") ? settings.number("damping") : 0;
}

/// Overlap of a body that stands on a round tip of a tenth of its size: a cap of radius R and depth d carries
/// pi k R d^2.
double overlap_on_tip(double weight, double pressure_stiffness, double size) {
  return std::sqrt(weight / (std::numbers::pi * pressure_stiffness * 0.1 * size));
}

std::string describe(const BodyAssembly& body, const Skin& skin, const ContactStiffness& contact) {
  const double mass = std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0);
  const double weight = mass * body.scene().gravity.norm();
  if (contact.pressure_stiffness == 0)
    return fmt::format("{} with {} a node", body.name(),
                       describe_quantity(contact.stiffness.front(), Quantity::stiffness, 4));
  std::string text = fmt::format("{} with {}", body.name(),
                                 describe_quantity(contact.pressure_stiffness, Quantity::pressure_stiffness, 3));
  const double overlap = weight / (contact.pressure_stiffness * skin.size * skin.size);
  if (weight > 0)
    text += fmt::format(
        " (overlap at rest about {} lying flat, up to {} on a tip)", describe_quantity(overlap, Quantity::length, 3),
        describe_quantity(overlap_on_tip(weight, contact.pressure_stiffness, skin.size), Quantity::length, 2));
  return text;
}

std::string describe_losses(double mu, double slip_speed, double damping, double impact_speed) {
  std::string text;
  if (mu > 0)
    text += fmt::format("; friction {:.3g}, sticking nodes creep below {}", mu,
                        describe_quantity(slip_speed, Quantity::velocity, 3));
  if (damping > 0)
    text += fmt::format("; damping {}, restitution {:.2g} at {}", describe_quantity(damping, Quantity::slowness, 3),
                        contact::restitution_of(damping, impact_speed),
                        describe_quantity(impact_speed, Quantity::velocity, 3));
  return text.empty() ? "; lossless" : text;
}

}  // namespace

double modulus_of(const BodySpec& body) {
  if (!body.material) return 0;
  const JsonValue* young = body.material->settings.value().find("young");
  if (young == nullptr) return 0;
  double largest = young->is(JsonValue::Kind::number) ? young->number : 0;
  for (const JsonValue& item : young->items) largest = std::max(largest, item.number);
  return largest;
}

std::vector<int> contact_nodes(const Mesh& mesh) { return skin_of(mesh).nodes; }

bool touches(const ColliderSpec& collider, const std::string& body) {
  return collider.bodies.empty() ||
         std::find(collider.bodies.begin(), collider.bodies.end(), body) != collider.bodies.end();
}

namespace {

/// Bodies made of nodes come first.
std::vector<const BodyAssembly*> in_order_of_points(const std::vector<BodyAssembly>& bodies) {
  std::vector<const BodyAssembly*> order;
  for (const BodyAssembly& body : bodies) order.push_back(&body);
  std::sort(order.begin(), order.end(),
            [](const BodyAssembly* a, const BodyAssembly* b) { return a->first_point() < b->first_point(); });
  return order;
}

}  // namespace

std::vector<std::string> add_contacts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies, bool with_losses,
                                      SystemBuilder& builder) {
  std::vector<std::string> notes;
  for (const ColliderSpec& collider : scene.colliders) {
    auto pair = std::make_shared<ColliderPair>();
    pair->name = collider.name;
    pair->collider = collider.built;
    pair->kinematics = builder.kinematics();
    pair->thickness = collider.model.settings.number("thickness");
    std::string touched;
    for (const BodyAssembly* each : in_order_of_points(bodies)) {
      const BodyAssembly& body = *each;
      if (!touches(collider, body.name())) continue;
      const Skin skin = skin_of(body.mesh());
      const ContactStiffness contact = contact_stiffness_for(body, skin, collider);
      for (std::size_t i = 0; i < skin.nodes.size(); ++i) {
        pair->points.push_back(body.first_point() + skin.nodes[i]);
        pair->stiffness.push_back(contact.stiffness[i]);
        pair->onset.push_back(contact.onset);
        pair->areas.push_back(skin.areas[i]);
      }
      touched += (touched.empty() ? "" : ", ") + describe(body, skin, contact);
    }
    if (pair->points.empty()) continue;
    const Settings& settings = collider.model.settings;
    const double mu = settings.number("friction"), slip_speed = settings.number("slip_speed");
    const double damping = damping_of(settings);
    const bool has_surface = std::any_of(pair->areas.begin(), pair->areas.end(), [](double area) { return area > 0; });
    if (has_surface && settings.has("stiffness")) pair->pressure_stiffness = settings.number("stiffness");
    notes.push_back(fmt::format("{}: touches {}{}", collider.name, touched,
                                describe_losses(mu, slip_speed, damping, settings.number("restitution_speed"))));
    auto energy = with_location(settings.place(), [&] { return std::make_unique<ColliderContact>(pair); });
    const ColliderContact* contact = energy.get();
    builder.add(std::move(energy), settings.pointer());
    if (with_losses && settings.flag("step_limit")) builder.add(std::make_unique<ColliderStepLimit>(pair));
    if (with_losses && mu > 0)
      builder.add(std::make_unique<ColliderFriction>(pair, mu, slip_speed, contact), settings.pointer());
    if (with_losses && damping > 0)
      builder.add(std::make_unique<ColliderDamping>(pair, damping, contact), settings.pointer());
  }
  return notes;
}

double explicit_step_limit(const BodyAssembly& body, const ColliderSpec& collider) {
  const Skin skin = skin_of(body.mesh());
  const ContactStiffness contact = contact_stiffness_for(body, skin, collider);
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < skin.nodes.size(); ++i)
    if (const double mass = body.mass_row_sums()[at(skin.nodes[i])]; mass > 0)  // explicit steppers lump by rows
      limit = std::min(limit, std::sqrt(2 * mass / contact.stiffness[i]));
  return limit;
}

double impact_stiffness(const BodyAssembly& body, const ColliderSpec& collider) {
  const Skin skin = skin_of(body.mesh());
  const double mass = std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0);
  const double dt = body.scene().time.dt;
  return contact_stiffness_for(body, skin, collider).pressure_stiffness * skin.size * skin.size * dt * dt / mass;
}

void add_scenery(const SceneSpec& scene, int num_points, RunSettings& run, Recording& recording) {
  for (const ColliderSpec& collider : scene.colliders) {
    if (collider.model.name() == "plane") {  // a belt runs in itself; other moving planes are shown where they start
      const PlaneShape plane(collider.model.settings.vec3("point"), collider.model.settings.vec3("normal"));
      const auto same = [&](const Ground& ground) {
        return ground.normal == plane.normal() && plane.normal().dot(ground.point - plane.point()) == 0;
      };
      if (std::none_of(recording.grounds.begin(), recording.grounds.end(), same))
        recording.grounds.push_back({plane.point(), plane.normal()});
      continue;
    }
    Mesh outline = collider.built->outline();
    if (outline.nodes.empty()) continue;
    const int count = outline.num_nodes();
    recording.scenery.push_back({collider.name, std::move(outline), num_points});
    num_points += count;
    run.scenery.push_back({count, [solid = collider.built](double time, std::vector<Vec3>& x, std::vector<Vec3>& v) {
                             std::vector<Vec3> positions, velocities;
                             solid->outline_at(time, &positions, &velocities);
                             x.insert(x.end(), positions.begin(), positions.end());
                             v.insert(v.end(), velocities.begin(), velocities.end());
                           }});
  }
}

}  // namespace dashpot
