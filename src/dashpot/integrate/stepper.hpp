#pragma once
// Stepper: advances a State of a System by dt. A step succeeds, or the State is left as it was and the report says why.

#include <memory>
#include <string>

#include "dashpot/integrate/integrator.hpp"
#include "dashpot/integrate/step_report.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

/// How the nonlinear equations of a stage are solved.
struct NewtonOptions {
  int max_iterations = 20;
  /// Converged when |residual| <= tolerance * (|M a| + |f_int| + |f_d| + |f_ext|), 2-norms over free dofs.
  double tolerance = 1e-8;
  /// Take exactly this many iterations and accept the result (real-time use); 0: iterate to the tolerance.
  int fixed_iterations = 0;
  enum class Tangent { exact_then_projected, projected } tangent = Tangent::exact_then_projected;
};

class TimedStepper;

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string name() const = 0;
  /// Advances by dt [s] or leaves `state` untouched. Calls system.begin_step itself.
  virtual StepReport step(const System& system, State& state, Workspace& workspace, double dt) = 0;
  /// Itself, where it can be told a deadline (projective/timed_stepper.hpp); null: it cannot.
  virtual TimedStepper* timed() { return nullptr; }
};

std::unique_ptr<Stepper> make_stepper(const Integrator& integrator, const NewtonOptions& newton,
                                      const LinearSolverOptions& linear);

/// Steps by dt; when that fails, by halves, quarters ... of dt down to dt / 2^max_halvings; when that fails too,
/// returns StepStatus::failed with `state` at the last good point (its time says how far it came) and a plain
/// explanation.
StepReport advance(Stepper& stepper, const System& system, State& state, Workspace& workspace, double dt,
                   int max_halvings = 6);

/// Makes state.a consistent with the forces at (q, v, time): M a = f_ext - f_int - f_d - c. Also fills state.residual.
/// Returns false when the mass matrix is singular on the free dofs.
bool make_consistent(const System& system, State& state, Workspace& workspace);

/// Energies of a state.
Energies energies(const System& system, const State& state);

}  // namespace dashpot
