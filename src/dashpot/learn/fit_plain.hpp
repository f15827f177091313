#pragma once
// The fit of a FitProblem without derivatives: the simplex or the evolution strategy on chi2 plus prior. This is how
// plain material parameters are usually identified [WangEtAl2015], and what learned laws are compared with; it works
// for all parameters, steppers and dampings, where fit() needs derivatives.
//
// Unknowns stay in the admissible range of their parameters, and within `reach` of the start in units of x: a factor
// exp(reach) for logarithmic ones.

#include "dashpot/learn/derivative_free.hpp"
#include "dashpot/learn/fit.hpp"

namespace dashpot::learn {

enum class PlainSearch { nelder_mead, cma };

struct PlainFitOptions {
  PlainSearch search = PlainSearch::nelder_mead;
  SearchBudget budget;
  double reach = 3;
  double robust_scale = std::numeric_limits<double>::infinity();
};

/// `should_stop`, `on_iteration` (each better x) and `on_progress` of `hooks` are used, its stages are not. The
/// covariance needs derivatives at the end: where there are none J^T J is zero, and the explanation says so.
FitResult fit_plain(const FitProblem& problem, const PlainFitOptions& options, const FitOptions& hooks,
                    const Vector& start = {});

}  // namespace dashpot::learn
