#include "dashpot/design/gain_search.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot::design {
namespace {

struct Sample {
  double gain = 0, value = 0;
};

/// Where the line through two samples in (gamma, ln r) meets the target; NaN where it does not.
double secant(const Sample& a, const Sample& b, double target) {
  if (!(a.value > 0 && b.value > 0 && target > 0)) return std::nan("");
  const double slope = (std::log(b.value) - std::log(a.value)) / (b.gain - a.gain);
  return a.gain + (std::log(target) - std::log(a.value)) / slope;
}

class GainSearch {
 public:
  GainSearch(const std::function<double(double)>& r, double target, const GainSearchOptions& options)
      : r_(r), target_(target), options_(options) {}

  GainSearchResult run(double start) {
    Sample first;
    if (!evaluate(std::clamp(start, options_.low, options_.high), first)) return result_;
    Sample weak = first, strong = first;  // weak: too much is left; strong: too little
    if (!find_other_side(first, weak, strong)) return result_;
    double bracket = std::log10(strong.gain / weak.gain);
    bool halve = false;
    while (result_.evaluations < options_.max_evaluations) {
      double gain = halve ? std::nan("") : secant(weak, strong, target_);
      if (!(gain > weak.gain && gain < strong.gain)) gain = std::sqrt(weak.gain * strong.gain);
      Sample middle;
      if (!evaluate(gain, middle)) return result_;
      (middle.value > target_ ? weak : strong) = middle;
      const double now = std::log10(strong.gain / weak.gain);
      halve = !halve && now > 0.5 * bracket;
      bracket = now;
    }
    return result_;
  }

 private:
  /// False when the search is over: reached or stopped.
  bool evaluate(double gain, Sample& sample) {
    sample = {gain, r_(gain)};
    ++result_.evaluations;
    if (std::isnan(sample.value)) {
      result_.end = GainSearchResult::End::stopped;
      return false;
    }
    const double error = target_error(sample.value, target_, options_.scale);
    if (result_.evaluations == 1 || error < result_.error) {
      result_.gain = gain;
      result_.value = sample.value;
      result_.error = error;
    }
    const bool reached = error <= options_.tolerance;
    result_.end = reached ? GainSearchResult::End::reached : GainSearchResult::End::out_of_evaluations;
    return !reached;
  }

  /// Steps outwards until the target lies between weak and strong; false when the search is over.
  bool find_other_side(const Sample& first, Sample& weak, Sample& strong) {
    const bool needs_more = first.value > target_;
    const double bound = needs_more ? options_.high : options_.low;
    double least = 1;  // by which the gain must at least change: the first time the exponential below is believed
    for (Sample last = first; last.gain != bound;) {
      // One exponential from the amplitude released at gain 0 through what was seen, and a little further, so that the
      // target is passed and not approached from one side.
      double change = secant({0, options_.scale}, last, target_) / last.gain;
      if (!needs_more) change = 1 / change;
      change = change > 1 ? 1.15 * change : 4;
      change = std::clamp(change, least, std::max(16.0, least));
      least = least == 1 ? 4 : least * least;
      if (result_.evaluations >= options_.max_evaluations) return false;
      const double gain = needs_more ? last.gain * change : last.gain / change;
      if (!evaluate(std::clamp(gain, options_.low, options_.high), last)) return false;
      (last.value > target_ ? weak : strong) = last;
      if ((last.value > target_) != needs_more) return true;
    }
    result_.end = needs_more ? GainSearchResult::End::too_weak_at_high : GainSearchResult::End::too_strong_at_low;
    return false;
  }

  const std::function<double(double)>& r_;
  double target_;
  const GainSearchOptions& options_;
  GainSearchResult result_;
};

}  // namespace

double target_error(double value, double target, double scale) {
  return target > 0 ? std::abs(value / target - 1) : std::abs(value) / scale;
}

GainSearchResult find_gain(const std::function<double(double gamma)>& r, double target, double start,
                           const GainSearchOptions& options) {
  return GainSearch(r, target, options).run(start);
}

}  // namespace dashpot::design
