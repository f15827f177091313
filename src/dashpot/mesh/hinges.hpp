#pragma once
// Parts of a solid that hang together by a vertex or an edge only. Tets that share a face hold each other: a linear tet
// that does not strain moves rigidly, and three nodes not in a line pass that motion on. Two groups of tets that share
// fewer can turn against each other without any strain: about an edge (one mode of frequency zero) or about a vertex
// (three). A simulation then has mechanisms where a body was meant.
//
// Groups that share three or more nodes not in a line, though no face, count as one. Limits: groups held only by
// several others together (a ring of three hinges is rigid) are named all the same, as are those where more than 64
// groups meet. Parts that share no node at all are not hinges (num_connected_parts).

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

struct HingedGroup {
  std::vector<int> tets;   ///< indices in Mesh::tets(), increasing
  std::vector<int> nodes;  ///< those shared with the rest of the body, sorted
  double volume = 0;       ///< [m^3]
};

/// All hinged groups but the largest group of each connected part, large ones first.
std::vector<HingedGroup> hinged_groups(const Mesh& mesh);

/// What a warning says of them: how many, of how many tets, where. Empty without any.
std::string describe_hinges(const Mesh& mesh, const std::vector<HingedGroup>& groups);

/// The same mesh without these tets, and without the nodes that only they used; other elements stay.
Mesh without_tets(const Mesh& mesh, const std::vector<HingedGroup>& groups);

}  // namespace dashpot
