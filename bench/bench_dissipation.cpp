// Relative damping: what a point of global damping and a tet of local damping cost on one core. Floors: a global form
// reads positions and velocities twice, masses once and writes velocities, 136 bytes a point (10 GB/s: 13.6 ns out of
// cache); a tet gathers 4 cache lines (64 bytes each, shared by about 20 tets) and scatters 4 x 32 bytes, about 340
// flops. Reached on one core: 3.1 ns a point in cache ("center": 4.8), a million points in 5 ms, 21 ns a tet (16464
// tets; 27 ns with 750000).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

#include "dashpot/core/parallel.hpp"
#include "dashpot/dissipation/cluster_damping.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/dissipation/variational.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/mesh/generate.hpp"

namespace dashpot {
namespace {

struct NoisyBody {
  Vector q, v;
  std::vector<double> mass;
  explicit NoisyBody(const std::vector<Vec3>& points) : q(3 * Eigen::Index(points.size())), mass(points.size(), 0.1) {
    for (std::size_t i = 0; i < points.size(); ++i) q.segment<3>(3 * Eigen::Index(i)) = points[i];
    v = Vector::Random(q.size());
  }
};

std::vector<Vec3> scattered(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.emplace_back(std::sin(1.1 * i), std::cos(0.7 * i), std::sin(0.3 * i + 1));
  return points;
}

/// Arguments: points, threads, elimination.
void RelativeGlobal(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0)), before = num_threads();
  set_num_threads(static_cast<int>(state.range(1)));
  NoisyBody body(scattered(n));
  const ClusterDamping filter("body", 0, body.mass, one_cluster(n), static_cast<TorqueElimination>(state.range(2)),
                              FilterGain::per_step(1e-3));
  for (auto _ : state) {
    filter.apply(body.q, 0.01, body.v);
    benchmark::DoNotOptimize(body.v.data());
  }
  state.counters["ns/point"] =
      benchmark::Counter(double(n) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  set_num_threads(before);
}
constexpr int rigid = static_cast<int>(TorqueElimination::rigid), center = static_cast<int>(TorqueElimination::center);
BENCHMARK(RelativeGlobal)
    ->Args({3000, 1, rigid})
    ->Args({30000, 1, rigid})
    ->Args({30000, 1, center})
    ->Args({1000000, 1, rigid})
    ->Args({1000000, 2, rigid})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// Arguments: cells a side (6 tets each), threads, elimination.
void RelativeLocal(benchmark::State& state) {
  const int cells = static_cast<int>(state.range(0)), before = num_threads();
  set_num_threads(static_cast<int>(state.range(1)));
  const Mesh mesh = make_bar(Vec3(1, 1, 1), {cells, cells, cells});
  NoisyBody body(mesh.nodes);
  const Clusters tets = element_clusters(mesh.num_nodes(), mesh.tets()->nodes, 4);
  const ClusterDamping filter("body", 0, body.mass, tets, static_cast<TorqueElimination>(state.range(2)),
                              FilterGain::per_step(1e-3));
  for (auto _ : state) {
    filter.apply(body.q, 0.01, body.v);
    benchmark::DoNotOptimize(body.v.data());
  }
  state.counters["ns/tet"] = benchmark::Counter(
      double(tets.size()) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  set_num_threads(before);
}
BENCHMARK(RelativeLocal)
    ->Args({14, 1, rigid})
    ->Args({14, 1, center})
    ->Args({14, 2, rigid})
    ->Args({50, 1, rigid})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// Point laws on a cube of Kuhn tets, one thread, alone and with elasticity in one pass. Argument: cells a side.
///
/// Floor of `variational`, per tet on four lanes: the singular value decomposition of the step, 111 ns (svd<Pack4> of
/// bench_energy on the same machine, 2.6 GHz); what is read once: 10 numbers held over the step, 9 gradients, 16 slots
/// (216 bytes) and 4 nodes of q and v; the tangent of six blocks, 250 flops, and the scatter that every tangent pays,
/// 1.2 kB read and written (60 ns of stvk_tangent's 78). Reached on 10368 tets: force 155 ns a tet (scalar code before:
/// 1005), force and tangent 260 (before: 1619).
struct PointLawBody {
  std::shared_ptr<TetBatch> batch;
  std::unique_ptr<EnergyTerm> elastic;
  std::unique_ptr<DissipationTerm> damping;
  std::shared_ptr<const BlockPattern> pattern;
  std::unique_ptr<TermScratch> scratch;
  NoisyBody body;
  Vector xi, f, g;
  BlockMatrix K;

  enum Law { variational, strain_rate, strain_rate_symmetric, strain_rate_velocity };
  PointLawBody(int cells, Law law, IsotropicLaw material = IsotropicLaw::stvk)
      : PointLawBody(make_bar(Vec3(1, 1, 1), {cells, cells, cells}), law, material) {}
  PointLawBody(const Mesh& mesh, Law law, IsotropicLaw material)
      : batch(std::make_shared<TetBatch>(mesh.nodes, mesh.tets()->nodes, 4, 0)),
        elastic(make_isotropic("body", batch, material, {{1e6, 0.4}})),
        damping(make(law)),
        body(mesh.nodes) {
    set_num_threads(1);
    PatternBuilder couplings;
    elastic->couple(couplings);
    pattern = couplings.build(3, mesh.num_nodes());
    elastic->bind(*pattern);
    damping->bind(*pattern);
    scratch = damping->make_scratch();
    State start;
    start.q = body.q;
    damping->begin_step(start, scratch.get());
    body.v *= 0.01;
    f = g = Vector::Zero(body.q.size());
    K = BlockMatrix(pattern);
  }
  std::unique_ptr<DissipationTerm> make(Law law) const {
    const std::vector<double> viscosity(static_cast<std::size_t>(batch->num_tets()), 10.0);
    if (law == variational) return std::make_unique<VariationalDamping>("body", batch, viscosity);
    StrainRateOptions options;
    if (law == strain_rate_symmetric) options.tangent = RateTangent::symmetric;
    if (law == strain_rate_velocity) options.tangent = RateTangent::velocity;
    return make_strain_rate("body", batch, viscosity, viscosity, options);
  }
  DissipationRequest request(bool with_tangent) {
    DissipationRequest request{body.q, body.v, xi, 0.01, scratch.get()};
    request.force = &f;
    request.tangent = with_tangent ? &K : nullptr;
    request.dv_scale = 100;
    request.dq_scale = 1;
    return request;
  }
};

void damping_alone(benchmark::State& state, PointLawBody::Law law, bool with_tangent) {
  PointLawBody body(static_cast<int>(state.range(0)), law);
  const DissipationRequest request = body.request(with_tangent);
  for (auto _ : state) benchmark::DoNotOptimize(body.damping->evaluate(request));
  state.SetItemsProcessed(state.iterations() * body.batch->num_tets());
}
BENCHMARK_CAPTURE(damping_alone, variational_force, PointLawBody::variational, false)->Arg(12);
BENCHMARK_CAPTURE(damping_alone, variational_tangent, PointLawBody::variational, true)->Arg(12);
BENCHMARK_CAPTURE(damping_alone, strain_rate_force, PointLawBody::strain_rate, false)->Arg(12);
BENCHMARK_CAPTURE(damping_alone, strain_rate_tangent, PointLawBody::strain_rate, true)->Arg(12);

/// Elasticity and a damping in its pass; `ratio` to elasticity alone, measured in turns. Aim: 1.4 with a tangent, which
/// is scattered once; forces have a vector for each term, so a force costs 1 + 1. St. Venant-Kirchhoff is the cheapest
/// elasticity, all others have a singular value decomposition.
void with_elasticity(benchmark::State& state, PointLawBody::Law law, bool with_tangent,
                     IsotropicLaw material = IsotropicLaw::stvk) {
  PointLawBody body(static_cast<int>(state.range(0)), law, material);
  const DissipationRequest request = body.request(with_tangent);
  const LawCall call{body.damping->capabilities().point_law, &request};
  EnergyRequest alone{body.body.q};
  alone.gradient = &body.g;
  alone.hessian = with_tangent ? &body.K : nullptr;
  EnergyRequest together = alone;
  together.companions = std::span<const LawCall>(&call, 1);
  const auto seconds = [&](const EnergyRequest& wanted) {
    const std::clock_t start = std::clock();  // of this process: other programs do not count
    for (int k = 0; k < 20; ++k) benchmark::DoNotOptimize(body.elastic->evaluate(wanted));
    return static_cast<double>(std::clock() - start);
  };
  std::vector<double> ratios;
  for (auto _ : state) ratios.push_back(seconds(together) / seconds(alone));
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2), ratios.end());
  state.counters["ratio"] = ratios[ratios.size() / 2];
}
BENCHMARK_CAPTURE(with_elasticity, strain_rate_force, PointLawBody::strain_rate, false)->Arg(12)->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_tangent, PointLawBody::strain_rate, true)->Arg(12)->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_tangent, PointLawBody::strain_rate, true)->Arg(30)->Iterations(10);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_tangent_linear, PointLawBody::strain_rate, true, IsotropicLaw::linear)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_tangent_corotational, PointLawBody::strain_rate, true,
                  IsotropicLaw::corotational)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_tangent_neo_hookean, PointLawBody::strain_rate, true,
                  IsotropicLaw::stable_neo_hookean)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_symmetric_stvk, PointLawBody::strain_rate_symmetric, true,
                  IsotropicLaw::stvk)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_symmetric_linear, PointLawBody::strain_rate_symmetric, true,
                  IsotropicLaw::linear)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_symmetric_corotational, PointLawBody::strain_rate_symmetric, true,
                  IsotropicLaw::corotational)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_symmetric_stable_neo_hookean, PointLawBody::strain_rate_symmetric, true,
                  IsotropicLaw::stable_neo_hookean)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_velocity_stvk, PointLawBody::strain_rate_velocity, true,
                  IsotropicLaw::stvk)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_velocity_linear, PointLawBody::strain_rate_velocity, true,
                  IsotropicLaw::linear)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_velocity_corotational, PointLawBody::strain_rate_velocity, true,
                  IsotropicLaw::corotational)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, strain_rate_velocity_stable_neo_hookean, PointLawBody::strain_rate_velocity, true,
                  IsotropicLaw::stable_neo_hookean)
    ->Arg(12)
    ->Iterations(30);
BENCHMARK_CAPTURE(with_elasticity, variational_tangent, PointLawBody::variational, true)->Arg(12)->Iterations(30);

}  // namespace
}  // namespace dashpot
