#include "dashpot/scene/assembly/filter_amount.hpp"

#include <fmt/format.h>

namespace dashpot {

std::vector<Parameter> filter_gain_parameters(const std::string& what) {
  return {parameter::real("rate", "r", Quantity::rate, "rate of decay of " + what).at_least(0).may_be_absent(),
          parameter::real("gamma_per_step", "\u03b3", Quantity::ratio,
                          fmt::format("fraction of {} removed in each step; depends on dt", what))
              .at_least(0)
              .at_most(1)
              .may_be_absent()};
}

void check_filter_gain(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("rate") == settings.has("gamma_per_step"))
    problems.push_back({settings.place(),
                        settings.has("rate") ? "both rate and gamma_per_step" : "neither rate nor gamma_per_step",
                        "\"rate\" [1/s] (independent of dt) or \"gamma_per_step\" (the papers' form)"});
}

FilterGain filter_gain(const Settings& settings) {
  return settings.has("rate") ? FilterGain::rate(settings.number("rate"))
                              : FilterGain::per_step(settings.number("gamma_per_step"));
}

std::string describe_filter_gain(const Settings& settings, const std::string& what) {
  return settings.has("rate")
             ? "rate " + describe_quantity(settings.number("rate"), Quantity::rate)
             : fmt::format("{} of the {} per step",
                           describe_quantity(settings.number("gamma_per_step"), Quantity::ratio), what);
}

}  // namespace dashpot
