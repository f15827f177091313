#pragma once
// Solves one implicit stage M a + c + f_int(q) + f_d(q, v) = f_ext for the displacement d of the stage. Stage tables do
// not care how: by Newton's method (newton.hpp), or by local and global steps (projective/).

#include <cstdint>
#include <string>
#include <vector>

#include "dashpot/integrate/balance.hpp"

namespace dashpot {

/// One stage: v = v_known + v1 d, a = a_known + a1 d, q = q_n + d.
struct StageProblem {
  const System& system;
  const Workspace& workspace;
  const State& start;
  Vector v_known, a_known;
  double v1 = 0, a1 = 0;
  Instant instant;
};

struct StageOutcome {
  bool ok = false;
  bool converged = false;
  int iterations = 0, factorizations = 0, linear_iterations = 0, analyses = 0;
  bool projected = false;
  std::string explanation;
};

/// Sets the motion that belongs to d; prescribed entries of d become what the constraints say.
void set_motion(const StageProblem& problem, Vector& d, StageState& motion);

class StageSolver {
 public:
  virtual ~StageSolver() = default;
  /// Whether the guess of a stage shall be where the last one ended, instead of an extrapolation.
  virtual bool starts_where_the_last_stage_ended() const { return false; }
  /// On entry d holds the guess; on success motion, d and balance hold the solution.
  virtual StageOutcome solve(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) = 0;
  /// What the solver learned; restored before and saved after each step (see State::solver_history).
  virtual void set_history(const System& system, const std::vector<std::int64_t>& history) {
    static_cast<void>(system), static_cast<void>(history);
  }
  virtual std::vector<std::int64_t> history() const { return {}; }
};

}  // namespace dashpot
