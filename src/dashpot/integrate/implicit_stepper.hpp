#pragma once
// All implicit integrators: a stage table made for (h, h_previous), and something that solves its stages.

#include <functional>

#include "dashpot/integrate/held_scratch.hpp"
#include "dashpot/integrate/stage_solver.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/integrate/work_account.hpp"

namespace dashpot {

/// Makes the table of a step of length h; h_previous is 0 when there is no history yet.
using TableMaker = std::function<StageTable(double h, double h_previous)>;

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(std::string name, TableMaker make_table, std::unique_ptr<StageSolver> solver)
      : name_(std::move(name)), make_table_(std::move(make_table)), solver_(std::move(solver)) {}

  std::string name() const override { return name_; }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override;

 private:
  /// sum of coefficient * known vector, leaving out the unknown of the stage (d_0 or d_1).
  void combine(const LinearForm& form, const State& state, int unknown_stage, Vector& out) const;
  bool solve_stage(const System& system, const State& state, const Workspace& workspace, const StageTable& table,
                   std::size_t s, double dt, StepReport& report);
  /// Energies, memory and filters of the new state; false when something in it is not finite.
  bool finish(const System& system, State& state, Workspace& workspace, const StageTable& table, double dt,
              StepReport& report);

  std::string name_;
  TableMaker make_table_;
  std::unique_ptr<StageSolver> solver_;
  StepSamples samples_;
  Vector d_[2];        ///< displacements of the stages from q_n
  Vector d_previous_;  ///< q_{n-1} - q_n
  Motion motion_;
  MassSolver mass_;  ///< for velocity filters, which change forces after the step
  Vector displacement_;
  HeldScratch held_;
};

/// The table maker of an implicit integrator; null for explicit ones.
TableMaker table_maker(const StepperOptions& stepper);

}  // namespace dashpot
