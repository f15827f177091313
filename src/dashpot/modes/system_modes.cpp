#include "dashpot/modes/system_modes.hpp"

namespace dashpot {

ModesResult system_modes(const System& system, const State& state, const ModesOptions& options) {
  BlockMatrix K(system.pattern()), M(system.pattern());
  for (const auto& energy : system.energies()) energy->evaluate({.q = state.q, .hessian = &K});
  const Vector zero = Vector::Zero(system.num_dofs());
  system.inertia().add_tangent(state.q, zero, zero, 1, 0, 0, M);
  if (system.ties().empty()) return vibration_modes(K, M, system.is_free(), options);
  system.ties().fold(K);
  system.ties().fold(M);
  ModesResult result = vibration_modes(K, M, system.is_free(), options);
  system.ties().follow(result.shapes);
  return result;
}

}  // namespace dashpot
