#pragma once
// The search of identify.hpp: Levenberg-Marquardt over the residuals of all runs (identify_residuals.hpp).

#include "dashpot/learn/identify_run.hpp"

namespace dashpot::learn {

/// What is looked for by its logarithm: numbers of all runs, and numbers that each run has for itself.
struct SearchNumbers {
  std::vector<double> common;
  std::vector<std::vector<double>> own;  ///< by run
};
/// Beside these, two numbers for the start of each run.
struct SearchProblem {
  std::vector<PreparedRun>* runs = nullptr;
  SearchNumbers start;  ///< above zero
  /// Of a scene, for common numbers and those of its run.
  std::function<std::vector<SceneOverride>(const std::vector<double>&, const std::vector<double>&)> overrides;
  bool whole = false;  ///< fits everything up to `to`, else up to `middle`
  double horizon = 1;  ///< share of that: a period that is off skips cycles when all is fitted at once
  int max_iterations = 12;
};
struct SearchResult {
  SearchNumbers numbers;
  std::vector<double> displacement, velocity;  ///< of the starts, by run [m, m/s]
  double chi2 = 0;
  int num_residuals = 0;
  double correlation = 1;  ///< residuals that follow each other and say the same
  /// Of logarithms of the common numbers; then, run by run, of the two of the start and of those of its own.
  Matrix covariance;
  bool converged = false;
  std::string failure;
  int num_simulations = 0;
};
SearchResult search(const SearchProblem& problem, const SearchResult* from, const IdentifyOptions& options,
                    const std::function<void(double)>& on_progress);

}  // namespace dashpot::learn
