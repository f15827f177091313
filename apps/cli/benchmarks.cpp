#include "benchmarks.hpp"

namespace dashpot::cli {

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> table = {};
  return table;
}

}  // namespace dashpot::cli
