#pragma once
// A mesh as the entities of a Gmsh file. Internal to the writer.

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// Elements of one kind in one region, or the points of a node set: one entity of the file.
struct MshEntity {
  ElementKind kind = ElementKind::point;
  int tag = 0;  ///< entity tag and physical tag, unique in its dimension
  std::string name;
  std::vector<int> nodes;
  const ElementGroup* group = nullptr;  ///< where its elements come from; null: a node set
  std::vector<int> elements;            ///< there
};

/// Groups elements by (dimension, region); physical tags count from 1 in each dimension, node sets after the point
/// regions.
std::vector<MshEntity> msh_entities_of(const Mesh& mesh);

}  // namespace dashpot
