#pragma once
// What the step before held. Some dampings hold part of themselves over a step: a tangent C(q_n), the normal force of
// friction. Then f_j(q_n, v_n) has two values, one with what the last step held and one with what this step holds. The
// acceleration a_n was balanced with the first, so a scheme that starts from a_n does the work of the first; booking
// the second leaves a remainder of first order in dt in the ledger, as if the integrator had made or lost energy.
//
// The scratch of the last step is kept where this stepper made that step, and rebuilt from q, v and time of its start
// otherwise (a resumed run): the same bits either way.

#include "dashpot/model/system.hpp"

namespace dashpot {

class PreviousStepScratch {
 public:
  /// What the step that led to `state` held. It needs state.last_dt > 0, and lives until the next call.
  const Workspace& before(const System& system, const State& state);
  /// Keeps the scratch of a step from `start`; `workspace` gets older storage in exchange.
  void keep(const System& system, const State& start, Workspace& workspace);

 private:
  bool is_of(const System& system, const Vector& q, const Vector& v, double time) const;

  std::uint64_t system_id_ = 0;  ///< of the System it was made for
  Workspace workspace_;
  Vector q_, v_;  ///< what it was made from
  double time_ = 0;
};

}  // namespace dashpot
