#include "dashpot/integrate/live_system.hpp"

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/work_account.hpp"

namespace dashpot {

LiveSystem::LiveSystem(const System& system, const State& state)
    : system_(system.with(state.parameters)), workspace_(system_->make_workspace()) {}

bool LiveSystem::follow(State& state) {
  if (state.parameters.empty() || state.parameters == system_->parameter_values()) return false;
  State next = state;
  std::shared_ptr<const System> system;
  Workspace workspace;
  try {
    system = system_->with(state.parameters);
    workspace = system->make_workspace();
    Balance balance;
    if (!make_consistent(*system, next, workspace, mass_, balance))
      throw Error(
          Problem{"parameters", "values with which forces are not finite", "values near those of the scene", ""});
  } catch (const Error&) {
    state.parameters = system_->parameter_values();
    throw;
  }
  next.is_rebalanced = true;
  state = std::move(next);
  system_ = std::move(system);
  workspace_ = std::move(workspace);
  return true;
}

}  // namespace dashpot
