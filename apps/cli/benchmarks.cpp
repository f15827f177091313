#include "benchmarks.hpp"

namespace dashpot::cli {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> table = {
      {"step", "StVK bar, Rayleigh, one Newton iteration a step, against bare CHOLMOD on the same matrix", bench_step},
      {"contact", "a ball hits the ground, backward Euler, against the same ball held and in flight", bench_contact},
      {"render", "A 900 x 600 picture of 50k triangles with soft shadows", bench_render},
  };
  return table;
}

}  // namespace dashpot::cli
