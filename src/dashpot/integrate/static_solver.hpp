#pragma once
// Static equilibrium: the q that minimizes  sum_i Psi_i(q) - f . q  over the free dofs, f being the System's loads at
// state.time plus an extra dead load. Newton on the exact tangent where it is positive definite, on the projected one
// elsewhere, with a line search on the potential; a mass-proportional shift is added where even that is singular.

#include <functional>
#include <string>

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

struct StaticOptions {
  double tolerance = 1e-9;  ///< |residual| <= tolerance * (|f_int| + |f|)
  int max_iterations = 200;
  LinearSolverOptions linear;
  /// Called after each iteration; returning false stops the solve (state keeps the best q).
  std::function<bool(int iteration, double relative_residual)> on_iteration;
};

struct StaticReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0;      ///< relative, at the end
  std::string explanation;  ///< in plain words when not converged
};

/// Moves state.q to equilibrium and sets v = a = 0; on failure state is untouched.
StaticReport solve_static(const System& system, State& state, const Vector& extra_force, const StaticOptions& options);

}  // namespace dashpot
