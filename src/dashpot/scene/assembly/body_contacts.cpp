#include "dashpot/scene/assembly/body_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dashpot/contact/body_contact.hpp"
#include "dashpot/contact/default_stiffness.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/assembly/attachments.hpp"
#include "dashpot/scene/assembly/cloth_contacts.hpp"
#include "dashpot/scene/assembly/collider_assembly.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/normalize.hpp"

namespace dashpot {
namespace {

std::vector<std::array<int, 2>> strand_edges_of(const BodyAssembly& body) {
  std::vector<std::array<int, 2>> edges;
  for (const SpringSpec& group : body.spec().springs)
    edges.insert(edges.end(), group.between.begin(), group.between.end());
  if (body.mesh().tets() != nullptr || body.mesh().group(ElementKind::triangle) != nullptr) return edges;
  const std::vector<std::array<int, 2>> own = unique_edges(body.mesh());
  edges.insert(edges.end(), own.begin(), own.end());
  return edges;
}

double weight_of(const BodyAssembly& body) {
  return body.scene().gravity.norm() * std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0);
}

/// The numbers of one contact.
struct PairContact {
  double thickness = 0;
  contact::PairLaw law;
};

PairContact pair_contact_for(const BodyAssembly& a, const BodyAssembly& b, double depth, const ContactSpec& spec) {
  PairContact pair_contact;
  pair_contact.thickness = spec.thickness ? *spec.thickness : contact::default_thickness(depth);
  if (!(pair_contact.thickness > 0) && depth == 0)
    throw Error(
        Problem{spec.settings.place(),
                fmt::format("\"{}\" and \"{}\" have no volume that tells how thick they are", a.name(), b.name()),
                "\"thickness\": \"2 mm\"", "the distance that cloth, chains and points keep from each other"});
  const double length = depth > 0 ? depth : pair_contact.thickness;
  double modulus = 0;
  for (const BodyAssembly* body : {&a, &b})
    if (const double E = modulus_of(body->spec()); E > 0) modulus = modulus > 0 ? std::min(modulus, E) : E;
  const double weight = std::min(weight_of(a), weight_of(b));
  pair_contact.law.stiffness =
      spec.stiffness ? *spec.stiffness : contact::default_pair_stiffness(modulus, weight, length);
  if (!(pair_contact.law.stiffness > 0))
    throw Error(Problem{spec.settings.place(),
                        fmt::format("no contact stiffness is given for \"{}\" and \"{}\"", a.name(), b.name()),
                        "\"stiffness\": \"10 MPa/m\"", "without gravity and Young's modulus there is no default"});
  pair_contact.law.onset = spec.onset ? *spec.onset : contact::default_pair_onset(pair_contact.thickness, depth);
  return pair_contact;
}

/// Nodes of either body that are attached to the other.
std::vector<int> tied_points(const BodyAssembly& a, const BodyAssembly& b) {
  std::vector<int> points;
  const SceneSpec& scene = a.scene();
  for (const AttachmentSpec& attachment : scene.attachments)
    for (const auto& [body, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      if (scene.bodies[attachment.body].name != body->name() || scene.bodies[attachment.to].name != to->name())
        continue;
      for (const Tie& tie : attachment_ties(attachment, body->mesh(), to->mesh()))
        points.push_back(body->first_point() + tie.block);
    }
  return points;
}

/// The two bodies of a contact as the System sees them.
struct Couple {
  std::shared_ptr<const contact::BodyPair> pair;
  std::string note;
};

Couple couple(const std::shared_ptr<const Kinematics>& kinematics, const BodyAssembly& a, const BodyAssembly& b,
              const ContactSpec& spec) {
  const auto surface = [](const BodyAssembly& body, double thickness) {
    return contact::make_contact_surface(body.name(), body.mesh(), strand_edges_of(body), body.first_point(),
                                         thickness);
  };
  const double depths[2] = {surface(a, 0).depth_limit, surface(b, 0).depth_limit};
  const double depth = depths[0] > 0 && depths[1] > 0 ? std::min(depths[0], depths[1]) : depths[0] + depths[1];
  const PairContact pair_contact = pair_contact_for(a, b, depth, spec);
  const std::string losses = spec.friction > 0
                                 ? fmt::format("; friction {:.3g}, sticking points creep below {}", spec.friction,
                                               describe_quantity(spec.slip_speed, Quantity::velocity, 3))
                                 : "; lossless";
  return {std::make_shared<const contact::BodyPair>(kinematics, surface(a, pair_contact.thickness),
                                                    surface(b, pair_contact.thickness), pair_contact.law,
                                                    contact::TiedNodes(tied_points(a, b))),
          fmt::format("{}: touches {} with {}, kept apart by {}{}", a.name(), b.name(),
                      describe_quantity(pair_contact.law.stiffness, Quantity::pressure_stiffness, 3),
                      describe_quantity(pair_contact.thickness, Quantity::length, 3), losses)};
}

bool is_meant(const ContactSpec& spec, const std::string& a, const std::string& b) {
  if (spec.between.empty()) return a != b;  // cloth touches itself where that is asked for by name
  return (spec.between[0] == a && spec.between[1] == b) || (spec.between[0] == b && spec.between[1] == a);
}

/// The contact of two bodies: of those that mean them, the last.
const ContactSpec* contact_of(const SceneSpec& scene, const std::string& a, const std::string& b) {
  for (auto spec = scene.contacts.rbegin(); spec != scene.contacts.rend(); ++spec)
    if (is_meant(*spec, a, b)) return &*spec;
  return nullptr;
}

/// Calls visit(a, b, contact) for all pairs of these bodies that touch; a and b may be the same body.
template <class Visit>
void for_present_contacts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies, Visit visit) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i; j < bodies.size(); ++j)
      if (const ContactSpec* spec = contact_of(scene, bodies[i].name(), bodies[j].name()))
        visit(bodies[i], bodies[j], *spec);
}

bool is_cloth_on_cloth(const BodyAssembly& a, const BodyAssembly& b) {
  return is_cloth(a.mesh()) && is_cloth(b.mesh());
}

}  // namespace

std::vector<std::string> add_body_contacts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies,
                                           bool with_losses, SystemBuilder& builder) {
  std::vector<std::string> notes;
  for_present_contacts(scene, bodies, [&](const BodyAssembly& a, const BodyAssembly& b, const ContactSpec& spec) {
    if (is_cloth_on_cloth(a, b)) {
      ClothCouple made = cloth_couple(builder.kinematics(), a, b, spec, tied_points(a, b));
      add_cloth_couple(made, spec, with_losses, builder);
      notes.push_back(std::move(made.note));
      return;
    }
    Couple made = couple(builder.kinematics(), a, b, spec);
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::BodyContact>(made.pair)),
                spec.settings.pointer());
    if (with_losses && spec.friction > 0)
      builder.add(std::unique_ptr<DissipationTerm>(
                      std::make_unique<contact::BodyFriction>(made.pair, spec.friction, spec.slip_speed)),
                  spec.settings.pointer());
    notes.push_back(std::move(made.note));
  });
  return notes;
}

void check_cloth_starts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies,
                        const std::shared_ptr<const Kinematics>& kinematics, const Vector& q,
                        std::vector<Problem>& problems) {
  for_present_contacts(scene, bodies, [&](const BodyAssembly& a, const BodyAssembly& b, const ContactSpec& spec) {
    if (is_cloth_on_cloth(a, b))
      check_cloth_start(cloth_couple(kinematics, a, b, spec, tied_points(a, b)), spec, q, problems);
  });
}

void check_body_contacts(const SceneSpec& spec, std::vector<Problem>& problems) {
  std::vector<std::string> names;
  for (const BodySpec& body : spec.bodies) names.push_back(body.name);
  for (const ContactSpec& contact : spec.contacts) {
    for (const std::string& name : contact.between)
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        const std::string near = nearest_name(name, names);
        problems.push_back({contact.settings.place("between"), fmt::format("no body \"{}\"", name),
                            "names of two bodies", near.empty() ? "" : fmt::format("did you mean \"{}\"?", near)});
      }
    const bool is_itself = contact.between.size() == 2 && contact.between[0] == contact.between[1];
    for (const BodySpec& body : spec.bodies)
      if (is_itself && body.name == contact.between[0] && body.built && !is_cloth(*body.built))
        problems.push_back({contact.settings.place("between"), fmt::format("\"{}\" and itself", body.name),
                            "cloth, or two bodies", "only cloth touches itself; make it two bodies"});
    if (spec.bodies.size() < 2 && !is_itself)
      problems.push_back({contact.settings.place(), "a contact in a scene of one body",
                          "two bodies, or cloth named twice: \"between\": [\"shirt\", \"shirt\"]",
                          "obstacles that do not deform are \"colliders\""});
  }
  if (has_errors(problems)) return;
  for (std::size_t i = 0; i < spec.bodies.size(); ++i)
    for (std::size_t j = i; j < spec.bodies.size(); ++j) {
      const ContactSpec* contact = contact_of(spec, names[i], names[j]);
      if (contact == nullptr) continue;
      try {
        const int split = spec.bodies[i].built->num_nodes();
        const auto kinematics = std::make_shared<NodalKinematics>(split + spec.bodies[j].built->num_nodes());
        const BodyAssembly a(spec, spec.bodies[i], *spec.bodies[i].built, 0);
        const BodyAssembly other(spec, spec.bodies[j], *spec.bodies[j].built, split);
        const BodyAssembly& b = i == j ? a : other;
        if (is_cloth_on_cloth(a, b))
          cloth_couple(kinematics, a, b, *contact, {});
        else
          couple(kinematics, a, b, *contact);
      } catch (const Error& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
}

}  // namespace dashpot
