#pragma once
// State: everything that changes during a run. It is a value: a copy is a checkpoint, and two equal States continue
// with equal bits. Workspace, by contrast, holds scratch that is rebuilt from (System, State) and never saved.

#include <cstdint>
#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

struct State {
  Vector q;         ///< generalized coordinates (node positions [m] for solids), size num_dofs
  Vector v;         ///< their rates [m/s]
  Vector a;         ///< their accelerations [m/s^2], consistent with the forces at (q, v, time)
  double time = 0;  ///< [s]
  std::int64_t step = 0;

  // Where the step that led here began: for multistep schemes, and to rebuild what that step held (lagged tangents).
  double last_dt = 0;        ///< length of that step [s]; 0: none yet
  double time_previous = 0;  ///< its first instant [s]: time - last_dt up to round-off
  Vector q_previous;         ///< q there; empty until the first step was made
  Vector v_previous;         ///< v there

  /// M a + c + f_int + f_d - f_ext where it was last balanced (here, or at the last stage of the step that led here):
  /// what the solver left over on free dofs, the reactions on prescribed ones [N]. The ledger of the next step needs
  /// it; it never influences the motion. Empty: not known.
  Vector residual;

  /// Values of the parameters (System::parameters()); empty: those the System was built with.
  std::vector<double> parameters;
  /// The acceleration was made consistent here, not by the step that led here (the start; a change of parameters):
  /// nothing that that step held counts any more.
  bool is_rebalanced = false;

  std::vector<Vector>
      internal_variables;  ///< internal variables xi, one vector per dissipation term that declared some

  /// What an automatic linear solver learned so far (LinearSolver::history), so that a resumed run makes the same
  /// choices.
  std::vector<std::int64_t> solver_history;

  std::uint64_t hash() const;
  bool is_finite() const;
};

/// Scratch of one term between begin_step and the end of the step (lagged tangents, bases, broad phases).
struct TermScratch {
  virtual ~TermScratch() = default;
};

}  // namespace dashpot
