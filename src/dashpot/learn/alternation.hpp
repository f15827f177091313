#pragma once
// The estimator of [WangEtAl2020], as a baseline for those that replace it (space_time.hpp, fit.hpp), with what has to
// be read differently for it to run [reference D, sections 3 and 4]. One iteration:
//
//   1. a run that springs draw onto the measurements, with the present law (eqs. 9-10); modes from it and the forward
//      run (E4: centered);
//   2. the trajectory that moves as the law says and as was measured, by Gauss-Newton with the law held (eqs. 5-7; E1
//   to
//      E3: the nonlinear residual of backward Euler, with the right signs and all forces);
//   3. the weights that explain the forces this left over, by linear least squares in the space of the modes (eq. 12;
//   E5:
//      not lifted to the nodes; E6: the total weights, not an increment),
//
//          min_x sum_i |Phi^T g_i(x)|^2 + lambda tr(A^T A) / n  x^T P x / max diag P;
//
//   4. a forward run with the new law.
//
// It descends block by block in an objective whose blocks are strongly coupled: the error of forward runs falls slowly
// and not monotonically, so the best iterate is kept. It needs no derivative of a run by the weights.

#include "dashpot/learn/fit.hpp"

namespace dashpot::learn {

struct AlternationOptions {
  int iterations = 6;
  int max_iterations = 5;            ///< of Gauss-Newton, for each trajectory
  int num_modes = 40;                ///< 0: all free dofs (the paper's "full")
  double stiffness = 1000;           ///< eta [N/m]
  double ridge = 1e-6;               ///< lambda
  double tracking_stiffness = 1000;  ///< of the springs (TrackingOptions::stiffness)
  std::vector<double> robust_scales = {30, 10, 5};
};

/// As fit_space_time(); iterations of the result are those of the alternation.
FitResult fit_alternation(const FitProblem& problem, const AlternationOptions& options, const FitOptions& hooks,
                          const Vector& start = {});

}  // namespace dashpot::learn
