#include "reduced_cost.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "dashpot/core/spin_team.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

/// Sums an array with eight accumulators, in as many ranges as the kernel: the time of reading it once.
double read_once(const Vector& all) {
  constexpr std::size_t ranges = 8;
  std::array<double, ranges> sums{};
  const std::span<const double> values(all.data(), static_cast<std::size_t>(all.size()));
  spin_parallel_for(ranges, [&](int range) {
    const std::size_t begin = values.size() * static_cast<std::size_t>(range) / ranges,
                      end = values.size() * (static_cast<std::size_t>(range) + 1) / ranges;
    // Fixed sizes of Eigen are vectorized at any level of optimization: the figure is that of the memory.
    using Part = Eigen::Array<double, 32, 1>;
    Part part = Part::Zero();
    std::size_t i = begin;
    for (; i + 32 <= end; i += 32) part += Eigen::Map<const Part>(values.data() + i);
    for (; i < end; ++i) part[0] += values[i];
    sums[static_cast<std::size_t>(range)] = part.sum();
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

EvaluationCost evaluation_cost(const QuarticForm& form, int repeats) {
  Vector z = Vector::LinSpaced(form.num_variables(), -1, 1), gradient;
  z[0] = 1;
  Matrix hessian;
  QuarticForm::Scratch scratch;
  std::vector<double> evaluate_ms, read_ms;
  volatile double sink = 0;
  for (int i = 0; i < repeats && !interrupted(); ++i) {  // in turn: a busy moment hits both
    evaluate_ms.push_back(milliseconds([&] { sink = form.evaluate(z, gradient, hessian, scratch); }));
    read_ms.push_back(milliseconds([&] { sink = read_once(form.values()); }));
  }
  if (evaluate_ms.empty()) return {};
  return {median(evaluate_ms), median(read_ms)};
}

}  // namespace dashpot::cli
