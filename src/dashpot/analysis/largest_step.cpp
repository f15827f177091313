#include "dashpot/analysis/largest_step.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::analysis {
namespace {

void require(bool holds, const char* what, double found, const char* expected) {
  if (!holds) throw Error(Problem{"largest stable step", fmt::format("{} = {:g}", what, found), expected, ""});
}

class Search {
 public:
  Search(const std::function<bool(double)>& is_stable, const LargestStepOptions& options,
         const std::function<bool()>& should_stop)
      : is_stable_(is_stable), options_(options), should_stop_(should_stop) {}

  LargestStep find() {
    climb();
    do bisect();
    while (!is_confirmed() && !stopped());
    std::sort(found_.trials.begin(), found_.trials.end(),
              [](const StepTrial& a, const StepTrial& b) { return a.dt < b.dt; });
    return found_;
  }

 private:
  bool stopped() const { return should_stop_ && should_stop_(); }

  /// Tries a step and keeps found_.dt < found_.unstable_dt the innermost pair with nothing unstable below.
  bool attempt(double dt) {
    for (const StepTrial& trial : found_.trials)
      if (trial.dt == dt) return trial.is_stable;
    const bool stable = is_stable_(dt);
    found_.trials.push_back({dt, stable});
    if (!stable && (found_.unstable_dt == 0 || dt < found_.unstable_dt)) found_.unstable_dt = dt;
    found_.dt = 0;
    for (const StepTrial& trial : found_.trials)
      if (trial.is_stable && (found_.unstable_dt == 0 || trial.dt < found_.unstable_dt))
        found_.dt = std::max(found_.dt, trial.dt);
    return stable;
  }

  void climb() {
    double dt = options_.start;
    if (attempt(dt)) {
      while (!stopped() && dt < options_.longest)
        if (!attempt(dt = std::min(options_.longest, dt * options_.ladder))) return;
    } else {
      descend(dt);
    }
  }

  void descend(double dt) {
    while (!stopped() && found_.dt == 0 && dt > options_.shortest)
      attempt(dt = std::max(options_.shortest, dt / options_.ladder));
  }

  void bisect() {
    if (found_.dt == 0 && found_.unstable_dt > 0) descend(found_.unstable_dt);
    while (!stopped() && found_.dt > 0 && found_.unstable_dt > found_.dt * (1 + options_.precision))
      attempt(std::sqrt(found_.dt * found_.unstable_dt));
  }

  /// Tries steps below the border; false: one was unstable, and the border is further below.
  bool is_confirmed() {
    const double border = found_.dt;
    double below = options_.first_below;
    for (int i = 0; i < options_.attempts_below && below < 1 && !stopped(); ++i, below *= 2) {
      const double dt = border * (1 - below);
      if (border > 0 && dt >= options_.shortest && !attempt(dt)) return false;
    }
    return true;
  }

  const std::function<bool(double)>& is_stable_;
  const LargestStepOptions& options_;
  const std::function<bool()>& should_stop_;
  LargestStep found_;
};

}  // namespace

LargestStep largest_stable_step(const std::function<bool(double dt)>& is_stable, const LargestStepOptions& options,
                                const std::function<bool()>& should_stop) {
  require(options.shortest > 0, "shortest", options.shortest, "a step > 0");
  require(options.start >= options.shortest, "start", options.start, "a step not below the shortest");
  require(options.longest >= options.start && std::isfinite(options.longest), "longest", options.longest,
          "a finite step not below the start");
  require(options.ladder > 1, "ladder", options.ladder, "a factor > 1");
  require(options.precision > 0, "precision", options.precision, "a relative width > 0");
  require(options.first_below > 0 && options.first_below < 1, "first_below", options.first_below, "between 0 and 1");
  return Search(is_stable, options, should_stop).find();
}

}  // namespace dashpot::analysis
