#pragma once
// Points and the surface they saw at the start of a step: what losses at a collider hold.

#include <vector>

#include "dashpot/contact/collider_contact.hpp"
#include "dashpot/contact/held_jacobian.hpp"

namespace dashpot {

struct ColliderTouch {
  int index = 0;  ///< into the pair
  Vec3 x = Vec3::Zero();
  SurfaceSample surface;
  double normal_force = 0;  ///< of the penalty [N]
};

struct ColliderTouches final : TermScratch {
  std::vector<ColliderTouch> touches;
  contact::HeldJacobian held;
  KeptInstant* kept = nullptr;  ///< what the contact's energy keeps of its collider, or `own`
  KeptInstant own;
};

}  // namespace dashpot
