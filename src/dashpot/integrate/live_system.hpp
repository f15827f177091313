#pragma once
// The System of a run whose parameters may change between steps: the one that has the values of the run's State, with
// its workspace. docs/design/0009.

#include <memory>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class LiveSystem {
 public:
  /// `system` must be owned by a shared_ptr, as builders make it. Where `state` has values of its own they hold from
  /// the start; it must be consistent with them.
  LiveSystem(const System& system, const State& state);

  const System& operator*() const { return *system_; }
  const System* operator->() const { return system_.get(); }
  Workspace& workspace() { return workspace_; }

  /// Takes in values that were changed since the last call and makes the acceleration consistent with them. True where
  /// some were. Throws dashpot::Error where a value is out of range, and leaves the System and the state's values as
  /// they were before the change.
  bool follow(State& state);

 private:
  std::shared_ptr<const System> system_;
  Workspace workspace_;
  MassSolver mass_;
};

}  // namespace dashpot
