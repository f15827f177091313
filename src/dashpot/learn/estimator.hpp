#pragma once
// Which search finds the parameters of a FitProblem. All of them give the same kind of result.
//
//   levenberg    through the simulator, with sensitivities (fit.hpp): the most exact; any data, any implicit integrator
//   space_time   trajectories and weights at once (space_time.hpp): starts from laws that are far off; backward Euler
//   alternation  the paper's (alternation.hpp): a baseline
//   nelder_mead  without derivatives (fit_plain.hpp): a few parameters, any stepper
//   cma          the same with local minima, or some tens of parameters

#include <string>
#include <vector>

#include "dashpot/learn/alternation.hpp"
#include "dashpot/learn/fit_plain.hpp"
#include "dashpot/learn/space_time.hpp"

namespace dashpot::learn {

enum class Estimator { levenberg, space_time, alternation, nelder_mead, cma };

struct EstimatorOptions {
  Estimator kind = Estimator::levenberg;
  SpaceTimeOptions space_time = {};
  AlternationOptions alternation = {};
  PlainFitOptions plain = {};  ///< its `search` is that of `kind`
};

/// "levenberg", "spacetime", "alternation", "nelder_mead", "cma".
const std::vector<std::string>& estimator_names();
/// dashpot::Error where there is none of this name.
Estimator estimator_of(const std::string& name);

/// Stages of `fit` are used by levenberg; the robust scale of the last one by searches without derivatives.
FitResult estimate(const FitProblem& problem, const EstimatorOptions& options, const FitOptions& fit);

}  // namespace dashpot::learn
