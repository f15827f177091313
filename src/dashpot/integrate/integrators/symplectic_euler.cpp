// v_{n+1} = v_n + h M^-1 f(q_n, v_n),  q_{n+1} = q_n + h v_{n+1}.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {

IntegratorEntry symplectic_euler() {
  return {"no numerical damping while stable; needs lumped mass", "HairerLubichWanner2006", KickDrift{1}};
}

}  // namespace dashpot::integrators
