// Kick, drift, kick: v_{n+1/2} = v_n + h/2 a_n,  q_{n+1} = q_n + h v_{n+1/2},  v_{n+1} = v_{n+1/2} + h/2 a_{n+1}.

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::integrators {

IntegratorEntry leapfrog() {
  return {"no numerical damping while stable; needs lumped mass", "HairerLubichWanner2006", KickDrift{0.5}};
}

}  // namespace dashpot::integrators
