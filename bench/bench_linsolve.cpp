// Linear solvers on the matrix of an implicit step, 16/dt^2 M + K or 1/dt^2 M + K, of a clamped bar (1 x 0.1 x 0.1 m, E
// = 1 MPa, nu = 0.4, 1000 kg/m^3, dt = 5 ms). Floors seen on two threads [ms]: product 0.033 at 10k tets, 0.145 at 50k;
// CHOLMOD on one thread: factor 28 and solve 1.0 at 10k, 476 and 15 at 50k (cubes; bars fill in less).
#include <benchmark/benchmark.h>

#include <map>

#include "dashpot/linsolve/linear_solver.hpp"
#include "support/tet_bar.hpp"

namespace {

using dashpot::BlockMatrix;
using dashpot::LinearSolverKind;
using dashpot::Vector;
using dashpot::testing::TetBar;

const TetBar& bar_of(int thousand_tets) {
  static const std::map<int, std::array<int, 3>> cells{
      {1, {24, 3, 3}}, {10, {47, 6, 6}}, {40, {80, 9, 9}}, {50, {83, 10, 10}}, {200, {130, 16, 16}}};
  static std::map<int, TetBar> bars;
  if (!bars.count(thousand_tets)) {
    dashpot::testing::TetBarOptions options;
    options.cells = cells.at(thousand_tets);
    bars[thousand_tets] = dashpot::testing::make_tet_bar(options);
  }
  return bars.at(thousand_tets);
}

Vector weight(const TetBar& bar) {
  Vector g = Vector::Zero(bar.pattern->num_dofs()), f(g.size());
  for (Eigen::Index i = 1; i < g.size(); i += 3) g[i] = -9.81;
  bar.M.multiply(g, f);
  return f;
}

void product(benchmark::State& state) {
  const TetBar& bar = bar_of(static_cast<int>(state.range(0)));
  const BlockMatrix A = bar.step_matrix(1);
  Vector x = weight(bar), y(x.size());
  for (auto _ : state) A.multiply(x, y);
}

void pattern(benchmark::State& state) {
  const TetBar& bar = bar_of(static_cast<int>(state.range(0)));
  std::vector<int> start{0}, couplings;
  for (const auto& tet : bar.tets) {
    couplings.insert(couplings.end(), tet.begin(), tet.end());
    start.push_back(static_cast<int>(couplings.size()));
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(
        dashpot::BlockPattern(3, static_cast<int>(bar.nodes.size()), start, couplings).num_slots());
}

/// Factor and solve a matrix that changes at every step, for a given kind and a1 dt^2.
void step(benchmark::State& state, LinearSolverKind kind, double a1_dt2) {
  const TetBar& bar = bar_of(static_cast<int>(state.range(0)));
  const BlockMatrix A = bar.step_matrix(a1_dt2 / 25e-6);
  dashpot::LinearSolverOptions options;
  options.kind = kind;
  const auto solver = dashpot::make_linear_solver(options, bar.pattern->num_dofs(), true, true);
  solver->analyze(bar.pattern, bar.free_dofs(true));
  const Vector b = weight(bar);
  Vector x = Vector::Zero(b.size());
  dashpot::SolveReport report;
  for (auto _ : state) {
    solver->factorize(A);
    x.setZero();
    report = solver->solve(b, x);
  }
  state.counters["iterations_cg"] = report.iterations;
  state.counters["factor_MB"] = static_cast<double>(solver->factor_bytes()) / 1e6;
  state.SetLabel(solver->name());
}

void cholmod_solve(benchmark::State& state) {
  const TetBar& bar = bar_of(static_cast<int>(state.range(0)));
  dashpot::LinearSolverOptions options;
  const auto solver = dashpot::make_linear_solver(options, bar.pattern->num_dofs(), false, true);
  solver->analyze(bar.pattern, bar.free_dofs(true));
  solver->factorize(bar.step_matrix(1 / 25e-6));
  const Vector b = weight(bar);
  Vector x(b.size());
  for (auto _ : state) solver->solve(b, x);
}

}  // namespace

BENCHMARK(pattern)->Name("linsolve/pattern")->Arg(10)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(product)->Name("linsolve/product")->Arg(10)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cholmod_solve)
    ->Name("linsolve/cholesky solve")
    ->Arg(10)
    ->Arg(50)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
#define DASHPOT_STEP(kind, name)                                      \
  BENCHMARK_CAPTURE(step, kind##_bathe, LinearSolverKind::kind, 16.0) \
      ->Name("linsolve/step a1 = 16 per dt^2/" name)                  \
      ->Arg(1)                                                        \
      ->Arg(10)                                                       \
      ->Arg(40)                                                       \
      ->Unit(benchmark::kMillisecond)                                 \
      ->UseRealTime();                                                \
  BENCHMARK_CAPTURE(step, kind##_euler, LinearSolverKind::kind, 1.0)  \
      ->Name("linsolve/step a1 = 1 per dt^2/" name)                   \
      ->Arg(1)                                                        \
      ->Arg(10)                                                       \
      ->Arg(40)                                                       \
      ->Unit(benchmark::kMillisecond)                                 \
      ->UseRealTime()
DASHPOT_STEP(cholmod, "cholmod");
DASHPOT_STEP(conjugate_gradient, "conjugate gradients");
DASHPOT_STEP(automatic, "automatic");
