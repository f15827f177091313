#pragma once
// Damping coefficients given element by element.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/model/parameters.hpp"

namespace dashpot {

/// Whether any element is damped at all.
inline bool any_positive(const std::vector<double>& coefficients) {
  return std::any_of(coefficients.begin(), coefficients.end(), [](double x) { return x > 0; });
}

/// Throws dashpot::Error unless `value` is made for this many elements; `what`: "viscosities".
inline void check_elements(const char* what, const PartwiseValue& value, int num_elements, const std::string& place) {
  for (const std::size_t given : {value.of_element.size(), value.factors.size()})
    if (given != 0 && given != static_cast<std::size_t>(num_elements))
      throw Error(Problem{place, fmt::format("{} {}", given, what),
                          fmt::format("one for each of the {} elements", num_elements), ""});
}

}  // namespace dashpot
