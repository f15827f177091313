#pragma once
// Draws a scene onto what was measured: a run of backward Euler in which springs pull the body towards the measured
// points,
//
//     M a + f_int + f_d - f_ext + k sigma^2 J_r^T r = 0        in every step that was measured,
//
// with r the residuals of the observations (differences over their standard deviation sigma), J_r their slopes by q.
// With stiff springs it is the step with observed dofs prescribed of [WangEtAl2020, eqs. 9-10], for whatever was
// measured: nodes, markers, point clouds. It is where space-time estimators start from, and a tracker by itself: the
// mesh follows a point cloud, and the springs say what forces the law does not explain.

#include <functional>
#include <string>

#include "dashpot/learn/observed_run.hpp"
#include "dashpot/learn/space_time_run.hpp"

namespace dashpot::learn {

struct TrackingOptions {
  double stiffness = 10;    ///< of a spring, over the mean diagonal of M / h^2 + C / h + K at the start
  int max_iterations = 8;   ///< of Newton and Gauss-Newton, a step
  double tolerance = 1e-6;  ///< of a step: largest change of a coordinate, over the size of the bodies
  /// Of robust residuals, spread evenly over the run: from far off large ones come first. None: nothing is robust.
  std::vector<double> robust_scales = {};
  std::function<bool()> should_stop = {};
};

struct TrackedRun {
  bool finished = false;
  std::string explanation;
  Matrix frames;  ///< q_1 ... q_T, a column a step, as far as it went
};

TrackedRun track(const SpaceTimeRun& run, const System& system, const TrackingOptions& options);
/// The same steps without springs, by the scene's own stepper.
TrackedRun simulate_frames(const SpaceTimeRun& run, const System& system, const std::function<bool()>& should_stop);

}  // namespace dashpot::learn
