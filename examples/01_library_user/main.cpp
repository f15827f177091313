// A rubber bar in a hundred lines of C++: build it, set it ringing in its first vibration mode under Rayleigh damping,
// and measure the damping ratio that was asked for.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include <dashpot/analysis/rayleigh_fit.hpp>
#include <dashpot/analysis/ring_down.hpp>
#include <dashpot/constraint/pins.hpp>
#include <dashpot/core/error.hpp>
#include <dashpot/dissipation/rayleigh.hpp>
#include <dashpot/energy/materials.hpp>
#include <dashpot/integrate/stepper.hpp>
#include <dashpot/mesh/generate.hpp>
#include <dashpot/mesh/mass.hpp>
#include <dashpot/mesh/select.hpp>
#include <dashpot/model/nodal_inertia.hpp>
#include <dashpot/modes/system_modes.hpp>

using namespace dashpot;

/// The bar, clamped at x = 0; alpha [1/s] and beta [s] are Rayleigh's coefficients.
std::shared_ptr<const System> make_system(const Mesh& mesh, double alpha, double beta) {
  Vector rest(3 * mesh.num_nodes());
  for (int i = 0; i < mesh.num_nodes(); ++i) rest.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
  SystemBuilder builder(3, rest);

  const ElementGroup& tets = *mesh.tets();
  std::vector<double> masses;  // 4 per tet
  for (int e = 0; e < tets.size(); ++e) {
    const ElementMassVector m = lumped_mass(mesh, tets, e, 1000.0 /* kg/m^3 */);
    masses.insert(masses.end(), m.data(), m.data() + m.size());
  }
  const auto mass = std::make_shared<ElementMass>(4, tets.nodes, masses, true);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(mesh.num_nodes()));

  const auto batch = std::make_shared<TetBatch>(mesh.nodes, tets.nodes, 4, 0);
  const Isotropic rubber{.young = 20e6 /* Pa */, .poisson = 0.3};
  auto elastic = make_isotropic("bar", batch, IsotropicLaw::stvk, {rubber});
  const std::size_t count = static_cast<std::size_t>(tets.size());
  builder.add(std::make_unique<Rayleigh>("bar", mass.get(), std::vector<double>(count, alpha), elastic.get(),
                                         std::vector<double>(count, beta), StiffnessPart::gauss_newton));
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));

  std::vector<int> dofs;
  std::vector<double> values;
  for (const int node : nodes_in_box(mesh, Vec3(-1, -1, -1), Vec3(1e-6, 1, 1)))
    for (int axis = 0; axis < 3; ++axis) dofs.push_back(3 * node + axis), values.push_back(rest[3 * node + axis]);
  builder.add(std::make_unique<Pins>(dofs, values));
  return builder.build();
}

int main() {
  try {
    const double asked = 0.03;
    const Mesh mesh = make_bar(Vec3(1, 0.1, 0.1) /* m */, {12, 2, 2});
    const auto undamped = make_system(mesh, 0, 0);
    const ModesResult modes = system_modes(*undamped, undamped->initial_state(), {.num_modes = 1});
    const double frequency = modes.frequencies[0];
    const auto coefficients = analysis::rayleigh_from_point({frequency, asked});

    const auto system = make_system(mesh, coefficients.alpha, coefficients.beta);
    State state = system->initial_state();
    state.q += 1e-3 / modes.shapes.col(0).cwiseAbs().maxCoeff() * modes.shapes.col(0);  // 1 mm at the tip
    Workspace workspace = system->make_workspace();
    make_consistent(*system, state, workspace);
    const auto stepper = make_stepper("bathe", {}, {});
    int tip = 0;  // the degree of freedom that moves most
    modes.shapes.col(0).cwiseAbs().maxCoeff(&tip);
    const double dt = 0.02 / frequency;
    std::vector<double> time{0}, position{state.q[tip]};
    while (state.time < 8 / frequency) {
      const StepReport report = advance(*stepper, *system, state, workspace, dt);
      if (report.status == StepStatus::failed) return std::puts(report.explanation.c_str()), 1;
      time.push_back(state.time);
      position.push_back(state.q[tip]);
    }
    const analysis::RingDown ring = analysis::measure_ring_down(time, position);
    std::printf("first mode %.3f Hz; damping ratio asked %.4f, measured %.4f\n", frequency, asked, ring.zeta);
    return std::abs(ring.zeta / asked - 1) < 0.02 ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
