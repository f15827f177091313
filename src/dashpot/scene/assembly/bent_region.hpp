#pragma once
// A part of a body bent about an axis: an ear folded, a trunk lifted. Nodes deep in the part turn by the whole angle,
// nodes at its border not at all, with a smooth rise between, so that the body stays in one piece.

#include <optional>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

struct RegionBend {
  Vec3 axis = Vec3::UnitZ();   ///< need not have unit length
  double angle = 0;            ///< [rad], right-handed about the axis
  std::optional<Vec3> center;  ///< a point of the axis [m]; absent: the middle of the border
  double rise = 0;             ///< depth at which the whole angle is reached [m]; 0: half of the greatest depth
};

/// Positions of all nodes with `nodes` bent. The border of the part is what its elements share with the rest of the
/// body. dashpot::Error when the part has no border (it is the whole body) or does not hang together with the rest.
std::vector<Vec3> bend_region(const Mesh& mesh, const std::vector<int>& nodes, const RegionBend& bend);

}  // namespace dashpot
