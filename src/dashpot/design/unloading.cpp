#include "dashpot/design/unloading.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/design/gain_search.hpp"
#include "dashpot/design/unloading_trials.hpp"

namespace dashpot::design {
namespace {

class Designer : private UnloadingTrials {
 public:
  Designer(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
           const UnloadingOptions& options)
      : UnloadingTrials(body, start, std::move(targets), options), knees_(start.size()) {}

  UnloadingDesign curves() {
    for (design_.sweeps = 1;; ++design_.sweeps) {
      for (std::size_t begin = 0; begin < design_.targets.size() && !design_.stopped; begin = end_of_example(begin))
        search_example(begin);
      measure();
      if (design_.reached || design_.stopped || design_.sweeps == options_.max_sweeps || is_settled()) return design_;
    }
  }

 private:
  /// Up to here the gain of an example is strong, so that it may be weak at the first knot (unloading.hpp).
  struct Knee {
    int halvings = 0;  ///< of the amplitude of the first knot; 0: none, the curve is constant below that knot
    double gain = 1;
    double floor = 1;  ///< gain at the first knot
  };

  double knee_amplitude(std::size_t j) {
    return std::ldexp(design_.targets[begin_of_example(j)].target.amplitude, -knee_of(j).halvings);
  }
  Knee& knee_of(std::size_t j) { return knees_[static_cast<std::size_t>(design_.targets[j].target.example)]; }

  /// The curve of target j's example through the knots up to j, with this gain where j's search acts: at its knot, or
  /// at the knee below the first.
  math::GainCurve curve_until(std::size_t j, double gain) {
    std::vector<math::GainCurve::Point> points;
    const std::size_t begin = begin_of_example(j);
    const Knee& knee = knee_of(j);
    if (knee.halvings > 0) points.push_back({knee_amplitude(j), j == begin ? gain : knee.gain});
    for (std::size_t i = begin; i < j; ++i)
      points.push_back({design_.targets[i].target.amplitude, design_.targets[i].gain});
    points.push_back({design_.targets[j].target.amplitude, j == begin && knee.halvings > 0 ? knee.floor : gain});
    return math::GainCurve::through(points, math::GainCurve::Kind::linear);
  }

  /// The knots of one example, in ascending order. Where the weakest gain at a knot still takes too much, because the
  /// swing also passes the amplitudes below the first knot, the damping there is moved to smaller ones. Where then the
  /// strongest takes too little, because the curve must climb to it from the first knot, that is raised again.
  void search_example(std::size_t begin) {
    Knee& knee = knee_of(begin);
    double weak = options_.low, strong = knee.gain;  // between them lies the floor that is sought
    int most = options_.max_halvings;
    for (int raises = 0; !design_.stopped && raises < 6;) {
      const bool is_first_met = search(begin) == GainSearchResult::End::reached;
      if (!is_first_met && knee.halvings > 0) {
        most = --knee.halvings;  // so near to zero the first target is out of reach
        continue;
      }
      GainSearchResult::End end = GainSearchResult::End::reached;
      for (std::size_t j = begin + 1; j < end_of_example(begin) && !is_bound(end) && !design_.stopped; ++j)
        end = search(j);
      if (end == GainSearchResult::End::too_weak_at_high && knee.halvings > 0) {
        weak = knee.floor;
      } else if (end == GainSearchResult::End::too_strong_at_low && knee.halvings > 0 && knee.floor > options_.low) {
        strong = knee.floor;
      } else if (end == GainSearchResult::End::too_strong_at_low && knee.halvings < most) {
        if (knee.halvings++ == 0) knee.gain = design_.targets[begin].gain;
        knee.floor = weak = options_.low;
        strong = knee.gain;
        continue;
      } else {
        return;
      }
      knee.floor = std::sqrt(weak * strong);
      ++raises;
    }
  }
  static bool is_bound(GainSearchResult::End end) {
    return end == GainSearchResult::End::too_strong_at_low || end == GainSearchResult::End::too_weak_at_high;
  }

  GainSearchResult::End search(std::size_t j) {
    UnloadingReached& entry = design_.targets[j];
    const std::size_t begin = begin_of_example(j);
    math::GainCurve& curve = design_.gains[static_cast<std::size_t>(entry.target.example)];
    Knee& knee = knee_of(j);
    const bool is_at_knee = j == begin && knee.halvings > 0;
    const auto left = [&](double gain) {
      curve = curve_until(j, gain);
      return left_after_swing(design_.gains, entry, gain);
    };
    // A first guess near the knot below is nearer than what an earlier, other damping had.
    const double start = is_at_knee                         ? knee.gain
                         : design_.sweeps == 1 && j > begin ? design_.targets[j - 1].gain
                                                            : entry.gain;
    const GainSearchResult found = find_gain(left, entry.target.residual, start, search_options(entry));
    (is_at_knee ? knee.gain : entry.gain) = found.gain;
    if (is_at_knee) entry.gain = knee.floor;
    entry.simulations = found.evaluations;
    curve = curve_until(j, found.gain);
    explain(found, j);
    return found.end;
  }

  void explain(const GainSearchResult& found, std::size_t j) {
    UnloadingReached& entry = design_.targets[j];
    const bool has_lower = j > begin_of_example(j);
    const Knee& knee = knee_of(j);
    entry.explanation.clear();
    if (found.end == GainSearchResult::End::too_strong_at_low)
      entry.explanation = fmt::format(
          "unreachable: even a gain of {} leaves only {:.3g}, because {}", options_.low, found.value,
          has_lower
              ? fmt::format(
                    "the swing also passes amplitudes below {}, where the other targets fix the gain{}",
                    design_.targets[j - 1].target.amplitude,
                    knee.halvings == 0 ? "" : fmt::format(", although it acts below {:.3g} alone", knee_amplitude(j)))
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

  /// Whether another sweep could not help: what fails is at a bound, or nothing moved since the last sweep.
  bool is_settled() {
    std::vector<double> now;
    for (const UnloadingReached& entry : design_.targets) now.push_back(std::log10(entry.gain));
    for (const Knee& knee : knees_) now.push_back(std::log10(knee.gain));
    double moved = 1;
    if (now.size() == before_.size()) {
      moved = 0;
      for (std::size_t j = 0; j < now.size(); ++j) moved = std::max(moved, std::abs(now[j] - before_[j]));
    }
    before_ = std::move(now);
    const bool one_example = design_.targets.front().target.example == design_.targets.back().target.example;
    return one_example || moved < 0.002;
  }

  std::vector<Knee> knees_;     ///< one per example
  std::vector<double> before_;  ///< log10 of the gains after the sweep before
};

}  // namespace

UnloadingDesign design_unloading(const Designable& body, const Gains& start, std::vector<UnloadingTarget> targets,
                                 const UnloadingOptions& options) {
  return Designer(body, start, std::move(targets), options).curves();
}

}  // namespace dashpot::design
