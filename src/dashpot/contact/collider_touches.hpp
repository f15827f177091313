#pragma once
// Nodes and the surface they saw at the start of a step: what losses at a collider hold.

#include <vector>

#include "dashpot/contact/collider_contact.hpp"

namespace dashpot {

struct ColliderTouch {
  int node = 0;  ///< index into the pair
  Vec3 x = Vec3::Zero();
  SurfaceSample surface;
  double normal_force = 0;  ///< of the penalty [N]
};

struct ColliderTouches final : TermScratch {
  std::vector<ColliderTouch> touches;
};

}  // namespace dashpot
