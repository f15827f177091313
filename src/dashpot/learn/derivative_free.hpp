#pragma once
// What searches without derivatives have in common: the function and the box it is searched in, the budget, the
// outcome. They are what most works fit material parameters with (the simplex of [NelderMead1965] in [WangEtAl2015]),
// and serve where nothing can be differentiated: few unknowns, velocity filters, explicit steppers.

#include <functional>
#include <limits>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

struct BoxedFunction {
  std::function<double(const Vector&)> value;  ///< to be made small; infinite or not a number: as bad as can be
  Vector low, high;                            ///< of x; infinite where there is no bound

  Vector into_box(const Vector& x) const { return x.cwiseMax(low).cwiseMin(high); }
};

struct SearchBudget {
  int max_evaluations = 400;
  double least_size = 1e-6;     ///< of the simplex or the distribution, in units of x: smaller ones have converged
  double least_decrease = 0.5;  ///< of the value, over a simplex or some generations: smaller ones have converged
  int max_restarts = 3;         ///< of a simplex: fewer, where one finds nothing better
  double first_size = 0.3;      ///< of the first simplex or the standard deviation, in units of x
  unsigned seed = 1;            ///< of random searches
  std::function<bool()> should_stop = {};  ///< polled before each evaluation
  /// After each evaluation that is the best so far.
  std::function<void(int evaluation, double value, const Vector& x)> on_better = {};
  std::function<void(int evaluation)> on_evaluation = {};  ///< after each, for progress
};

struct SearchOutcome {
  enum class End { converged, out_of_budget, stopped };
  End end = End::converged;
  Vector x;
  double value = std::numeric_limits<double>::infinity();
  int num_evaluations = 0, num_restarts = 0;
};

/// dashpot::Error where a bound is missing, or lies on the wrong side.
void check_box(const BoxedFunction& function, const Vector& start);

/// Counts evaluations, keeps the best x, and says when the budget is used up.
class CountedFunction {
 public:
  CountedFunction(const BoxedFunction& function, const SearchBudget& budget) : function_(function), budget_(budget) {}

  /// Whether one more evaluation is allowed; sets how the search ends where it is not.
  bool may_go_on() {
    if (budget_.should_stop && budget_.should_stop())
      outcome_.end = SearchOutcome::End::stopped;
    else if (outcome_.num_evaluations >= budget_.max_evaluations)
      outcome_.end = SearchOutcome::End::out_of_budget;
    else
      return true;
    is_over_ = true;
    return false;
  }
  bool is_over() const { return is_over_; }

  /// The value at x, which lies in the box; infinite where there is none, and once the budget is used up.
  double operator()(const Vector& x) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (is_over_ || !may_go_on()) return infinity;
    double value = function_.value(x);
    ++outcome_.num_evaluations;
    // A run that was stopped has no value.
    if (budget_.should_stop && budget_.should_stop()) return may_go_on(), infinity;
    if (!(value < infinity)) value = infinity;
    if (value < outcome_.value || outcome_.x.size() == 0) {
      outcome_.value = value;
      outcome_.x = x;
      if (budget_.on_better) budget_.on_better(outcome_.num_evaluations, value, x);
    }
    if (budget_.on_evaluation) budget_.on_evaluation(outcome_.num_evaluations);
    return value;
  }
  SearchOutcome& outcome() { return outcome_; }

 private:
  const BoxedFunction& function_;
  const SearchBudget& budget_;
  SearchOutcome outcome_;
  bool is_over_ = false;
};

}  // namespace dashpot::learn
