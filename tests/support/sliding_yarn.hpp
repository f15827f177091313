#pragma once
// A toy body with five coordinates a node, for tests of layouts and kinematics: two yarns that run through the same
// beads. A block is (x, u, w): where bead i is, and which label of the first and of the second yarn lies in it. Yarns
// slide through the beads, so that the material point with label s between beads i and j,
//
//     x(s) = (1 - t) x_i + t x_j,    t = (s - u_i) / (u_j - u_i),
//
// depends on two blocks, and its Jacobian on q. Beads have mass m, sliding has an inertia j of its own: M is constant.
// Energies are the stretch of each yarn, k/2 (L/du - 1)^2 du, springs that hold labels, and gravity on the beads;
// sliding is damped by -c du/dt. Points: the beads, then `labels` material points of the first yarn a segment.

#include <memory>

#include "dashpot/model/system.hpp"

namespace dashpot::testing {

struct SlidingYarnOptions {
  Vec3 from = Vec3::Zero(), to = Vec3::UnitX();
  int num_beads = 5;
  int labels = 2;            ///< material points a segment
  double bead_mass = 0.05;   ///< m [kg]
  double slide_mass = 0.02;  ///< j [kg]
  double stretch = 50;       ///< k [N]
  double hold = 20;          ///< of the springs on labels [N/m]
  double slide_damping = 0;  ///< c [kg/s]
  Vec3 gravity = Vec3::Zero();
};

std::shared_ptr<const System> sliding_yarn(const SlidingYarnOptions& options);
/// Numbers of the material points, in order along the yarn.
std::vector<int> material_points(const SlidingYarnOptions& options);

}  // namespace dashpot::testing
