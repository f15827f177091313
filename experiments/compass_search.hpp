#pragma once
// A search for the lowest point of a function of a few positive numbers, each evaluation a simulation.

#include <functional>
#include <vector>

namespace dashpot::cli {

/// Where a search ended.
struct Lowest {
  std::vector<double> x;
  double value = 0;  ///< not a number where the function is none at the start
  int evaluations = 0;
};

/// The lowest point of f in log10 x by steps along the axes, halved where none helps, down to `precision`. Points at
/// which f is not a number are passed over. Ends early when interrupted.
Lowest compass_search(const std::function<double(const std::vector<double>&)>& f, std::vector<double> x, double step,
                      double precision);

}  // namespace dashpot::cli
