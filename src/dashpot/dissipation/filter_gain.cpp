#include "dashpot/dissipation/filter_gain.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

FilterGain FilterGain::rate(double rate) {
  if (!(std::isfinite(rate) && rate >= 0))
    throw Error(Problem{"velocity filter", fmt::format("rate = {} /s", rate), "a finite rate >= 0 /s", ""});
  return FilterGain(rate, true);
}

FilterGain FilterGain::per_step(double gamma) {
  if (!(gamma >= 0 && gamma <= 1))
    throw Error(Problem{"velocity filter", fmt::format("gamma_per_step = {}", gamma), "0 <= gamma_per_step <= 1",
                        "1 removes all it acts on in every step; more would turn the motion round"});
  return FilterGain(gamma, false);
}

double FilterGain::over(double dt) const { return is_rate_ ? -std::expm1(-value_ * dt) : value_; }

ParameterList FilterGain::parameters() const {
  if (is_rate_) return {{"rate", Quantity::rate, {value_}}};
  return {{"gamma_per_step", Quantity::number, {value_}, 0, 1}};
}

}  // namespace dashpot
