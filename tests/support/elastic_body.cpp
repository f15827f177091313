#include "support/elastic_body.hpp"

#include "dashpot/constraint/pins.hpp"
#include "dashpot/dissipation/ether_drag.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/mesh/mass.hpp"

namespace dashpot::testing {
namespace {

std::shared_ptr<ElementMass> element_mass(const Mesh& mesh, const ElementGroup& tets, double density, bool lumped) {
  std::vector<double> masses;
  if (lumped) masses = lumped_element_masses(mesh, tets, density);
  for (int e = 0; e < tets.size() && !lumped; ++e) {
    const ElementMassMatrix m = consistent_mass(mesh, tets, e, density);
    masses.insert(masses.end(), m.data(), m.data() + m.size());
  }
  return std::make_shared<ElementMass>(nodes_per_element(tets.kind), tets.nodes, std::move(masses), lumped);
}

}  // namespace

std::shared_ptr<const System> elastic_body(const Mesh& mesh, const ElasticBodyOptions& options) {
  const ElementGroup& tets = *mesh.tets();
  Vector rest(3 * mesh.num_nodes());
  for (int i = 0; i < mesh.num_nodes(); ++i) rest.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
  SystemBuilder builder(3, rest);
  const auto mass = element_mass(mesh, tets, options.density, options.lumped);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(mesh.num_nodes()));
  auto batch = std::make_shared<TetBatch>(mesh.nodes, tets.nodes, nodes_per_element(tets.kind), 0);
  auto elastic = make_isotropic("body", batch, options.law, {options.material});
  const TetElasticity* stiffness = elastic.get();
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));
  if (options.gravity.norm() > 0) {
    const Vector m = lumped_node_masses(mesh, tets, {options.density});
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<Gravity>(
        "body", std::vector<double>(m.data(), m.data() + m.size()), mesh.nodes, 0, options.gravity)));
  }
  if (options.alpha > 0 || options.beta > 0) {
    auto damping = std::make_unique<Rayleigh>(
        "body", mass.get(), std::vector<double>(static_cast<std::size_t>(tets.size()), options.alpha), stiffness,
        std::vector<double>(static_cast<std::size_t>(tets.size()), options.beta), *options.stiffness);
    if (options.design)
      builder.add(options.design(std::move(damping), *mass, rest));
    else
      builder.add(std::unique_ptr<DissipationTerm>(std::move(damping)));
  }
  if (options.ether_rate > 0)
    builder.add(std::unique_ptr<VelocityFilter>(
        std::make_unique<EtherDrag>("body", 0, options.ether_nodes < 0 ? mesh.num_nodes() : options.ether_nodes,
                                    FilterGain::rate(options.ether_rate))));
  if (options.is_pinned) {
    std::vector<int> dofs;
    std::vector<double> values;
    for (int i = 0; i < mesh.num_nodes(); ++i)
      for (int c = 0; c < 3 && options.is_pinned(mesh.nodes[static_cast<std::size_t>(i)]); ++c) {
        dofs.push_back(3 * i + c);
        values.push_back(rest[3 * i + c]);
      }
    builder.add(std::unique_ptr<Constraint>(std::make_unique<Pins>(dofs, values)));
  }
  for (const Tie& tie : options.ties) builder.add(tie);
  if (options.support) builder.add(options.support());
  if (options.extend) options.extend(builder);
  return builder.build();
}

BlockMatrix rest_stiffness(const System& system) {
  BlockMatrix K(system.pattern());
  EnergyRequest request{system.rest()};
  request.hessian = &K;
  for (const auto& term : system.energies()) term->evaluate(request);
  return K;
}

BlockMatrix mass_matrix(const System& system) {
  BlockMatrix M(system.pattern());
  const Vector zero = Vector::Zero(system.num_dofs());
  system.inertia().add_tangent(system.rest(), zero, zero, 1, 0, 0, M);
  return M;
}

}  // namespace dashpot::testing
