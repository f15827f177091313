#pragma once
// The table of `dashpot bench`: each benchmark measures one job at several mesh sizes, as ratios within one run where
// that is possible (machines differ, ratios hardly do). A new one is a file bench_<name>.cpp, declared here and listed
// in benchmarks.cpp.
#include <optional>
#include <string>
#include <vector>

#include "console.hpp"

namespace dashpot::cli {

/// One measured figure: the median over the repeats.
struct Measurement {
  std::string name;  ///< "direct step / bare factor+solve"
  int tets = 0;      ///< size of the mesh; 0: does not apply
  double value = 0;
  std::string unit;               ///< "ms", "M tets/s", "1"
  std::optional<double> at_most;  ///< target, in the same unit
  std::optional<double> at_least;
  bool met() const { return !(at_most && value > *at_most) && !(at_least && value < *at_least); }
};

struct BenchRequest {
  const Console& console;
  std::vector<int> sizes;  ///< tets of the bars to measure, increasing
  int repeats = 5;
};

struct Benchmark {
  std::string name;  ///< "step"
  std::string help;  ///< one line
  std::vector<Measurement> (*run)(const BenchRequest& request);
};

const std::vector<Benchmark>& all_benchmarks();

/// What the program holds of the heap at present [bytes].
double heap_bytes();

/// Measures at each of the request's sizes, with progress; ends early when interrupted.
std::vector<Measurement> measure_sizes(const BenchRequest& request, const char* name,
                                       void (*measure)(int tets, const BenchRequest&, std::vector<Measurement>& out));

std::vector<Measurement> bench_render(const BenchRequest& request);
std::vector<Measurement> bench_bodies(const BenchRequest& request);
std::vector<Measurement> bench_step(const BenchRequest& request);
std::vector<Measurement> bench_examples(const BenchRequest& request);
std::vector<Measurement> bench_reduced(const BenchRequest& request);
std::vector<Measurement> bench_projective(const BenchRequest& request);
std::vector<Measurement> bench_contact(const BenchRequest& request);
std::vector<Measurement> bench_gradients(const BenchRequest& request);
std::vector<Measurement> bench_yarns(const BenchRequest& request);

}  // namespace dashpot::cli
