#include "dashpot/integrate/stage_solver.hpp"

namespace dashpot {

void set_motion(const StageProblem& problem, Vector& d, StageState& motion) {
  motion.q = problem.start.q + d;
  motion.v = problem.v_known + problem.v1 * d;
  motion.a = problem.a_known + problem.a1 * d;
  problem.system.prescribe(problem.instant.time, &motion.q, &motion.v, &motion.a);
  problem.system.prescribe_displacement(problem.start.q, motion.q, d);
}

}  // namespace dashpot
