#pragma once
// All implicit integrators: a stage table made for each step, and something that solves its stages.

#include "dashpot/integrate/previous_step_scratch.hpp"
#include "dashpot/integrate/stage_solver.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/integrate/work_account.hpp"

namespace dashpot {

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(std::string name, Integrator integrator, std::unique_ptr<StageSolver> solver);

  std::string name() const override { return name_; }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override;
  /// Displacements of the stages of the last step from its q_n [m].
  const std::vector<Vector>& stage_displacements() const { return d_; }

 private:
  /// sum of coefficient * known vector; `without` is left out (the unknown of a stage).
  void combine(const LinearForm& form, const State& state, Vector& out, std::optional<Known> without = {}) const;
  bool solve_stage(const System& system, const State& state, const Workspace& workspace, const StageTable& table,
                   std::size_t s, double dt, StepReport& report);
  /// Displacement over which an interval measures work; `next` is the end of the step.
  void set_displacement(const System& system, const State& state, const State& next, const StageTable& table,
                        const WorkInterval& interval, double dt);
  /// Energies, memory and filters of the new state; false when something in it is not finite.
  bool finish(const System& system, State& state, Workspace& workspace, const StageTable& table, double dt,
              StepReport& report);

  std::string name_;
  Integrator integrator_;
  bool follows_rates_;  ///< the integrator's order is above two: so must be that of internal variables
  std::unique_ptr<StageSolver> solver_;
  StepSamples samples_;
  std::vector<Vector> d_;  ///< displacements of the stages from q_n
  Vector d_previous_;      ///< q_{n-1} - q_n
  StageState motion_;
  MassSolver mass_;  ///< for velocity filters, which change forces after the step
  Vector displacement_;
  PreviousStepScratch previous_;
};

}  // namespace dashpot
