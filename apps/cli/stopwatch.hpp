#pragma once
// Times of single calls, for benchmarks.
#include <algorithm>
#include <chrono>
#include <vector>

namespace dashpot::cli {

template <class F>
double milliseconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Of at least one value.
inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace dashpot::cli
