#include "dashpot/learn/derivative_free.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {

void check_box(const BoxedFunction& function, const Vector& start) {
  const Eigen::Index n = start.size();
  if (n == 0) throw Error(Problem{"", "no unknown", "at least one number to look for", ""});
  if (function.low.size() != n || function.high.size() != n)
    throw Error(Problem{"", fmt::format("{} and {} bounds", function.low.size(), function.high.size()),
                        fmt::format("a lower and an upper bound of each of {} unknowns", n), ""});
  std::vector<Problem> problems;
  for (Eigen::Index k = 0; k < n; ++k)
    if (!(function.low[k] < function.high[k]))
      problems.push_back({fmt::format("unknown {}", k),
                          fmt::format("bounds {:.6g} and {:.6g}", function.low[k], function.high[k]),
                          "the lower one first", ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace dashpot::learn
