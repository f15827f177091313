#pragma once
// The discrete adjoint of implicit integrators: what an objective L = sum over instants of l(q_n, v_n) changes by when
// any number of parameters do, or the start does, for one sweep backwards over the steps that were taken. The
// counterpart of the forward sensitivities (sensitivity.hpp), of the same stage tables. With lambda = dL/dS_{n+1} and
// the stages r_s(d_s; d_0 ... d_{s-1}, S_n, theta) = 0 of a step,
//
//     mu = A_s^-T dL/dd_s,     dL/dtheta -= mu . dr_s/dtheta,     dL/d(S_n, d_i) -= (dr_s/d(S_n, d_i))^T mu,
//
// from the last stage to the first; the linear forms of the table spread lambda before that. With A = a1 M + v1 C + K
// the product K^T mu is what C^T mu and M^T mu leave of dL/dd_s, so that a stage costs one factorization and few
// products. [WangEtAl2020 differentiates backward Euler by hand; reference D, section 5]
//
// What a damping holds over a step is differentiated by the slope that it tells (ViscousOperator::add_held_slope);
// where it tells none, and where a tangent is a stand-in for the derivative (DissipationTraits::exact_in_place), by
// colored differences. What a damping remembers is part of the State: with xi' = g(q_{n+1}, v_{n+1}, xi, S_n, theta),
// dL/dxi' goes back through g before the stages and gathers -(dr_s/dxi)^T mu of each (memory_products.hpp). Velocity
// filters, explicit integrators and memory that belongs to no elements are refused by name: the forward way has them.
//
// Steps are checked (the last two, then every sixteenth): mu . r'(direction), by a central difference of the residual
// along one direction of everything it depends on, against the products above. A model whose tangent is not its
// derivative is found so, and named.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/colored_jacobian.hpp"
#include "dashpot/gradients/memory_products.hpp"
#include "dashpot/gradients/parameter_slopes.hpp"
#include "dashpot/gradients/sensitivity.hpp"
#include "dashpot/gradients/step_record.hpp"
#include "dashpot/integrate/integrator.hpp"
#include "dashpot/integrate/mass_solver.hpp"

namespace dashpot {

/// dL/dState, one column for each of several objectives.
struct StateAdjoint {
  Matrix q, v, a, q_previous, v_previous;
  std::vector<Matrix> internal_variables;  ///< of each damping
  static StateAdjoint zero(const State& state, int num_objectives);
};

class AdjointSweep {
 public:
  /// `values`: indices into System::parameter_values().
  AdjointSweep(const Integrator& integrator, const LinearSolverOptions& linear, std::vector<int> values);

  /// All that cannot be differentiated backwards; empty: nothing is known to be in the way.
  static std::vector<Problem> refusals(const System& system, const Integrator& integrator);
  /// Begins at the end of a run, with no objective yet. Throws dashpot::Error with all refusals.
  void begin(const System& system, const State& end, int num_objectives);
  /// dL/dS of the present instant. Objectives add their derivatives to .q and .v [1/m, s/m times the unit of L].
  StateAdjoint& adjoint() { return adjoint_; }
  /// Back over one step, in descending order. Throws dashpot::Error where its equations cannot be solved, or where
  /// the check finds a tangent that is no derivative.
  void step_back(const System& system, const StepRecord& record);
  /// At the start of the run: what accelerations there, and an equilibrium, owe to parameters. Leaves dL/dq, dL/dv of
  /// the start in adjoint(), its accelerations following from the forces.
  void finish(const System& system, const State& start, SensitivityStepper::Start kind);

  /// dL/dtheta, a row an objective, a column a value.
  const Matrix& gradient() const { return gradient_; }
  /// The largest difference that the checks found, of the terms compared.
  double worst_mismatch() const { return worst_mismatch_; }

 private:
  struct Stage;  ///< one stage of a record
  struct Bars;   ///< dL/d(known vectors of a step)
  /// What a stage found: mu, and (dr/dX)^T mu for X = rates, accelerations, q_n and v_n.
  struct Products {
    Matrix mu, C_mu, M_mu, q, v;
    std::vector<Matrix> xi;  ///< and X = what each damping remembers
  };
  /// How a damping is differentiated beyond its tangent.
  struct Treatment {
    bool has_slope = false, is_held = false, is_stand_in = false;
  };

  void back_through(const System& system, const Stage& stage, Bars& bars);
  /// From dL/d(what is remembered next) to that by the end of the step, by its start and by parameters.
  void back_through_memory(const System& system, const StepRecord& record, const StageTable& table, Bars& bars);
  /// What is remembered after a step for a motion at its end and a State at its start.
  Vector memory_after(const System& system, std::size_t j, double dt, const Vector& q, const Vector& v,
                      const State& before, Workspace& workspace) const;
  void back_through_memory(const System& system, const StepRecord& record, const State& next, std::size_t j,
                           Bars& bars);
  /// (df/dxi)^T mu of every damping that remembers; empty for the others.
  std::vector<Matrix> memory_products(const System& system, const Stage& stage, const Matrix& mu);
  void assemble(const System& system, const Stage& stage, double a1, double v1);
  void add_in_place(const System& system, const Stage& stage);
  /// What (what dampings hold, by q_n and by v_n)^T mu is; of_v empty: nothing holds velocities.
  void held_products(const System& system, const Stage& stage, const Matrix& mu, Matrix& of_q, Matrix& of_v);
  bool add_held_products(const System& system, const Stage& stage, std::size_t j, const Matrix& mu, Matrix& of_q) const;
  void assemble_held(const System& system, const Stage& stage, std::size_t j);
  void solve(const System& system, Matrix& right_sides, Matrix& mu, const std::string& where);
  void add_to_gradient(const System& system, const Stage& stage, const Matrix& mu);
  void transposed_products(const System& system, const Stage& stage, const Matrix& mu, Matrix& C_mu, Matrix& M_mu);
  void check(const System& system, const Stage& stage, const Matrix& right, const Products& found);
  bool is_checked() const;
  /// Keeps the mismatch of a check; throws where it is too large.
  void judge(const System& system, double mismatch, double time);
  Matrix transposed_product(const BlockMatrix& A, const std::vector<LowRank>& parts, const DynamicBlocks& couplings,
                            const Matrix& x) const;
  /// Which terms may be behind a failed check: ", e.g. not of 'x'"; empty: none is known to be special.
  std::string suspects(const System& system) const;
  void reduce(const System& system, Matrix& columns) const;

  Integrator integrator_;
  LinearSolverOptions linear_;
  std::vector<int> values_;
  ParameterSlopes slopes_;
  std::vector<Treatment> treatments_;
  std::vector<std::optional<MemoryProducts>> memories_;  ///< by damping; none: it does not remember
  bool has_stand_in_ = false, has_held_ = false, has_held_v_ = false;
  StateAdjoint adjoint_;
  Matrix gradient_;
  double worst_mismatch_ = 0, length_ = 1;
  std::uint64_t num_steps_ = 0;  ///< taken back so far
  Matrix slope_columns_;         ///< dr/dtheta of a stage
  Workspace base_, probe_;
  BlockMatrix matrix_, damping_matrix_, mass_matrix_, held_q_, held_v_;
  std::vector<LowRank> low_rank_, damping_low_rank_;
  DynamicBlocks couplings_, damping_couplings_;
  std::vector<int> mirrored_;
  ColoredJacobian colors_;
  std::unique_ptr<LinearSolver> solver_;
  bool is_transposed_ = false;  ///< tangents are not symmetric: the solver is given their transposes
  MassSolver mass_;
  Balance balance_;
};

}  // namespace dashpot
