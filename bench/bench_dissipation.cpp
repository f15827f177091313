// Relative damping: what a point of global damping and a tet of local damping cost on one core. Floors: a global form
// reads positions and velocities twice, masses once and writes velocities, 136 bytes a point (10 GB/s: 13.6 ns out of
// cache); a tet gathers 4 cache lines (64 bytes each, shared by about 20 tets) and scatters 4 x 32 bytes, about 340
// flops. Reached on one core: 3.1 ns a point in cache ("centre": 4.8), a million points in 5 ms, 21 ns a tet (16464
// tets; 27 ns with 750000).

#include <benchmark/benchmark.h>

#include "dashpot/core/parallel.hpp"
#include "dashpot/dissipation/cluster_damping.hpp"
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
constexpr int rigid = static_cast<int>(TorqueElimination::rigid), centre = static_cast<int>(TorqueElimination::centre);
BENCHMARK(RelativeGlobal)
    ->Args({3000, 1, rigid})
    ->Args({30000, 1, rigid})
    ->Args({30000, 1, centre})
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
    ->Args({14, 1, centre})
    ->Args({14, 2, rigid})
    ->Args({50, 1, rigid})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dashpot
