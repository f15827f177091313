// What damping examples cost: a clamped St. Venant-Kirchhoff bar with lagged (Gauss-Newton) Rayleigh damping swings
// under Bathe's rule, with k examples whose gains depend on displacement, against the same bar without examples; both
// use the solver chosen automatically, Newton and conjugate gradients to their usual tolerances.
//
// Floor: U holds k columns of 8 bytes a dof (600 kB for 2.5k nodes and k = 10); a step reads it a few dozen times. One
// iteration of conjugate gradients streams the matrix (about 220 bytes a tet) and, with examples, U once.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/constraint/pins.hpp"
#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "interrupt.hpp"
#include "step_timing.hpp"

namespace dashpot::cli {
namespace {

constexpr double pi = 3.14159265358979323846, step_length = 5e-3;
constexpr int max_examples = 10;

Mesh bar_mesh(int tets) {
  const int n = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 18.0))));
  return make_bar(Vec3(1, 0.3, 0.3), {std::max(1, static_cast<int>(std::lround(tets / (6.0 * n * n)))), n, n});
}

/// Example j of a bar clamped at x = 0: bending up and sideways, twist and stretch, of growing wave number.
Vector bar_example(const Mesh& mesh, int j) {
  const double wave = (0.5 + j / 4) * pi;
  Vector shape(3 * mesh.num_nodes());
  for (int i = 0; i < mesh.num_nodes(); ++i) {
    const Vec3& X = mesh.nodes[static_cast<std::size_t>(i)];
    const double s = std::sin(wave * X[0]), c = 1 - std::cos(wave * X[0]), slope = wave * s;
    const double y = X[1] - 0.15, z = X[2] - 0.15;
    const Vec3 kinds[] = {
        {-0.1 * y * slope, 0.1 * c, 0}, {-0.1 * z * slope, 0, 0.1 * c}, {0, -s * z, s * y}, {0.1 * s, 0, 0}};
    shape.segment<3>(3 * i) = kinds[j % 4];
  }
  return shape;
}

std::shared_ptr<const System> bar_system(const Mesh& mesh, int num_examples) {
  const ElementGroup& tets = *mesh.tets();
  const auto count = static_cast<std::size_t>(tets.size());
  Vector rest(3 * mesh.num_nodes());
  std::vector<int> pinned;
  std::vector<double> at;
  for (int i = 0; i < mesh.num_nodes(); ++i) {
    rest.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
    for (int c = 0; c < 3 && rest[3 * i] < 1e-6; ++c) pinned.push_back(3 * i + c), at.push_back(rest[3 * i + c]);
  }
  const auto mass = std::make_shared<ElementMass>(4, tets.nodes, lumped_element_masses(mesh, tets, 1000), true);
  SystemBuilder builder(3, rest);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(mesh.num_nodes()));
  auto batch = std::make_shared<TetBatch>(mesh.nodes, tets.nodes, 4, 0);
  auto elastic = make_isotropic("bar", batch, IsotropicLaw::stvk, {Isotropic{1e6, 0.4}});
  auto base = std::make_unique<Rayleigh>("bar", mass.get(), std::vector<double>(count, 0.1), elastic.get(),
                                         std::vector<double>(count, 1e-3), StiffnessPart::gauss_newton);
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));
  if (num_examples == 0) {
    builder.add(std::unique_ptr<DissipationTerm>(std::move(base)));
  } else {
    std::vector<DampingExample> examples;
    for (int j = 0; j < num_examples; ++j)
      examples.push_back({fmt::format("example {}", j + 1), bar_example(mesh, j),
                          math::GainCurve::preset(j % 2 ? "soft_landing" : "lively_when_small", 1, 10)});
    ExampleBasedOptions options;
    options.input = GainInput::displacement;
    const Rayleigh* C = base.get();
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<ExampleBased>(
        "bar", std::move(base), C, *mass, rest, 0, mesh.num_nodes(), std::move(examples), options)));
  }
  builder.add(std::unique_ptr<Constraint>(std::make_unique<Pins>(pinned, at)));
  return builder.build();
}

/// A bar that was hit: all four kinds of motion at once.
TimedBody swinging_bar(const Mesh& mesh, int num_examples) {
  const std::shared_ptr<const System> system = bar_system(mesh, num_examples);
  State state = system->initial_state();
  Workspace workspace = system->make_workspace();
  for (int j = 0; j < 4; ++j) state.v += (j == 2 ? 2.0 : 6.0) * bar_example(mesh, j);
  make_consistent(*system, state, workspace);
  return {system, state, NewtonOptions{}};
}

void measure_examples(int wanted, const BenchRequest& request, std::vector<Measurement>& out) {
  const Mesh mesh = bar_mesh(wanted);
  const int tets = mesh.tets()->size();
  const std::vector<int> numbers = {0, 1, 2, 4, 8, max_examples};
  std::vector<TimedBody> bars;
  for (const int k : numbers) bars.push_back(swinging_bar(mesh, k));
  time_in_turn(bars, step_length, 8, std::max(1, request.repeats));
  if (interrupted()) return;
  const bool judged = tets > 5000 && tets < 20000;  // the bar is stated for 11k tets
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const TimedBody& bar = bars[i];
    const std::string name = fmt::format("k = {}", numbers[i]);
    out.push_back({"Bathe step, " + name, tets, bar.milliseconds(), "ms", {}, {}});
    out.push_back({"Newton iterations a step, " + name, tets, bar.newton_iterations(), "1", {}, {}});
    out.push_back({"CG iterations a step, " + name, tets, bar.linear_iterations(), "1", {}, {}});
    if (i == 0) continue;
    const bool bound = judged && numbers[i] == max_examples;
    out.push_back({name + " / none",
                   tets,
                   bar.milliseconds() / bars[0].milliseconds(),
                   "1",
                   bound ? std::optional<double>(1.35) : std::nullopt,
                   {}});
  }
}

}  // namespace

std::vector<Measurement> bench_examples(const BenchRequest& request) {
  return measure_sizes(request, "examples", measure_examples);
}

}  // namespace dashpot::cli
