#include "dashpot/learn/estimator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {

const std::vector<std::string>& estimator_names() {
  static const std::vector<std::string> names = {"levenberg", "spacetime", "alternation", "nelder_mead", "cma"};
  return names;
}

Estimator estimator_of(const std::string& name) {
  const auto found = std::find(estimator_names().begin(), estimator_names().end(), name);
  if (found == estimator_names().end())
    throw Error(Problem{"", fmt::format("estimator '{}'", name),
                        fmt::format("one of {}", fmt::join(estimator_names(), ", ")), ""});
  return static_cast<Estimator>(found - estimator_names().begin());
}

FitResult estimate(const FitProblem& problem, const EstimatorOptions& options, const FitOptions& hooks) {
  switch (options.kind) {
    case Estimator::space_time:
      return fit_space_time(problem, options.space_time, hooks);
    case Estimator::alternation:
      return fit_alternation(problem, options.alternation, hooks);
    case Estimator::nelder_mead:
    case Estimator::cma: {
      PlainFitOptions plain = options.plain;
      plain.search = options.kind == Estimator::cma ? PlainSearch::cma : PlainSearch::nelder_mead;
      if (!hooks.stages.empty()) plain.robust_scale = hooks.stages.back().robust_scale;
      return fit_plain(problem, plain, hooks);
    }
    case Estimator::levenberg:
      break;
  }
  return fit(problem, hooks);
}

}  // namespace dashpot::learn
