#pragma once
// What estimators beside fit() ask of a FitProblem: whether it makes sense, what chi2 and its derivatives are at x, the
// prior, and the box in which the values of all unknowns are admissible.

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "dashpot/learn/fit.hpp"

namespace dashpot::learn {

class FitEvaluation {
 public:
  /// `problem` must outlive this. dashpot::Error where unknowns and runs do not fit together.
  explicit FitEvaluation(const FitProblem& problem);

  struct Request {
    FitStage stage;
    bool derivatives = true;
    std::vector<Eigen::Index> moving = {};  ///< derivatives by these alone, zero by the others; empty: by all
    double give_up_above = std::numeric_limits<double>::infinity();  ///< of chi2 over all runs
    std::function<bool()> should_stop = {};
    std::function<void(double share)> on_progress = {};  ///< of all runs
    /// Where the points of a run's scene are, at each of its measured instants.
    std::function<void(std::size_t run, const std::vector<Vec3>&)> on_points = {};
  };
  /// Sum over all runs; JtJ and Jtr with respect to x. Ends at the first run that does not come to its end.
  Comparison at(const Vector& x, const Request& request) const;

  Eigen::Index size() const { return precision_.rows(); }
  double prior_at(const Vector& x) const { return (x - prior_).dot(precision_ * (x - prior_)); }
  const Matrix& precision() const { return precision_; }
  const Vector& prior() const { return prior_; }
  /// Indices of the unknowns into the parameter values of a run's System.
  const std::vector<int>& indices(std::size_t run) const { return indices_[run]; }
  Vector slopes(const Vector& x) const;  ///< dtheta/dx

  /// Admissible x: low and high, infinite where there is no bound.
  std::pair<Vector, Vector> box() const;
  void clamp(Vector& x) const;

 private:
  const FitProblem& problem_;
  std::vector<std::vector<int>> indices_;  ///< by run
  Matrix precision_;
  Vector prior_;
};

/// Fills in what is known at the end of a search: values, chi2, prior and J^T J at result.x, from `at_x`.
void complete(const FitProblem& problem, const FitEvaluation& evaluation, const Comparison& at_x, FitResult& result);

}  // namespace dashpot::learn
