#pragma once
// A damping of hinges as a law of their angle theta (dihedral_angle.hpp). With g = dtheta/dq and H = d2theta/dq2 the
// pass (hinge_pass.hpp) makes of T(theta, thetadot)
//     f = T g,    df/dv = dT/dthetadot g g^T,    df/dq = dT/dtheta g g^T + dT/dthetadot g (H v)^T + T H,
// of which the second term is not symmetric and the third indefinite: both are left out where a law asks for a
// semidefinite tangent. For .cpp files of kernels only.

#include "dashpot/element/measure_law.hpp"
#include "dashpot/model/hinge_batch.hpp"

namespace dashpot {

class HingeLaw : public MeasureLaw {
 public:
  const HingeBatch& batch() const override = 0;
  const HingeLaw* hinge_law() const final { return this; }
};

}  // namespace dashpot
