#pragma once
// A motion chosen in a scene, as pins and colliders use it.

#include <memory>
#include <vector>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/motion.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

/// What is to be moved.
struct MotionTarget {
  const Mesh* mesh = nullptr;  ///< rest shape in the world; null: something without nodes (a sphere)
  std::vector<int> nodes;      ///< which of its nodes are driven
  Placement placement;         ///< from the mesh's file to the world
  double end = 0;              ///< of the run [s]: motions are looked at up to then

  std::vector<Vec3> rest() const;  ///< positions of the driven nodes [m]
  double size() const;             ///< diagonal of the mesh's box [m]; 0 without a mesh
};

/// What a motion gives: rigid ones both, others points only (one for each driven node).
struct DrivenMotion {
  std::shared_ptr<const RigidMotion> rigid;
  std::shared_ptr<const PointMotion> points;
};

/// Makes and checks the motion a scene asks for; dashpot::Error with the place of what is wrong.
DrivenMotion make_motion(const ModelSpec& motion, const MotionTarget& target);

}  // namespace dashpot
