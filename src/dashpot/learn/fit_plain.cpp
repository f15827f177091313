#include "dashpot/learn/fit_plain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/cma.hpp"
#include "dashpot/learn/fit_evaluation.hpp"
#include "dashpot/learn/nelder_mead.hpp"

namespace dashpot::learn {
namespace {

/// chi2 at x, with derivatives where the scene can be differentiated.
Comparison compared_at_end(const FitEvaluation& evaluation, const Vector& x, FitEvaluation::Request request,
                           std::string& explanation) {
  try {
    const Comparison found = evaluation.at(x, request);
    if (found.reached()) return found;
  } catch (const Error& error) {
    explanation = fmt::format("no errors are known: {}", error.what());
  }
  request.derivatives = false;
  Comparison found = evaluation.at(x, request);
  found.JtJ = Matrix::Zero(x.size(), x.size());
  return found;
}

}  // namespace

FitResult fit_plain(const FitProblem& problem, const PlainFitOptions& options, const FitOptions& hooks,
                    const Vector& start) {
  const FitEvaluation evaluation(problem);
  FitResult result;
  Vector first = start.size() > 0 ? start : Vector(Vector::Zero(evaluation.size()));
  evaluation.clamp(first);
  FitEvaluation::Request request{{1, options.robust_scale, 0}, false};
  request.should_stop = hooks.should_stop;

  BoxedFunction function;
  std::tie(function.low, function.high) = evaluation.box();
  function.low = function.low.cwiseMax((first.array() - options.reach).matrix());
  function.high = function.high.cwiseMin((first.array() + options.reach).matrix());
  Comparison last;
  function.value = [&](const Vector& x) {
    last = evaluation.at(x, request);
    if (!last.reached()) result.explanation = last.explanation;
    return last.reached() ? last.chi2 + evaluation.prior_at(x) : std::numeric_limits<double>::infinity();
  };
  SearchBudget budget = options.budget;
  budget.should_stop = hooks.should_stop;
  budget.on_better = [&](int, double, const Vector& x) {
    if (!last.reached()) return;
    FitIteration& better = result.iterations.emplace_back();
    better.chi2 = last.chi2;
    better.prior = evaluation.prior_at(x);
    better.num_residuals = last.num_residuals;
    better.accepted = true;
    if (hooks.on_iteration) hooks.on_iteration(result.iterations.back(), x);
  };
  budget.on_evaluation = [&](int evaluation_number) {
    if (hooks.on_progress) hooks.on_progress(0, static_cast<double>(evaluation_number) / budget.max_evaluations);
  };
  const SearchOutcome found =
      options.search == PlainSearch::cma ? cma(function, first, budget) : nelder_mead(function, first, budget);

  result.num_simulations = found.num_evaluations;
  result.x = found.x.size() > 0 ? found.x : first;
  if (!std::isfinite(found.value)) {
    result.end = found.end == SearchOutcome::End::stopped ? FitResult::End::stopped : FitResult::End::failed;
    Comparison nothing;
    complete(problem, evaluation, nothing, result);
    return result;
  }
  result.explanation.clear();
  result.end = found.end == SearchOutcome::End::stopped         ? FitResult::End::stopped
               : found.end == SearchOutcome::End::out_of_budget ? FitResult::End::out_of_iterations
                                                                : FitResult::End::converged;
  request.should_stop = {};
  request.derivatives = true;
  complete(problem, evaluation, compared_at_end(evaluation, result.x, request, result.explanation), result);
  return result;
}

}  // namespace dashpot::learn
