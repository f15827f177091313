#pragma once
// How much a velocity filter removes in one step. By a rate r [1/s], gamma = 1 - exp(-r dt): the same in a second for
// every dt. By gamma_per_step, the papers' form, which depends on dt.

#include "dashpot/core/types.hpp"
#include "dashpot/model/parameters.hpp"

namespace dashpot {

class FilterGain {
 public:
  /// rate [1/s] >= 0, finite; dashpot::Error otherwise.
  static FilterGain rate(double rate);
  /// 0 <= gamma <= 1; dashpot::Error otherwise.
  static FilterGain per_step(double gamma);

  /// gamma in [0, 1]: the fraction removed in a step of dt [s].
  double over(double dt) const;
  bool is_rate() const { return is_rate_; }
  /// "rate" or "gamma_per_step".
  ParameterList parameters() const;
  FilterGain with(double value) const { return is_rate_ ? rate(value) : per_step(value); }

 private:
  FilterGain(double value, bool is_rate) : value_(value), is_rate_(is_rate) {}
  double value_;
  bool is_rate_;
};

}  // namespace dashpot
