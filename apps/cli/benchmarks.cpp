#include "benchmarks.hpp"

namespace dashpot::cli {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> table = {
      {"step", "StVK bar, Rayleigh, one Newton iteration a step, against bare CHOLMOD on the same matrix", bench_step},
      {"contact", "a ball hits the ground, backward Euler, against the same ball held and in flight", bench_contact},
      {"examples", "a swinging StVK bar with 1 to 10 damping examples, Bathe, against the bar without", bench_examples},
      {"reduced", "the koala in 74 coordinates: precomputation, exact forces and stiffness, Bathe steps a second",
       bench_reduced},
      {"projective", "frames of projective dynamics, with Laplacian damping, changed live, at 60 Hz", bench_projective},
      {"render", "A 900 x 600 picture of 50k triangles with soft shadows", bench_render},
  };
  return table;
}

}  // namespace dashpot::cli
