// The best that linear damping can do: one gain an example.
#include <algorithm>
#include <cmath>

#include "dashpot/design/unloading_trials.hpp"

namespace dashpot::design {
namespace {

class ConstantGains : private UnloadingTrials {
 public:
  ConstantGains(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                const UnloadingOptions& options)
      : UnloadingTrials(body, start, std::move(targets), options) {}

  UnloadingDesign fit() {
    design_.sweeps = 1;
    for (std::size_t j = 0; j < design_.targets.size() && !design_.stopped;) {
      const std::size_t end = end_of_example(j);
      fit_constant(j, end);
      j = end;
    }
    measure();
    return design_;
  }

 private:
  /// Relative errors of all targets of one example, squared and added, for a constant gain.
  void fit_constant(std::size_t begin, std::size_t end) {
    math::GainCurve& curve = design_.gains[static_cast<std::size_t>(design_.targets[begin].target.example)];
    const auto cost = [&](double y) {
      curve = math::GainCurve::constant(std::pow(10, y));
      double sum = 0;
      for (std::size_t j = begin; j < end; ++j) {
        const UnloadingReached& entry = design_.targets[j];
        const double left = left_after_swing(design_.gains, entry, std::pow(10, y));
        const double error = target_error(left, entry.target.residual, entry.target.amplitude);
        sum += error * error;
      }
      return sum;
    };
    // The best constant lies between the gains that meet the targets one by one.
    double low = std::log10(options_.high), high = std::log10(options_.low);
    for (std::size_t j = begin; j < end && !design_.stopped; ++j) {
      const UnloadingReached& entry = design_.targets[j];
      const auto left = [&](double gain) {
        curve = math::GainCurve::constant(gain);
        return left_after_swing(design_.gains, entry, gain);
      };
      const double own = std::log10(find_gain(left, entry.target.residual, entry.gain, search_options(entry)).gain);
      low = std::min(low, own);
      high = std::max(high, own);
    }
    constexpr double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double cost_a = cost(a), cost_b = cost(b);
    while (high - low > 0.005 && !design_.stopped) {  // 1 % of the gain
      if (cost_a < cost_b) {
        high = b, b = a, cost_b = cost_a;
        a = high - golden * (high - low);
        cost_a = cost(a);
      } else {
        low = a, a = b, cost_a = cost_b;
        b = low + golden * (high - low);
        cost_b = cost(b);
      }
    }
    const double best = std::pow(10, 0.5 * (low + high));
    curve = math::GainCurve::constant(best);
    for (std::size_t j = begin; j < end; ++j) design_.targets[j].gain = best;
  }
};

}  // namespace

UnloadingDesign best_constant_gains(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                    const UnloadingOptions& options) {
  return ConstantGains(body, start, std::move(targets), options).fit();
}

}  // namespace dashpot::design
