#pragma once
// Bodies that may touch, built straight from the library's parts.
#include <memory>
#include <vector>

#include "dashpot/constraint/pins.hpp"
#include "dashpot/contact/body_contact.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot::testing {

struct TouchingBody {
  std::string name;
  Mesh mesh;
  Isotropic material{1e5, 0.3};
  double density = 1000;      ///< [kg/m^3]; of bodies without tets the mass of each node [kg]
  double thickness = 0.002;   ///< [m]
  std::vector<int> pinned{};  ///< nodes
  Vec3 velocity = Vec3::Zero();
  std::vector<int> guided{};  ///< nodes that move along y only
};

struct Touching {
  std::shared_ptr<const System> system;
  std::vector<int> first;  ///< block of each body
  std::vector<std::shared_ptr<const contact::BodyPair>> pairs;
  State start;
};

inline Mesh moved(Mesh mesh, const Vec3& by) {
  for (Vec3& x : mesh.nodes) x += by;
  return mesh;
}

/// Contact between all pairs of bodies. mu = 0: no friction.
inline Touching touching(const std::vector<TouchingBody>& bodies, const contact::PairLaw& law, double mu = 0,
                         const Vec3& gravity = Vec3::Zero(), double slip_speed = 0.02) {
  Touching result;
  int blocks = 0;
  for (const TouchingBody& body : bodies) {
    result.first.push_back(blocks);
    blocks += body.mesh.num_nodes();
  }
  Vector rest(3 * blocks), velocity(3 * blocks);
  std::vector<std::shared_ptr<ElementMass>> masses;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (int i = 0; i < bodies[b].mesh.num_nodes(); ++i) {
      rest.segment<3>(3 * (result.first[b] + i)) = bodies[b].mesh.nodes[static_cast<std::size_t>(i)];
      velocity.segment<3>(3 * (result.first[b] + i)) = bodies[b].velocity;
    }
  SystemBuilder builder(3, rest);
  builder.set_kinematics(std::make_unique<NodalKinematics>(blocks));
  std::vector<contact::ContactSurface> surfaces;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const TouchingBody& body = bodies[b];
    const int n = body.mesh.num_nodes(), first = result.first[b];
    std::vector<double> node_mass(static_cast<std::size_t>(n), body.density);
    if (const ElementGroup* tets = body.mesh.tets()) {
      std::vector<int> elements = tets->nodes;
      for (int& block : elements) block += first;
      std::vector<double> element_mass;
      for (int e = 0; e < tets->size(); ++e) {
        const ElementMassVector m = lumped_mass(body.mesh, *tets, e, body.density);
        element_mass.insert(element_mass.end(), m.data(), m.data() + m.size());
      }
      masses.push_back(std::make_shared<ElementMass>(nodes_per_element(tets->kind), elements, element_mass, true));
      auto batch = std::make_shared<TetBatch>(body.mesh.nodes, tets->nodes, nodes_per_element(tets->kind), first);
      builder.add(std::unique_ptr<EnergyTerm>(
          make_isotropic(body.name, batch, IsotropicLaw::stable_neo_hookean, {body.material})));
      const Vector m = lumped_node_masses(body.mesh, *tets, {body.density});
      node_mass.assign(m.data(), m.data() + m.size());
    } else {
      std::vector<int> all(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = first + i;
      masses.push_back(std::make_shared<ElementMass>(1, all, node_mass, true));
    }
    if (!gravity.isZero(0))
      builder.add(std::unique_ptr<EnergyTerm>(
          std::make_unique<Gravity>(body.name, node_mass, body.mesh.nodes, first, gravity)));
    std::vector<int> dofs;
    std::vector<double> values;
    for (const int node : body.pinned)
      for (int c = 0; c < 3; ++c) {
        dofs.push_back(3 * (first + node) + c);
        values.push_back(rest[3 * (first + node) + c]);
      }
    for (const int node : body.guided)
      for (const int c : {0, 2}) {
        dofs.push_back(3 * (first + node) + c);
        values.push_back(rest[3 * (first + node) + c]);
      }
    if (!dofs.empty()) builder.add(std::unique_ptr<Constraint>(std::make_unique<Pins>(dofs, values)));
    std::vector<std::array<int, 2>> edges;
    if (const ElementGroup* group = body.mesh.group(ElementKind::edge))
      for (int e = 0; e < group->size(); ++e) edges.push_back({group->element(e)[0], group->element(e)[1]});
    surfaces.push_back(contact::make_contact_surface(body.name, body.mesh, edges, first, body.thickness));
  }
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      auto pair = std::make_shared<const contact::BodyPair>(builder.kinematics(), surfaces[a], surfaces[b], law);
      builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::BodyContact>(pair)));
      if (mu > 0)
        builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<contact::BodyFriction>(pair, mu, slip_speed)));
      result.pairs.push_back(pair);
    }
  builder.set_inertia(std::make_unique<NodalInertia>(masses));
  result.system = builder.build();
  result.start = result.system->initial_state();
  result.start.v = velocity;
  result.system->prescribe(0, nullptr, &result.start.v, nullptr);
  return result;
}

}  // namespace dashpot::testing
