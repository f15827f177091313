#pragma once
// Gradients of whole runs: L = sum over instants of l(positions, velocities of points) by any number of parameters, by
// one run that keeps checkpoints (recording_stepper.hpp) and one sweep back over it (adjoint.hpp).

#include <functional>

#include "dashpot/gradients/adjoint.hpp"
#include "dashpot/gradients/recording_stepper.hpp"

namespace dashpot {

/// Adds dl_i/dq and dl_i/dv at an instant to column i of .q and .v. Called at the end of the run, then at the start of
/// each step in descending order, the start of the run last.
using ObjectiveSlopes = std::function<void(const State& state, StateAdjoint& adjoint)>;

/// adjoint.q.col(objective) += J^T of_position for a material point, and the same for velocities, where points do not
/// bend (Kinematics::is_linear).
void add_point_slope(const System& system, const State& state, int point, const Vec3& of_position,
                     const Vec3& of_velocity, int objective, StateAdjoint& adjoint);

struct GradientOptions {
  std::vector<int> values;  ///< indices into System::parameter_values()
  int num_objectives = 1;
  SensitivityStepper::Start start = SensitivityStepper::Start::given;
  LinearSolverOptions linear = {};
  std::function<bool()> should_stop = {};               ///< polled before each step back
  std::function<void(std::int64_t step)> on_step = {};  ///< steps that are left, for progress
};

struct RunGradient {
  bool is_complete = true;    ///< false: it was stopped
  Matrix of_parameters;       ///< dL_i/dtheta_k, a row an objective
  StateAdjoint of_start;      ///< dL/dq, dL/dv of the start
  double worst_mismatch = 0;  ///< of the checks of the adjoint
  std::int64_t num_steps = 0, num_steps_again = 0;
  double peak_bytes = 0;  ///< of checkpoints
};

/// `run` has taken all steps from the start to `end`. Throws dashpot::Error where the System cannot be differentiated
/// backwards.
RunGradient gradient_of_run(const System& system, const Integrator& integrator, RecordingStepper& run, const State& end,
                            const ObjectiveSlopes& objective, const GradientOptions& options);

}  // namespace dashpot
