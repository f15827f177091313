#include "support/bar16.hpp"

#include <Eigen/Geometry>

#include "dashpot/energy/materials.hpp"
#include "support/laplacian_sources.hpp"
#include "support/noise_vector.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing {
namespace {

std::shared_ptr<ElementMass> unit_density_mass(const TinyMesh& mesh, const TetBatch& batch, bool consistent) {
  const int n = mesh.nodes_per_tet;
  std::vector<double> volume(static_cast<std::size_t>(batch.num_tets())), masses;
  for (int i = 0; i < batch.num_tets(); ++i) volume[static_cast<std::size_t>(batch.original(i))] = batch.volume(i);
  for (const double V : volume)
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < (consistent ? n : 1); ++b)
        masses.push_back(consistent ? V / (n * (n + 1)) * (a == b ? 2 : 1) : V / n);
  return std::make_shared<ElementMass>(n, mesh.nodes, std::move(masses), !consistent);
}

}  // namespace

LaplacianParts Bar16::Parts::laplacian_parts(double alpha, double beta) const {
  LaplacianParts parts;
  parts.mass = mass.get();
  parts.alpha = PartwiseValue(alpha);
  parts.laplacian = laplacian;
  parts.beta = PartwiseValue(beta);
  return parts;
}

Bar16::Bar16(const Options& options) {
  TinyMesh mesh = kuhn_bar(3, 1, 1, 1);
  if (options.mid_nodes) mesh = with_mid_nodes(mesh);
  Parts parts;
  parts.rest = mesh.rest();
  parts.batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0);
  parts.mass = unit_density_mass(mesh, *parts.batch, options.consistent);
  const auto laplacian = std::make_shared<ReferenceTetLaplacian>(parts.batch, mu);
  parts.laplacian = laplacian.get();
  nodal_mass = Vector::Zero(parts.rest.size() / 3);
  parts.mass->add_nodal_mass(nodal_mass);

  SystemBuilder builder(3, parts.rest);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{parts.mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(static_cast<int>(mesh.X.size())));
  builder.keep(laplacian);
  auto elastic =
      make_isotropic("bar", parts.batch, IsotropicLaw::arap, {Isotropic::from_lame(0, options.elastic ? mu : 1e-12)});
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));
  if (options.damping) builder.add(options.damping(parts));
  if (options.filter) builder.add(options.filter(parts));
  system = builder.build();
}

Vector Bar16::noisy_q() const { return system->rest() + 0.05 * noise(system->rest().size(), 0); }
Vector Bar16::noisy_v() const { return noise(system->rest().size(), 50); }

Vec3 Bar16::center(const Vector& q) const {
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < nodal_mass.size(); ++i) sum += nodal_mass[i] * q.segment<3>(3 * i);
  return sum / nodal_mass.sum();
}

Vector Bar16::spinning_v() const {
  const Vector& X = system->rest();
  Vector v = 0.3 * noise(X.size(), 50);
  for (Eigen::Index i = 0; i < nodal_mass.size(); ++i)
    v.segment<3>(3 * i) += Vec3(0, 0, 2).cross(Vec3(X.segment<3>(3 * i)) - center(X));
  const Vec3 mean = center(v);
  for (Eigen::Index i = 0; i < nodal_mass.size(); ++i) v.segment<3>(3 * i) -= mean;
  return v;
}

Vec3 Bar16::angular_momentum(const Vector& q, const Vector& v) const {
  const Vec3 c = center(q);
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < nodal_mass.size(); ++i)
    sum += (Vec3(q.segment<3>(3 * i)) - c).cross(Vec3(nodal_mass[i] * v.segment<3>(3 * i)));
  return sum;
}

}  // namespace dashpot::testing
