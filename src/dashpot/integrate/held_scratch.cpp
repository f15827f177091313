#include "dashpot/integrate/held_scratch.hpp"

#include <utility>

namespace dashpot {

bool HeldScratch::is_of(const System& system, const Vector& q, const Vector& v, double time) const {
  return pattern_ == system.pattern() && time_ == time && q_.size() == q.size() && q_ == q && v_ == v;
}

const Workspace& HeldScratch::before(const System& system, const State& state) {
  if (is_of(system, state.q_previous, state.v_previous, state.time_previous)) return workspace_;
  if (pattern_ != system.pattern()) workspace_ = system.make_workspace();
  pattern_ = system.pattern();
  State start = state;
  start.q = q_ = state.q_previous;
  start.v = v_ = state.v_previous;
  start.time = time_ = state.time_previous;
  system.begin_step(start, workspace_);
  return workspace_;
}

void HeldScratch::keep(const System& system, const State& start, Workspace& workspace) {
  if (system.dissipations().empty()) return;
  if (pattern_ != system.pattern()) workspace_ = system.make_workspace();
  pattern_ = system.pattern();
  std::swap(workspace_, workspace);
  q_ = start.q;
  v_ = start.v;
  time_ = start.time;
}

}  // namespace dashpot
