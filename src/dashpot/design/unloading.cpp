#include "dashpot/design/unloading.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/design/gain_search.hpp"

namespace dashpot::design {
namespace {

void check(const Designable& body, const Gains& start, const std::vector<UnloadingTarget>& targets) {
  std::vector<Problem> problems;
  const auto add = [&](const UnloadingTarget& t, std::string found, std::string expected) {
    const std::string name = t.example >= 0 && t.example < body.num_examples()
                                 ? body.names[static_cast<std::size_t>(t.example)]
                                 : fmt::format("example {}", t.example);
    problems.push_back({name, std::move(found), std::move(expected)});
  };
  if (static_cast<int>(start.size()) != body.num_examples())
    problems.push_back({"", fmt::format("{} gains", start.size()), fmt::format("{}", body.num_examples())});
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const UnloadingTarget& t = targets[i];
    if (t.example < 0 || t.example >= body.num_examples()) add(t, "no such example", "an example of the damping");
    if (!(t.amplitude > 0) || !std::isfinite(t.amplitude))
      add(t, fmt::format("a release from {}", t.amplitude), "an amplitude above 0, in units of the example");
    if (!(t.residual >= 0))
      add(t, fmt::format("{} left after one cycle", t.residual), "0 or more");
    else if (t.amplitude > 0 && !(t.residual < t.amplitude))
      add(t, fmt::format("{} left of {} after one cycle", t.residual, t.amplitude),
          "less than was there: damping cannot feed the motion");
    for (std::size_t j = 0; j < i; ++j)
      if (targets[j].example == t.example && targets[j].amplitude == t.amplitude)
        add(t, fmt::format("two targets for a release from {}", t.amplitude), "one for each amplitude");
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

void sort_targets(std::vector<UnloadingTarget>& targets) {
  std::sort(targets.begin(), targets.end(), [](const UnloadingTarget& a, const UnloadingTarget& b) {
    return a.example != b.example ? a.example < b.example : a.amplitude < b.amplitude;
  });
}

class Designer {
 public:
  Designer(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
           const UnloadingOptions& options)
      : body_(body), options_(options) {
    check(body, start, targets);
    sort_targets(targets);
    design_.gains = start;
    for (const UnloadingTarget& target : targets) {
      UnloadingReached entry;
      entry.target = target;
      entry.gain = start[static_cast<std::size_t>(target.example)].value(target.amplitude);
      entry.gain = std::clamp(entry.gain, options.low, options.high);
      design_.targets.push_back(std::move(entry));
    }
  }

  UnloadingDesign curves() {
    for (design_.sweeps = 1;; ++design_.sweeps) {
      for (std::size_t j = 0; j < design_.targets.size() && !design_.stopped; ++j) search(j);
      measure();
      if (design_.reached || design_.stopped || design_.sweeps == options_.max_sweeps || is_settled()) return design_;
    }
  }

  UnloadingDesign constants() {
    design_.sweeps = 1;
    for (std::size_t j = 0; j < design_.targets.size() && !design_.stopped;) {
      std::size_t end = j;
      while (end < design_.targets.size() && design_.targets[end].target.example == design_.targets[j].target.example)
        ++end;
      fit_constant(j, end);
      j = end;
    }
    measure();
    return design_;
  }

 private:
  /// The curve of target j's example through the knots up to j, with this gain at j's.
  math::GainCurve curve_until(std::size_t j, double gain) const {
    std::vector<math::GainCurve::Point> points;
    for (std::size_t i = 0; i < j; ++i)
      if (design_.targets[i].target.example == design_.targets[j].target.example)
        points.push_back({design_.targets[i].target.amplitude, design_.targets[i].gain});
    points.push_back({design_.targets[j].target.amplitude, gain});
    return math::GainCurve::through(points, math::GainCurve::Kind::linear);
  }

  /// What is left after one cycle; NaN when stopped.
  double left_after_swing(const Gains& gains, const UnloadingReached& entry, double gain) {
    ++design_.simulations;
    const Swing swing = release(body_, gains, {entry.target.example, entry.target.amplitude, 0, options_.should_stop});
    if (swing.end == Swing::End::failed)
      throw Error(Problem{
          body_.names[static_cast<std::size_t>(entry.target.example)],
          fmt::format("the release from {} times the example failed: {}", entry.target.amplitude, swing.explanation),
          "a release that can be simulated", "lower the amplitude or the time step"});
    design_.stopped = swing.end == Swing::End::stopped;
    if (design_.stopped) return std::nan("");
    if (options_.on_simulation) options_.on_simulation(entry.target, design_.simulations, gain, swing.residual);
    return swing.residual;
  }

  GainSearchOptions search_options(const UnloadingReached& entry) const {
    // The later knots move what was found by a little: search closer than is asked for.
    return {options_.low, options_.high, 0.5 * options_.tolerance, entry.target.amplitude, options_.max_simulations};
  }

  void search(std::size_t j) {
    UnloadingReached& entry = design_.targets[j];
    math::GainCurve& curve = design_.gains[static_cast<std::size_t>(entry.target.example)];
    const auto left = [&](double gain) {
      curve = curve_until(j, gain);
      return left_after_swing(design_.gains, entry, gain);
    };
    // A first guess near the knot below is nearer than what an earlier, other damping had.
    const double start = design_.sweeps == 1 && j > 0 && design_.targets[j - 1].target.example == entry.target.example
                             ? design_.targets[j - 1].gain
                             : entry.gain;
    const GainSearchResult found = find_gain(left, entry.target.residual, start, search_options(entry));
    entry.gain = found.gain;
    entry.simulations = found.evaluations;
    curve = curve_until(j, found.gain);
    explain(found, j);
  }

  void explain(const GainSearchResult& found, std::size_t j) {
    UnloadingReached& entry = design_.targets[j];
    const bool has_lower = j > 0 && design_.targets[j - 1].target.example == entry.target.example;
    entry.explanation.clear();
    if (found.end == GainSearchResult::End::too_strong_at_low)
      entry.explanation = fmt::format(
          "unreachable: even a gain of {} leaves only {:.3g}, because {}", options_.low, found.value,
          has_lower ? fmt::format("the swing also passes amplitudes below {}, where the other targets fix the gain",
                                  design_.targets[j - 1].target.amplitude)
                    : "the other examples, the other modes and the integrator take the rest");
    else if (found.end == GainSearchResult::End::too_weak_at_high)
      entry.explanation = fmt::format(
          "unreachable: a gain of {} still leaves {:.3g}, because most of this motion is not "
          "along the example",
          options_.high, found.value);
    else if (found.end == GainSearchResult::End::out_of_evaluations)
      entry.explanation =
          fmt::format("not reached within {} simulations; nearest {:.3g}", options_.max_simulations, found.value);
  }

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

  /// All targets with the gains as they are.
  void measure() {
    design_.reached = !design_.stopped;
    for (UnloadingReached& entry : design_.targets) {
      const double left = design_.stopped ? std::nan("") : left_after_swing(design_.gains, entry, entry.gain);
      entry.left = left;
      if (std::isnan(left)) {
        entry.error = left;
        entry.reached = false;
        entry.explanation = "the search was stopped";
        continue;
      }
      entry.error = target_error(entry.left, entry.target.residual, entry.target.amplitude);
      entry.reached = entry.error <= options_.tolerance;
      if (entry.reached)
        entry.explanation.clear();
      else if (entry.explanation.empty())
        entry.explanation = fmt::format("{:.3g} is left; the gains of other targets moved it", entry.left);
      design_.reached &= entry.reached;
    }
    if (design_.stopped) design_.reached = false;
  }

  /// Whether another sweep could not help: what fails is at a bound, or nothing moved since the last sweep.
  bool is_settled() {
    std::vector<double> now;
    for (const UnloadingReached& entry : design_.targets) now.push_back(std::log10(entry.gain));
    double moved = 1;
    if (now.size() == before_.size()) {
      moved = 0;
      for (std::size_t j = 0; j < now.size(); ++j) moved = std::max(moved, std::abs(now[j] - before_[j]));
    }
    before_ = std::move(now);
    const bool one_example = design_.targets.front().target.example == design_.targets.back().target.example;
    return one_example || moved < 0.002;
  }

  const Designable& body_;
  const UnloadingOptions& options_;
  UnloadingDesign design_;
  std::vector<double> before_;  ///< log10 of the gains after the sweep before
};

}  // namespace

UnloadingDesign design_unloading(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                 const UnloadingOptions& options) {
  return Designer(body, start, std::move(targets), options).curves();
}

UnloadingDesign best_constant_gains(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                    const UnloadingOptions& options) {
  return Designer(body, start, std::move(targets), options).constants();
}

}  // namespace dashpot::design
