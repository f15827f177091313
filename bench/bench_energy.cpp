// Speed of element loops, one thread, on bars of Kuhn tets. items_per_second is tets per second.
//
// Floor of StVK force + 12 x 12 tangent into slots, per tet: about 450 flops as fused multiply-adds on four lanes (60
// cycles), 40 cycles of shuffles to turn lanes into blocks, 48 stores of 32 bytes and as many loads (48 cycles; the
// matrix of 10k tets is 2.3 MB, so it streams from the second and third cache: 1.2 kB read and written per tet).
// Together about 150 cycles: 20-25 M tets/s at 3.5 GHz.
#include <benchmark/benchmark.h>

#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot {
namespace {

/// A bar of 4n x n x n cubes (24 n^3 tets), gently deformed.
struct Bar {
  std::vector<Vec3> X;
  std::vector<int> nodes;
  Vector q;
  explicit Bar(int n) {
    const auto id = [n](int i, int j, int k) { return (i * (n + 1) + j) * (n + 1) + k; };
    for (int i = 0; i <= 4 * n; ++i)
      for (int j = 0; j <= n; ++j)
        for (int k = 0; k <= n; ++k) X.emplace_back(0.25 / n * i, 0.25 / n * j, 0.25 / n * k);
    constexpr int paths[6][2] = {{4, 6}, {6, 2}, {2, 3}, {3, 1}, {1, 5}, {5, 4}};  // bits: i = 4, j = 2, k = 1
    for (int i = 0; i < 4 * n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          for (const auto& [a, b] : paths) {
            const auto corner = [&](int bits) { return id(i + bits / 4, j + bits / 2 % 2, k + bits % 2); };
            nodes.insert(nodes.end(), {corner(0), corner(a), corner(b), corner(7)});
          }
    q.resize(3 * static_cast<Eigen::Index>(X.size()));
    for (std::size_t i = 0; i < X.size(); ++i) {
      const Vec3& x = X[i];
      q.segment<3>(3 * static_cast<Eigen::Index>(i)) =
          x + Vec3(0.02 * x.y(), 0.1 * x.x() * x.x(), 0.03 * std::sin(5 * x.x()));
    }
  }
};

enum Want { force, force_and_tangent, force_and_projected, gauss_newton };

void element_loop(benchmark::State& state, IsotropicLaw law, Want want) {
  set_num_threads(1);
  const Bar bar(static_cast<int>(state.range(0)));
  const auto batch = std::make_shared<TetBatch>(bar.X, bar.nodes, 4, 0);
  const auto term = make_isotropic("bar", batch, law, {{1e6, 0.4}});
  PatternBuilder builder;
  term->couple(builder);
  const auto pattern = builder.build(3, static_cast<int>(bar.X.size()));
  term->bind(*pattern);
  BlockMatrix K(pattern);
  Vector g = Vector::Zero(bar.q.size());
  const std::vector<double> scale(static_cast<std::size_t>(batch->num_tets()), 1.0);
  EnergyRequest request{bar.q};
  request.gradient = &g;
  if (want != force) request.hessian = &K;
  if (want == force_and_projected) request.projection = Projection::positive_semidefinite;
  for (auto _ : state) {
    if (want == gauss_newton)
      term->add_stiffness(bar.q, StiffnessPart::gauss_newton, scale, K);
    else
      benchmark::DoNotOptimize(term->evaluate(request));
  }
  state.SetItemsProcessed(state.iterations() * batch->num_tets());
  state.counters["tets"] = batch->num_tets();
}

BENCHMARK_CAPTURE(element_loop, stvk_force, IsotropicLaw::stvk, force)->Arg(7);
BENCHMARK_CAPTURE(element_loop, stvk_tangent, IsotropicLaw::stvk, force_and_tangent)->Arg(3)->Arg(7)->Arg(12)->Arg(20);
BENCHMARK_CAPTURE(element_loop, stvk_projected, IsotropicLaw::stvk, force_and_projected)->Arg(7);
BENCHMARK_CAPTURE(element_loop, stvk_gauss_newton, IsotropicLaw::stvk, gauss_newton)->Arg(7);
BENCHMARK_CAPTURE(element_loop, linear_tangent, IsotropicLaw::linear, force_and_tangent)->Arg(7);
BENCHMARK_CAPTURE(element_loop, corotational_force, IsotropicLaw::corotational, force)->Arg(7);
BENCHMARK_CAPTURE(element_loop, corotational_tangent, IsotropicLaw::corotational, force_and_tangent)->Arg(7);
BENCHMARK_CAPTURE(element_loop, corotational_projected, IsotropicLaw::corotational, force_and_projected)->Arg(7);
BENCHMARK_CAPTURE(element_loop, neo_hookean_projected, IsotropicLaw::neo_hookean, force_and_projected)->Arg(7);
BENCHMARK_CAPTURE(element_loop, stable_neo_hookean_projected, IsotropicLaw::stable_neo_hookean, force_and_projected)
    ->Arg(7);

template <class T>
void svd(benchmark::State& state) {
  math::Matrix3<T> matrices[64];
  double x = 0.3;
  for (auto& F : matrices)
    for (int k = 0; k < 9; ++k) {
      x = std::fmod(x * 1.37 + 0.211, 1.0);
      F.m[k] = T((k % 4 == 0 ? 1.0 : 0.0) + 0.8 * x - 0.4);
    }
  std::size_t next = 0;
  for (auto _ : state) {
    const math::Svd3<T> f = math::svd3(matrices[next++ % 64]);
    benchmark::DoNotOptimize(f);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int>(sizeof(T) / sizeof(double)));
}
BENCHMARK_TEMPLATE(svd, double);
BENCHMARK_TEMPLATE(svd, math::Pack4);

}  // namespace
}  // namespace dashpot
