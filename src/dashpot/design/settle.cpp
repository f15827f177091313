#include "dashpot/design/settle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::design {
namespace {

void check(const Designable& body, const SettleTarget& target) {
  std::vector<Problem> problems;
  if (target.example < 0 || target.example >= body.num_examples())
    problems.push_back({"", fmt::format("example {}", target.example), "an example of the damping"});
  if (!(target.amplitude > 0))
    problems.push_back({"", fmt::format("a release from {}", target.amplitude), "an amplitude above 0"});
  if (!(target.time > 0)) problems.push_back({"", fmt::format("settled after {} s", target.time), "a time above 0"});
  if (!(target.band > 0 && target.band < 1))
    problems.push_back({"", fmt::format("a band of {}", target.band), "a share between 0 and 1, such as \"5 %\""});
  if (!problems.empty()) throw Error(std::move(problems));
}

class Settler {
 public:
  Settler(const Designable& body, const Gains& start, const SettleTarget& target, const UnloadingOptions& options)
      : body_(body), target_(target), options_(options) {
    design_.gains = start;
  }

  SettleDesign run() {
    // Three gains a decade find the first one that is strong enough; the edge below it is then halved.
    const double factor = std::pow(10, 1.0 / 3);
    double weak = 0, strong = 0, best_time = std::numeric_limits<double>::infinity(), best = options_.low;
    for (double gain = options_.low; gain <= options_.high * 1.0001 && !design_.stopped; gain *= factor) {
      const double time = settled_after(gain);
      if (time < best_time) best_time = time, best = gain;
      if (time <= target_.time) {
        strong = gain;
        break;
      }
      weak = gain;
    }
    if (strong == 0) {
      finish(best, best_time);
      design_.explanation =
          fmt::format("unreachable: with the best gain, {:.3g}, it stays within {:.3g} % after {:.3g} s", best,
                      100 * target_.band, best_time);
      return design_;
    }
    double time = best_time;
    while (weak > 0 && strong / weak > 1 + options_.tolerance && !design_.stopped) {
      const double middle = std::sqrt(weak * strong), now = settled_after(middle);
      if (now <= target_.time)
        strong = middle, time = now;
      else
        weak = middle;
    }
    finish(strong, time);
    design_.reached = !design_.stopped;
    return design_;
  }

 private:
  void finish(double gain, double time) {
    design_.gain = gain;
    design_.settled_after = time;
    design_.gains[static_cast<std::size_t>(target_.example)] = math::GainCurve::constant(gain);
  }

  /// When |chi| leaves the band for the last time; infinite when that is later than can be seen.
  double settled_after(double gain) {
    Gains gains = design_.gains;
    gains[static_cast<std::size_t>(target_.example)] = math::GainCurve::constant(gain);
    ++design_.simulations;
    const double watched = 2 * target_.time;
    const Swing swing = release(body_, gains, {target_.example, target_.amplitude, watched, options_.should_stop});
    design_.stopped = swing.end == Swing::End::stopped;
    if (swing.end == Swing::End::failed)
      throw Error(
          Problem{body_.names[static_cast<std::size_t>(target_.example)],
                  fmt::format("the release from {} times the example failed: {}", target_.amplitude, swing.explanation),
                  "a release that can be simulated", "lower the amplitude or the time step"});
    const double band = target_.band * target_.amplitude;
    for (std::size_t i = swing.chi.size(); i-- > 0;) {
      if (std::abs(swing.chi[i]) <= band) continue;
      if (i + 1 == swing.chi.size()) return std::numeric_limits<double>::infinity();
      // Where the line between the two steps meets the band.
      const double inside = std::abs(swing.chi[i + 1]), outside = std::abs(swing.chi[i]);
      const double time = swing.time[i] + (swing.time[i + 1] - swing.time[i]) * (outside - band) / (outside - inside);
      if (options_.on_simulation)
        options_.on_simulation({target_.example, target_.amplitude, band}, design_.simulations, gain, time);
      return time;
    }
    return 0;
  }

  const Designable& body_;
  const SettleTarget& target_;
  const UnloadingOptions& options_;
  SettleDesign design_;
};

}  // namespace

SettleDesign design_settle(const Designable& body, const Gains& start, const SettleTarget& target,
                           const UnloadingOptions& options) {
  check(body, target);
  return Settler(body, start, target, options).run();
}

}  // namespace dashpot::design
