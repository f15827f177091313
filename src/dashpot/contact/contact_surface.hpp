#pragma once
// The surface of a body as contact sees it: sample points that feel others, and simplices (triangles, edges, corners)
// that others feel. Solids give the skin of their tets, cloth its triangles, chains their edges, single masses points.
//
// The distance from a point to such a complex is a minimum over simplices, which has kinks where the closest one
// changes over a valley. Instead contact sums psi over simplices with counts
//
//     c(triangle) = 1,   c(edge) = 1 - #triangles,   c(corner) = 1 - sum of c over its edges and triangles
//
// Each distance to a (convex) simplex is C1 away from it. Wherever several simplices share their closest point the
// counts sum to one, so a plane or a convex surface presses exactly once, and a valley with each of its sides
// [LiEtAl2023, section 4: improved maximum operator].

#include <array>
#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/kinematics.hpp"

namespace dashpot::contact {

/// A material point that feels other surfaces: sum of weight * node, with the area it stands for.
struct Sample {
  std::array<int, 2> nodes{};  ///< points of the kinematics
  std::array<double, 2> weights{1, 0};
  double area = 0;  ///< [m^2]
  int num_nodes() const { return weights[1] == 0 ? 1 : 2; }
};

struct ContactSurface {
  std::string body;
  bool is_solid = false;   ///< closed: points can be inside
  double radius = 0;       ///< half the thickness of cloth, radius of chains and points [m]
  double depth_limit = 0;  ///< how deep points inside a solid are still felt [m]

  std::vector<Sample> samples;
  std::vector<std::array<int, 3>> triangles;  ///< points of the kinematics, outward
  std::vector<std::array<int, 2>> edges;
  std::vector<int> corners;
  std::vector<int> edge_count, corner_count;         ///< c of edges and corners
  std::vector<std::array<int, 3>> triangle_edges;    ///< edge k lies opposite corner (k + 2) % 3: it is (k, k + 1)
  std::vector<std::array<int, 3>> triangle_corners;  ///< indices into corners
  std::vector<std::array<int, 2>> edge_corners;      ///< indices into corners
  std::vector<std::vector<int>> edge_triangles, corner_triangles;
};

/// Surface of a body whose nodes are the points first_point ... `thickness` [m] is that of cloth and chains, and a skin
/// that solids keep between them; 0 is allowed for solids. `pairs` are the edges of a body without triangles. The
/// depth limit of a solid is volume / surface: half the thickness of a plate, a third of a ball's radius.
ContactSurface make_contact_surface(const std::string& body, const Mesh& mesh,
                                    const std::vector<std::array<int, 2>>& pairs, int first_point, double thickness);

/// Position of a sample [m].
inline Vec3 position(const PointPositions& x, const Sample& sample) {
  Vec3 p = x[sample.nodes[0]];
  if (sample.num_nodes() == 2) p = sample.weights[0] * p + sample.weights[1] * x[sample.nodes[1]];
  return p;
}

}  // namespace dashpot::contact
