#include "dashpot/integrate/previous_step_scratch.hpp"

#include <utility>

namespace dashpot {

bool PreviousStepScratch::is_of(const System& system, const Vector& q, const Vector& v, double time) const {
  return system_id_ == system.id() && time_ == time && q_.size() == q.size() && q_ == q && v_ == v;
}

const Workspace& PreviousStepScratch::before(const System& system, const State& state) {
  if (is_of(system, state.q_previous, state.v_previous, state.time_previous)) return workspace_;
  if (system_id_ != system.id()) workspace_ = system.make_workspace();
  system_id_ = system.id();
  State start = state;
  start.q = q_ = state.q_previous;
  start.v = v_ = state.v_previous;
  start.time = time_ = state.time_previous;
  system.begin_step(start, workspace_);
  return workspace_;
}

void PreviousStepScratch::keep(const System& system, const State& start, Workspace& workspace) {
  if (system.dissipations().empty()) return;
  if (system_id_ != system.id()) workspace_ = system.make_workspace(&workspace);
  system_id_ = system.id();
  std::swap(workspace_, workspace);
  q_ = start.q;
  v_ = start.v;
  time_ = start.time;
}

}  // namespace dashpot
