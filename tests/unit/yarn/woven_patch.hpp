#pragma once
// A small woven cloth with all its forces, as a System: for tests of this room.

#include <memory>

#include "dashpot/model/system.hpp"
#include "dashpot/yarn/weave.hpp"
#include "dashpot/yarn/yarn_bending.hpp"
#include "dashpot/yarn/yarn_friction.hpp"
#include "dashpot/yarn/yarn_gravity.hpp"
#include "dashpot/yarn/yarn_inertia.hpp"
#include "dashpot/yarn/yarn_jamming.hpp"
#include "dashpot/yarn/yarn_kinematics.hpp"
#include "dashpot/yarn/yarn_shear.hpp"
#include "dashpot/yarn/yarn_stretch.hpp"

namespace dashpot::testing {

struct WovenPatchOptions {
  WeaveSheet sheet = {{}, 4, 5, {2e-3, 1.5e-3}, {}, {}, false};
  PerFamily density{2e-3, 1e-3}, stretch{5, 4}, bending{1e-6, 2e-6};
  PerFamily stretch_damping, bending_damping;  ///< [s]; none where both are zero
  double shear = 1e-5, jamming = 0;
  PerFamily width{0, 0};
  YarnFrictionOptions friction = {0, 0, 0, 0};  ///< none where its coefficient is zero
  Vec3 gravity = Vec3::Zero();
  bool is_exact = true;        ///< tangents of inertia and damping
  bool holds_ends = true;      ///< labels at the ends of yarns
  std::vector<int> held_dofs;  ///< others
};

struct WovenPatch {
  WovenCloth cloth;
  std::shared_ptr<const System> system;
};
WovenPatch woven_patch(const WovenPatchOptions& options);
/// q with noise on places [m] and on labels [m].
Vector shaken(const Vector& q, double place, double label, int seed);

}  // namespace dashpot::testing
