// Speed of meshing a creature. items_per_second is tets per second, the search for the spacing included.
//
// Floor, per tet of a 50 000-tet mesh: the lattice has a point for every 5 tets, of which a third must be sampled;
// every fourth tet has a cut edge whose root takes 5 more samples. About 1.5 samples a tet, of 20 ns for each primitive
// near the point: 0.1 us for the handful of primitives that matter there, 1 us when a tree of 30 is walked for each.
// Emission and numbering add 0.2 us. The search repeats the sampling without the roots, about five times at smaller
// cost.
#include <benchmark/benchmark.h>

#include "dashpot/core/parallel.hpp"
#include "dashpot/shape/mesh_shape.hpp"

namespace dashpot {
namespace {

void mesh_asset(benchmark::State& state, const char* name) {
  const Shape shape = load_shape(name);
  double tets = 0;
  for (auto _ : state) tets = mesh_shape(shape, {static_cast<double>(state.range(0)), 0, 0}).mesh.groups.front().size();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tets));
  state.counters["tets"] = tets;
}
BENCHMARK_CAPTURE(mesh_asset, blob, "blob")->Arg(2000)->Arg(11000)->Arg(50000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dashpot
