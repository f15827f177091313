#include "benchmarks.hpp"

namespace dashpot::cli {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> table = {
      {"step", "StVK bar, Rayleigh, one Newton iteration a step, against bare CHOLMOD on the same matrix", bench_step},
  };
  return table;
}

}  // namespace dashpot::cli
