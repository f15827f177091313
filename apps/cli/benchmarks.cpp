#include "benchmarks.hpp"

#include <malloc.h>

#include "interrupt.hpp"

namespace dashpot::cli {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> table = {
      {"step", "StVK bar, Rayleigh, one Newton iteration a step, against bare CHOLMOD on the same matrix", bench_step},
      {"bodies", "1 to 1000 bars with Rayleigh damping: time and memory of a body, whatever the others", bench_bodies},
      {"contact", "a ball hits the ground, backward Euler, against the same ball held and in flight", bench_contact},
      {"examples", "a swinging StVK bar with 1 to 10 damping examples, Bathe, against the bar without", bench_examples},
      {"gradients", "200 steps of a damped bar and its gradient by 20 parameters, backwards and forwards",
       bench_gradients},
      {"reduced", "the koala in 74 coordinates: precomputation, exact forces and stiffness, Bathe steps a second",
       bench_reduced},
      {"projective", "frames of projective dynamics, with Laplacian damping, changed live, at 60 Hz", bench_projective},
      {"yarns", "a step of woven cloth at the level of yarns, against the times of paper B (sizes are crossings)",
       bench_yarns},
      {"render", "A 900 x 600 picture of 50k triangles with soft shadows", bench_render},
  };
  return table;
}

double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

std::vector<Measurement> measure_sizes(const BenchRequest& request, const char* name,
                                       void (*measure)(int tets, const BenchRequest&, std::vector<Measurement>& out)) {
  std::vector<Measurement> out;
  Progress progress(request.console, name, static_cast<double>(request.sizes.size()), "sizes");
  for (std::size_t i = 0; i < request.sizes.size() && !interrupted(); ++i) {
    measure(request.sizes[i], request, out);
    progress.update(static_cast<double>(i + 1));
  }
  return out;
}

}  // namespace dashpot::cli
