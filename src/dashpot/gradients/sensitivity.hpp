#pragma once
// Forward sensitivities: how the motion changes with parameters of the System or with its start. A SensitivityStepper
// takes the steps of an implicit integrator and carries along, for each column k, the derivative of the State with
// respect to theta_k. Stage s of a table, r_s(d_s; d_0 ... d_{s-1}, S_n, theta) = 0, gives
//
//     A_s dd_s = - dr_s/dtheta - dr_s/d(S_n, d_0 ... d_{s-1}) (dS_n, dd_0 ... dd_{s-1}),      A_s = a1 M + v1 C + K,
//
// and the linear forms of the table give the end of the step, for every integrator alike. [WangEtAl2020] writes this by
// hand for backward Euler (reference D, section 5).
//
// The right side is K dq_n + C dv + M da of what the stage knows, by the matrices themselves, plus dr/dtheta
// (parameter_slopes.hpp), plus what terms hold over a step (lagged tangents, bases of examples) or remember: that is a
// central difference of those terms alone. A_s is the unprojected tangent.
//
// Not every model's tangent is the whole derivative. So each stage is checked: the residual is differentiated along one
// combination of all columns, start and solution together, by a central difference. Where that does not vanish, the
// stage is done again with differences for everything and the linear equations are refined until they hold.
//
// Cost of a step: one factorization a stage, one solve a column, two evaluations of the forces; with held or remembered
// quantities two evaluations of those dampings a column more. Memory: five vectors a column and two Systems a
// parameter, which share all that does not change. For many parameters an adjoint is cheaper. Velocity filters are
// refused; explicit steppers have no stages to differentiate.

#include <memory>
#include <vector>

#include "dashpot/gradients/parameter_slopes.hpp"
#include "dashpot/integrate/implicit_stepper.hpp"
#include "dashpot/integrate/mass_solver.hpp"

namespace dashpot {

/// Derivative of a State with respect to one number.
struct StateDirection {
  Vector q, v, a, q_previous, v_previous;
  std::vector<Vector> internal_variables;

  static StateDirection zero(const State& state);
  /// state + scale * this.
  State moved(const State& state, double scale) const;
};

class SensitivityStepper final : public Stepper {
 public:
  /// What the State at the start depends on.
  enum class Start {
    given,       ///< positions and velocities are what they are, whatever the parameters
    equilibrium  ///< positions balance all forces, or did until a dead load was let go; at rest
  };
  /// `values`: indices into System::parameter_values(), one column each. Throws dashpot::Error where the integrator is
  /// explicit.
  SensitivityStepper(const Integrator& integrator, const NewtonOptions& newton, const LinearSolverOptions& linear,
                     std::vector<int> values);

  /// Adds a column that is no parameter: a change of the start itself (its velocity, say). Before begin().
  void add_start_direction(StateDirection direction);
  /// Derivatives at the start; accelerations follow from the forces. Throws dashpot::Error where the System cannot be
  /// differentiated: it has velocity filters, a term refuses other values of a parameter, or K or M is singular.
  void begin(const System& system, const State& start, Start kind);

  std::string name() const override { return inner_.name(); }
  /// As of every stepper; where the sensitivities of a step cannot be found the step fails.
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override;

  /// Derivatives of the present State: first those of the parameters, then the directions of the start.
  const std::vector<StateDirection>& columns() const { return columns_; }
  /// The largest remainder of a linear equation so far, of its right side.
  double worst_residual() const { return worst_residual_; }
  /// Stages that had to be done by differences so far.
  int num_refined() const { return num_refined_; }

 private:
  struct Step;
  struct Shift;

  void prepare(const System& system);
  void start_from_equilibrium(const System& system, const State& start);
  bool follow(const System& system, const Step& step, const State& next);
  bool solve_stage(const System& system, const Step& step, std::size_t s);
  void set_stage_motion(const System& system, const Step& step, std::size_t s);
  Shift shift_into_stage(const Step& step, std::size_t k, std::size_t s) const;
  void gather_columns(const Step& step, std::size_t s);
  void add_by_matrices(const System& system, const Step& step, std::size_t s, Matrix& known);
  void add_inertia(const System& system, Matrix& known);
  void add_held_by_differences(const System& system, const Step& step, std::size_t s,
                               const std::vector<std::size_t>& terms, Matrix& known);
  void add_held(const System& system, const Step& step, std::size_t s, Matrix& known);
  void add_by_differences(const System& system, const Step& step, std::size_t k, std::size_t s, Vector& sum);
  double check_stage(const System& system, const Step& step, std::size_t s, const Matrix& of_parameters,
                     const Matrix& known);
  bool refine_stage(const System& system, const Step& step, std::size_t s, const Matrix& known);
  void follow_memory(const System& system, const Step& step, std::size_t k, const State& next, StateDirection& end);
  SolveStatus factorize(const System& system, const Workspace& workspace, const State& state, const StageState& motion,
                        const Instant& instant, double a1, double v1);
  bool solve(const System& system, const Matrix& right_sides, Matrix& solutions);
  double scale_along(const System& system, const State& state, double dt, const Vector& q, const Vector& v,
                     const std::vector<Vector>* internal_variables) const;

  ImplicitStepper inner_;
  Integrator integrator_;
  LinearSolverOptions linear_;
  std::vector<int> values_;
  std::vector<StateDirection> start_directions_;
  std::vector<StateDirection> columns_;
  ParameterSlopes slopes_;              ///< of values_
  std::vector<std::vector<Vector>> d_;  ///< by column: derivatives of the stages' displacements
  std::uint64_t system_id_ = 0;         ///< what slopes_ were made for; 0: nothing yet
  double length_ = 1;                   ///< size of the System [m], or of its coordinates
  double worst_residual_ = 0;
  int num_refined_ = 0;
  Workspace base_, probe_;
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix matrix_, damping_matrix_, mass_matrix_, held_matrix_;
  Matrix of_q_, of_v_, of_a_;  ///< columns as a stage multiplies them: dq_n, dv - v1 dq_n, da - a1 dq_n
  Matrix product_;
  std::vector<LowRank> low_rank_, damping_low_rank_;
  DynamicBlocks couplings_, damping_couplings_;
  MassSolver mass_;
  Balance balance_;
  StageState motion_;  ///< of the stage that is solved
};

}  // namespace dashpot
