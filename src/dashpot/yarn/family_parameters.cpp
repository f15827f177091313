#include "dashpot/yarn/family_parameters.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

ParameterList family_parameters(const std::string& name, Quantity quantity, const PerFamily& values, double low,
                                bool is_open) {
  ParameterList list;
  for (const YarnFamily family : {YarnFamily::warp, YarnFamily::weft}) {
    ParameterInfo info;
    info.name = (family == YarnFamily::warp ? "warp/" : "weft/") + name;
    info.quantity = quantity;
    info.values = {values[family]};
    info.low = low;
    info.is_open = is_open;
    list.push_back(std::move(info));
  }
  return list;
}

void check_family_values(const std::string& body, const ParameterList& list) {
  std::vector<Problem> problems;
  for (const ParameterInfo& info : list)
    if (!std::isfinite(info.values[0]) || !info.admits(info.values[0]))
      problems.push_back(
          {body + "/" + info.name, fmt::format("{:.6g} {}", info.values[0], info.unit()), info.range_text(), ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace dashpot
