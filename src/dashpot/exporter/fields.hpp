#pragma once
// All actors as one mesh with fields at its nodes, for the formats of scientific visualization.

#include <vector>

#include "dashpot/exporter/animation.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot::exporter {

/// Rest meshes of all actors side by side: nodes of the first, of the second, ...; groups by kind; regions by name.
Mesh joined_mesh(const std::vector<Actor>& actors);

struct Fields {
  std::vector<Vec3> points;       ///< positions of all nodes [m]
  std::vector<DataArray> arrays;  ///< velocity [m/s], displacement from rest [m], power [W], body (index of the actor)
};
Fields joined_fields(const Animation& animation, std::size_t frame);

}  // namespace dashpot::exporter
