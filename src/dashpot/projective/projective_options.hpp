#pragma once
// How the stages of projective dynamics are solved.

#include <functional>

#include "dashpot/model/projective_form.hpp"

namespace dashpot {

/// What is done with a sequence of local/global steps to make it converge sooner.
enum class Acceleration {
  none,
  anderson,  ///< combines the last few steps so that the change is least [Peng2018]
};

struct ProjectiveOptions {
  /// Local/global iterations of a stage, all of them taken (real-time use); 0: iterate to the tolerance.
  int iterations = 10;
  /// Converged when |residual| <= tolerance * (|M a| + |f_int| + |f_d| + |f_ext|), as for Newton.
  double tolerance = 1e-8;
  int max_iterations = 2000;  ///< where `iterations` is 0
  ProjectionPrecision precision = ProjectionPrecision::double_precision;
  Acceleration acceleration = Acceleration::none;
  int window = 5;  ///< steps that Anderson acceleration combines
  /// Gives back the linear and angular momentum that an unfinished iteration lost (momentum_restoration.hpp).
  bool restore_momentum = false;
  /// Wall-clock time that a step may take, all its stages together [s]; in a RealtimeLoop a frame with all its steps
  /// and retries. Iterations end early so that the step is done by then, and what they have reached is accepted, also
  /// where a tolerance was asked for. 0: no limit. Results then depend on the machine. What may still take longer: see
  /// realtime_loop.hpp.
  double budget = 0;
  /// What tells the time for the budget [s]; empty: the steady clock of the machine.
  std::function<double()> clock = {};
};

}  // namespace dashpot
