#pragma once
// Momentum that is kept at any number of iterations. Projective dynamics keeps linear momentum to round-off (of L q,
// which is large) in every iteration, but angular momentum only where it has converged: projections p_j and positions
// belong to different iterates. At the end of a step each connected part that nothing holds gets back what is missing,
//
//     v_i += u + omega x r_i,   I omega = L_n + h sum_i r_i x f_i - L,   m u = P_n + h sum_i f_i - P (round-off only),
//
// r from its own center of mass, where f are the external, contact and damping forces of the stage; elastic ones have
// no torque [reference ABCE, 4.3]. For one-stage schemes whose velocity advances by h a (midpoint, backward Euler).

#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot {

class MomentumRestoration {
 public:
  explicit MomentumRestoration(const System& system);
  /// Changes next.v; q_stage and f_stage as ProjectiveSolver left them. Returns the change of kinetic energy [J].
  double apply(const State& before, const Vector& q_stage, const Vector& f_stage, double dt, State& next) const;
  int num_parts() const { return static_cast<int>(parts_.size()); }

 private:
  const System& system_;
  std::vector<std::vector<int>> parts_;  ///< blocks of each free connected part
  std::vector<double> mass_;             ///< row sums of M, per block [kg]
};

}  // namespace dashpot
