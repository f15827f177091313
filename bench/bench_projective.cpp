// The two kernels of projective dynamics on a cube of 14 x 14 x 14 cells (16464 tets, 3375 nodes; cubes fill in more
// than other bodies). One local/global iteration is one local step and one global solve.
//
// Floors. Local step: of a tet 72 bytes of gradients, 16 of indices, 32 of its rotation (read and written) and 16 of
// moduli are streamed: 170 bytes, 2.8 MB an iteration, 0.07 ms at 40 GB/s; about 330 fused multiply-adds and 60
// shuffles for four tets with one Newton step, 50 cycles a tet: 17 ns at 3 GHz, 0.14 ms on two threads. A spike reached
// 28 ns a tet; here 25 with one Newton step, 34 with two, 17 in single precision (one thread), half of that on two.
// Global solve: the factor (470k numbers) is read twice, 7.6 MB, 0.19 ms at 40 GB/s; a spike reached 0.2 ms; here 0.17
// on one thread, 0.115 on two, where three columns of cholmod_solve take 0.65.
#include <benchmark/benchmark.h>

#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/linsolve/scalar_cholesky.hpp"
#include "dashpot/model/projective_form.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot {
namespace {

struct Cube {
  testing::TinyMesh mesh = testing::kuhn_bar(14, 14, 14, 0.05);
  std::shared_ptr<TetBatch> batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  std::unique_ptr<TetElasticity> term;
  const ProjectiveForm* form;
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> matrix;  ///< M/dt^2 + L/4, dt = 1/30 s, 1000 kg/m^3

  explicit Cube(IsotropicLaw law)
      : term(make_isotropic("cube", batch, law, {{1e5, 0.3}})), form(dynamic_cast<const ProjectiveForm*>(term.get())) {
    PatternBuilder builder;
    term->couple(builder);
    pattern = builder.build(3, static_cast<int>(mesh.X.size()));
    term->bind(*pattern);
    matrix.assign(static_cast<std::size_t>(pattern->num_slots()), 0.0);
    form->add_laplacian(std::vector<double>(static_cast<std::size_t>(batch->num_tets()), 0.25), matrix);
    for (int i = 0; i < batch->num_tets(); ++i)
      for (int a = 0; a < 4; ++a)
        matrix[static_cast<std::size_t>(pattern->diagonal_slot(batch->blocks(i)[a]))] += 900 * 250 * batch->volume(i);
  }
  /// Twisted by 1 rad over its length, and `k` steps of 1 mrad further.
  Vector twisted(int k) const {
    Vector q = mesh.rest();
    for (Eigen::Index i = 0; i < q.size(); i += 3) {
      const double angle = (1 + 0.001 * k) * q[i] / 0.7, y = q[i + 1], z = q[i + 2];
      q[i + 1] = std::cos(angle) * y - std::sin(angle) * z;
      q[i + 2] = std::sin(angle) * y + std::cos(angle) * z;
    }
    return q;
  }
};

void local_step(benchmark::State& state, IsotropicLaw law, ProjectionPrecision precision, bool is_warm) {
  set_num_threads(static_cast<int>(state.range(0)));
  const Cube cube(law);
  const auto scratch = cube.form->make_projection_scratch(precision);
  std::vector<Vector> q;
  for (int k = 0; k < 10; ++k) q.push_back(cube.twisted(k));
  Vector f = Vector::Zero(q[0].size());
  std::size_t k = 0;
  for (auto _ : state) {
    if (!is_warm) cube.form->begin_projection(q[k], scratch.get());
    cube.form->add_projection(q[k], scratch.get(), f);
    k = (k + 1) % q.size();
  }
  state.SetItemsProcessed(state.iterations() * cube.batch->num_tets());
  state.SetBytesProcessed(state.iterations() * cube.batch->num_tets() * 170);
}

void spin_force(benchmark::State& state) {
  set_num_threads(static_cast<int>(state.range(0)));
  const Cube cube(IsotropicLaw::arap);
  const std::vector<double> scale(static_cast<std::size_t>(cube.batch->num_tets()), 1.0);
  const Vector q = cube.twisted(0), v = cube.twisted(1) - q;
  Vector f = Vector::Zero(q.size());
  for (auto _ : state) cube.form->add_spin_force(q, v, scale, f);
  state.SetItemsProcessed(state.iterations() * cube.batch->num_tets());
}

void global_solve(benchmark::State& state) {
  set_num_threads(static_cast<int>(state.range(0)));
  const Cube cube(IsotropicLaw::arap);
  ScalarCholesky solver;
  solver.analyze(*cube.pattern, std::vector<std::uint8_t>(cube.mesh.X.size(), 1));
  solver.factorize(cube.matrix);
  const Vector b = cube.twisted(0);
  Vector x(b.size());
  for (auto _ : state) solver.solve(b.data(), x.data());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(16 * solver.factor_entries()));
  state.counters["entries"] = static_cast<double>(solver.factor_entries());
  state.counters["sequential"] = solver.sequential_share();
}

void refactor(benchmark::State& state) {
  set_num_threads(static_cast<int>(state.range(0)));
  const Cube cube(IsotropicLaw::arap);
  ScalarCholesky solver;
  solver.analyze(*cube.pattern, std::vector<std::uint8_t>(cube.mesh.X.size(), 1));
  for (auto _ : state) benchmark::DoNotOptimize(solver.factorize(cube.matrix));
}

/// The same matrix with CHOLMOD's own triangular solves: blocks of one number, three columns.
void cholmod_solve(benchmark::State& state) {
  const Cube cube(IsotropicLaw::arap);
  const BlockPattern& from = *cube.pattern;
  std::vector<int> start{0}, nodes;
  for (std::size_t k = 0; k < cube.mesh.nodes.size(); ++k) {
    nodes.push_back(cube.mesh.nodes[k]);
    if (k % 4 == 3) start.push_back(static_cast<int>(nodes.size()));
  }
  const auto pattern = std::make_shared<const BlockPattern>(1, from.num_blocks(), start, nodes);
  BlockMatrix A(pattern);
  std::copy(cube.matrix.begin(), cube.matrix.end(), A.values());
  LinearSolverOptions options;
  options.kind = LinearSolverKind::cholmod;
  const auto solver = make_linear_solver(options, from.num_blocks(), false, true);
  solver->analyze(pattern, std::vector<std::uint8_t>(static_cast<std::size_t>(from.num_blocks()), 1));
  solver->factorize(A);
  const Matrix b = Matrix::Ones(from.num_blocks(), 3);
  Matrix x = b;
  for (auto _ : state) solver->solve(b, x);
}

constexpr auto in_double = ProjectionPrecision::double_precision, in_single = ProjectionPrecision::single_precision;
constexpr auto ms = benchmark::kMillisecond;
BENCHMARK_CAPTURE(local_step, arap_warm, IsotropicLaw::arap, in_double, true)->Arg(1)->Arg(2)->UseRealTime()->Unit(ms);
BENCHMARK_CAPTURE(local_step, arap_cold, IsotropicLaw::arap, in_double, false)->Arg(1)->Arg(2)->UseRealTime()->Unit(ms);
BENCHMARK_CAPTURE(local_step, arap_warm_single, IsotropicLaw::arap, in_single, true)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(ms);
BENCHMARK_CAPTURE(local_step, corotational_warm, IsotropicLaw::corotational, in_double, true)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(ms);
BENCHMARK(spin_force)->Arg(1)->Arg(2)->UseRealTime()->Unit(ms);
BENCHMARK(global_solve)->Arg(1)->Arg(2)->UseRealTime()->Unit(ms);
BENCHMARK(cholmod_solve)->UseRealTime()->Unit(ms);
BENCHMARK(refactor)->Arg(1)->Arg(2)->UseRealTime()->Unit(ms);

}  // namespace
}  // namespace dashpot
