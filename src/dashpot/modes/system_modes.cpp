#include "dashpot/modes/system_modes.hpp"

#include "dashpot/linsolve/coupled_direct_solver.hpp"

namespace dashpot {

ModesResult system_modes(const System& system, const State& state, const ModesOptions& options) {
  BlockMatrix K(system.pattern()), M(system.pattern());
  DynamicBlocks couplings, none;
  couplings.clear(*system.pattern());
  none.clear(*system.pattern());
  EnergyRequest request{state.q};
  request.hessian = &K;
  request.time = state.time;
  request.couplings = &couplings;
  for (const auto& energy : system.energies()) energy->evaluate(request);
  couplings.finish();
  const Vector zero = Vector::Zero(system.num_dofs());
  system.inertia().add_tangent(state.q, zero, zero, 1, 0, 0, M);
  if (!system.ties().empty()) {
    system.ties().condense(K, &couplings);
    system.ties().condense(M);
  }
  ModesResult result;
  if (couplings.empty()) {
    result = vibration_modes(K, M, system.is_free(), options);
  } else {  // bodies that touch vibrate together: both matrices on the pattern that knows it
    const auto pattern = extended_pattern(K.pattern(), couplings.pairs());
    result = vibration_modes(with_couplings(K, couplings, pattern), with_couplings(M, none, pattern), system.is_free(),
                             options);
  }
  if (!system.ties().empty()) system.ties().follow(result.shapes);
  return result;
}

}  // namespace dashpot
