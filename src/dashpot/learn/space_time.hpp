#pragma once
// Joint space-time Gauss-Newton: trajectories z of all runs and weights x of the law are unknown together,
//
//     F(z, x) = sum over runs ( |g(z, x)|^2 + |r(z)|^2 ) + (x - x_prior)^T P (x - x_prior),
//
// g what the law leaves unbalanced in the space of the modes, over sigma_f; r the residuals of what was measured
// (space_time_run.hpp). Nothing is shot through time, so no cycle can be skipped: it may start from a law whose period
// is far off. This replaces the alternation of [WangEtAl2020, sec. 4] (alternation.hpp), which it is the joint form of
// [reference D, section 4, P1]:
//
//   1. frames of a forward run, and of one that springs draw onto the measurements (space_time_tracking.hpp);
//   2. modes from both (pod.hpp); the trajectory starts from the second;
//   3. Gauss-Newton with line search: banded Cholesky for z, Schur complement for x (space_time_solver.hpp);
//   4. forward run with the new law, which is what counts: chi2 of forward runs decides which law is kept;
//   5. again from 2 with the frames of that run and of the trajectory, `rounds` times.
//
// A law whose forward run fails is drawn back to the best one known until it runs.

#include "dashpot/learn/fit.hpp"

namespace dashpot::learn {

struct SpaceTimeOptions {
  int rounds = 3;
  int max_iterations = 6;  ///< of Gauss-Newton, a round
  int num_modes = 40;      ///< 0: all free dofs
  /// eta [N/m]: a force that the law does not explain, over a distance from what was measured. Control forces of 0.1 to
  /// 1 m g per dof over the accuracy of the positions; 10 to 1000 do for soft bodies of a few centimeters.
  double stiffness = 10;
  double tracking_stiffness = 1000;  ///< of the springs (TrackingOptions::stiffness)
  /// Of robust residuals, by round; the last one holds for all further rounds. Ignored where nothing is robust.
  std::vector<double> robust_scales = {30, 10, 5};
};

/// `should_stop`, `on_iteration` (after each round) and `on_progress` of `hooks` are used, its stages are not.
/// dashpot::Error where a scene cannot be followed (space_time_run.hpp). Iterations of the result are rounds.
FitResult fit_space_time(const FitProblem& problem, const SpaceTimeOptions& options, const FitOptions& hooks,
                         const Vector& start = {});

}  // namespace dashpot::learn
