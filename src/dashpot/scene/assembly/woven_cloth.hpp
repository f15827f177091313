#pragma once
// A woven cloth with all that acts in it (docs/theory/yarn.md), as a System of its own.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"
#include "dashpot/yarn/weave.hpp"
#include "dashpot/yarn/yarn_friction.hpp"
#include "dashpot/yarn/yarn_inertia.hpp"

namespace dashpot {

struct WovenClothSpec {
  std::string body = "cloth";
  WovenCloth cloth;
  PerFamily density, stretch, bending;         ///< [kg/m], [N], [N m^2] of a yarn
  PerFamily stretch_damping, bending_damping;  ///< [s]; none where both are zero
  double shear = 0;                            ///< of a corner [N m]
  double jamming = 0;                          ///< [N/m]; none where it is zero
  PerFamily width;                             ///< of the yarns of a family [m]
  YarnFrictionOptions friction;                ///< none where its coefficient is zero
  Vec3 gravity = Vec3::Zero();                 ///< [m/s^2]
  std::vector<int> held_crossings;             ///< stay where they are at rest
  std::vector<int> held_dofs;                  ///< single coordinates that do
  bool holds_ends = true;                      ///< of labels at the ends of yarns
  /// Exact tangents of inertia and damping, which are not symmetric; otherwise M and df/dv alone.
  bool is_exact = false;
};

/// dashpot::Error for numbers out of range.
std::shared_ptr<const System> make_woven_cloth(const WovenClothSpec& spec);

}  // namespace dashpot
