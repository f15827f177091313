#pragma once
// Three bodies with different coordinates in one System: a bar of tets (3 a node), a bar in a subspace (r) and a yarn
// that slides through beads (5 a node), which may touch one floor (y = 0) and each other.

#include <memory>
#include <vector>

#include "dashpot/contact/body_contact.hpp"
#include "dashpot/contact/collider_contact.hpp"
#include "dashpot/model/placed_system.hpp"
#include "support/sliding_yarn.hpp"

namespace dashpot::testing {

struct MixedWorldOptions {
  bool floor = true;
  Vec3 gravity = Vec3(0, -9.81, 0);
  double friction = 0;        ///< at the floor and between bodies
  double impact_damping = 0;  ///< at the floor [s/m]
  double body_damping = 0;    ///< beta of Rayleigh, both bars [s], and sliding of the yarn [kg/s]
  double gap = 0.004;         ///< between the skins at the start [m]; negative: they overlap
  double drop = 0.002;        ///< height over the floor [m]
};

struct MixedWorld {
  MixedWorldOptions options;
  std::shared_ptr<const System> system;
  State start;  ///< the bars move towards each other, the yarn towards both
  std::shared_ptr<const ColliderPair> floor;
  std::vector<std::shared_ptr<const contact::BodyPair>> pairs;  ///< tets-reduced, tets-yarn, reduced-yarn
  PlacedSystem reduced, yarn;
  int num_modes = 0;
  double mass = 0;  ///< of all [kg]
};

MixedWorld mixed_world(const MixedWorldOptions& options);

/// Displacements of nodes: translations, linear rotations, stretches and bends, one column each.
Matrix smooth_displacements(const Vector& rest);

}  // namespace dashpot::testing
