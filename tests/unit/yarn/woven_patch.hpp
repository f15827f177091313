#pragma once
// A small woven cloth with all its forces, as a System: for tests of this room.

#include <memory>

#include "dashpot/scene/assembly/woven_cloth.hpp"

namespace dashpot::testing {

struct WovenPatchOptions : WovenClothSpec {
  WeaveSheet sheet = {{}, 4, 5, {2e-3, 1.5e-3}, {}, {}, false};
  WovenPatchOptions() {
    density = {2e-3, 1e-3};
    stretch = {5, 4};
    bending = {1e-6, 2e-6};
    shear = 1e-5;
    is_exact = true;
  }
};

struct WovenPatch {
  WovenCloth cloth;
  std::shared_ptr<const System> system;
};
WovenPatch woven_patch(WovenPatchOptions options);
/// q with noise on places [m] and on labels [m].
Vector shaken(const Vector& q, double place, double label, int seed);

}  // namespace dashpot::testing
