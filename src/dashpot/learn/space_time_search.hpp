#pragma once
// What the joint space-time estimator and the alternation share: the runs of a problem as trajectories, their modes,
// the forward runs in between, and which law is kept.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/learn/fit_evaluation.hpp"
#include "dashpot/learn/space_time_run.hpp"
#include "dashpot/learn/space_time_tracking.hpp"

namespace dashpot::learn {

/// The trajectories of all runs, in the modes of each.
struct Trajectories {
  std::vector<PodBasis> bases;
  std::vector<Matrix> z;  ///< r x T
};

class SpaceTimeSearch {
 public:
  struct Settings {
    int num_modes = 40;      ///< 0: all free dofs
    double stiffness = 100;  ///< eta [N/m]
    double tracking_stiffness = 1000;
    std::vector<double> robust_scales = {30, 10, 5};
  };
  SpaceTimeSearch(const FitProblem& problem, const Settings& settings, const FitOptions& hooks);

  const FitEvaluation& evaluation() const { return evaluation_; }
  std::size_t num_runs() const { return runs_.size(); }
  const SpaceTimeRun& run(std::size_t r) const { return runs_[r]; }
  /// With the values of x.
  std::shared_ptr<const System> system(std::size_t r, const Vector& x) const;
  SpaceTimeWeights weights(int round) const;
  bool is_stopped() const { return hooks_.should_stop && hooks_.should_stop(); }
  void tell_progress(double share) const {
    if (hooks_.on_progress) hooks_.on_progress(0, share);
  }

  /// Modes from forward and tracked runs with x; the trajectories are the tracked runs. False: one of them fails, or it
  /// was stopped; see explanation().
  bool begin(const Vector& x, int round, Trajectories& trajectories);
  /// Modes from the forward runs of the best x and the frames of the trajectories, which go on in them.
  void renew_modes(Trajectories& trajectories) const;
  /// Tracked runs with x in place of the trajectories, modes from them and the forward runs of x.
  bool track_again(const Vector& x, int round, Trajectories& trajectories);

  /// Forward runs with x; where they fail x is drawn back to the best one. Keeps x where its chi2 plus prior is the
  /// lowest. False: nothing runs, or it was stopped.
  bool try_forward(Vector& x, int round);
  const Vector& best() const { return best_; }
  const std::string& explanation() const { return explanation_; }
  /// The best law, with its derivatives.
  FitResult finish();

 private:
  bool simulate(const Vector& x);
  PodBasis basis_of(std::size_t r, const Matrix& frames) const;

  const FitProblem& problem_;
  Settings settings_;
  const FitOptions& hooks_;
  const FitEvaluation evaluation_;
  std::vector<SpaceTimeRun> runs_;
  double sigma_position_ = 0;  ///< [m]
  bool is_robust_ = false;
  std::vector<Matrix> forward_;  ///< frames of the last forward runs
  Vector best_;
  double best_value_ = std::numeric_limits<double>::infinity();
  double best_scale_ = 0;  ///< robust scale that it belongs to
  FitResult result_;
  std::string explanation_;
};

/// Gauss-Newton with line search on the trajectories and, with `learns`, on x; at most `max_iterations`. Returns F
/// after each, the first before.
std::vector<double> gauss_newton(const SpaceTimeSearch& search, int round, int max_iterations, bool learns,
                                 Trajectories& trajectories, Vector& x);

}  // namespace dashpot::learn
