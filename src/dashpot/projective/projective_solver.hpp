#pragma once
// Solves implicit stages by projective dynamics [Bouaziz2014, LiLiuKavan2018]: local steps find the projections p_j of
// all elements at the iterate, a global step with a constant matrix moves the nodes. For a stage with v = v_known +
// v1 d, a = a_known + a1 d, q = q_n + d (stage_solver.hpp) the balance of forces reads
//
//     (a1 M + v1 D + L) d = f_ext - f_steady - M a_known - D v_known - L q_n      constant over the iterations
//                           + sum_j w_j G_j^T p_j(q) + e(q, v)                    found by the local step
//
// so every integrator written as a stage table works, with the right factors of the damping at its own velocities:
// backward Euler, midpoint (damping at the velocity of the middle: second order) and BDF2 of reference ABCE, 4.1. Plain
// Laplacian damping adds to D and to the constant part, and costs nothing in the iterations.
//
// Contact and friction: their forces on the right-hand side, a bound of their stiffness on the diagonal. Nodes that
// touch for the first time in a step make a new factor (of the same pattern) necessary. Each local/global step is a
// quasi-Newton step with a majorant of the Hessian [Liu2017] (contact_bounds.hpp sees to that): it converges to what
// Newton's method finds.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "dashpot/integrate/stage_solver.hpp"
#include "dashpot/projective/anderson.hpp"
#include "dashpot/projective/contact_bounds.hpp"
#include "dashpot/projective/global_step.hpp"
#include "dashpot/projective/projective_options.hpp"
#include "dashpot/projective/projective_terms.hpp"

namespace dashpot {

class ProjectiveSolver final : public StageSolver {
 public:
  explicit ProjectiveSolver(const ProjectiveOptions& options) : options_(options) {}

  /// Where the last stage was solved, and the force f_ext - f_int - f_d on every dof there [N].
  const Vector& stage_position() const { return stage_position_; }
  const Vector& stage_force() const { return stage_force_; }

  /// The next `stages` stages are one step, whose iterations shall be over by `deadline` on the clock of the options
  /// [s]; each stage gets an equal share of the time that is left when it begins. Infinity: no limit.
  void begin_step(double deadline, int stages);
  /// Now, on that clock [s], and when the iterations of the last stage were over.
  double seconds() const;
  double iterations_ended() const { return iterations_ended_; }

  /// Throws dashpot::Error where the System has terms that projective dynamics cannot do.
  StageOutcome solve(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) override;

 private:
  /// A damping whose tangent is assembled: C at the start of the step, and its product with velocities.
  struct HeldDamping {
    ProjectiveTerms::Damping role;
    BlockMatrix C;
    bool is_known = false;  ///< C is constant and was assembled
  };
  /// The factor of A and what it was made of.
  struct Factor {
    double a1 = 0, v1 = 0;
    std::vector<double> bound;        ///< of contact stiffness, per block [N/m]
    std::uint64_t held_revision = 0;  ///< of the held dampings
    std::unique_ptr<GlobalStep> step;
    std::vector<double> of_slot;  ///< A, where it is scalar
    BlockMatrix blocks;           ///< A, where it is not
    bool is_scalar = true, is_ok = false;
  };

  void prepare(const System& system);
  void hold_dampings(const StageProblem& problem);
  /// D of the scalar dampings.
  void add_scalar_dampings();
  SolveStatus factorize(const StageProblem& problem, StageOutcome& outcome);
  /// a1 M + v1 D + L + bounds without the held dampings, per slot.
  std::vector<double> scalar_part(const StageProblem& problem) const;
  void assemble(const StageProblem& problem, Factor& factor) const;
  void multiply(const Factor& factor, const Vector& x, Vector& y) const;
  void set_constant_part(const StageProblem& problem, const Vector& d, const StageState& motion);
  /// The part of the right-hand side that the local step does not find: constant_, with e(q, v) where there is one.
  const Vector& known_part(const StageState& motion, int iteration);
  /// Right-hand side at the iterate d, whose motion is set too; also the low-rank parts there.
  SolveStatus set_right_side(const StageProblem& problem, Vector& d, StageState& motion, StageOutcome& outcome,
                             int iteration);
  /// Whether the bounds allowed for how contact forces changed since the last iterate.
  bool is_outgrown_by_step(const StageProblem& problem, const Vector& d);
  /// True where friction has outgrown its bounds: the next iteration renews them.
  bool add_damping_excess(const StageProblem& problem, const StageState& motion);
  /// True where another iteration as short as the shortest of this stage would end too late.
  bool is_out_of_time(double& iteration_began);
  /// Iterates; false when the numbers went wrong.
  bool iterate(const StageProblem& problem, Vector& d, StageState& motion, StageOutcome& outcome, int count,
               double residual_goal);

  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  ProjectiveOptions options_;
  double deadline_ = unlimited, stage_deadline_ = unlimited;  ///< of the iterations [s]
  double shortest_iteration_ = 0;                             ///< of this stage [s]
  double iterations_ended_ = 0;
  int stages_left_ = 1;
  bool ran_out_of_time_ = false;
  std::uint64_t system_id_ = 0;  ///< that it was prepared for; 0: none
  std::shared_ptr<const BlockPattern> pattern_;
  ProjectiveTerms terms_;
  std::vector<std::unique_ptr<TermScratch>> scratch_;  ///< one per form
  std::vector<double> laplacian_, mass_;               ///< L and M, per slot
  std::vector<double> damping_;                        ///< D of the scalar dampings, per slot; empty: none
  std::vector<HeldDamping> held_;
  std::uint64_t held_revision_ = 0;
  ContactBounds contacts_;
  bool is_outgrown_ = false;  ///< the bounds, by friction or by the last step
  int num_tightened_ = 0;     ///< times that the iterations of this stage did not settle; then plain steps only
  Vector contact_force_, last_d_, last_contact_force_;  ///< contact and friction, on the left; of the last iterate
  std::vector<Factor> factors_;
  std::size_t current_ = 0;
  std::vector<LowRank> low_rank_;
  Vector stage_position_, stage_force_;
  bool has_rotation_part_ = false;
  Vector turning_;  ///< constant_ + e(q, v) of the scalar dampings, as last evaluated
  Vector constant_, right_, next_, product_, gradient_, force_, given_;
  Anderson anderson_{5};
};

}  // namespace dashpot
