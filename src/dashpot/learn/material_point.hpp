#pragma once
// Points of bodies that are followed: nodes, and points between nodes,
//
//   x(t) = sum_i w_i x_i(t),    sum_i w_i = 1.
//
// A marker is glued to the body at rest. In tets its weights are those of the tet it lies in or next to
// (mesh/embedding.hpp): a marker that stands off the skin by its own radius turns and shears with that tet. On a
// surface its weights are those of the nearest point of the nearest triangle.

#include <span>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/learn/observation.hpp"
#include "dashpot/mesh/mesh.hpp"

namespace dashpot::learn {

struct MaterialPoint {
  std::vector<int> points;      ///< of the System (Kinematics::positions)
  std::vector<double> weights;  ///< as many; they add up to one

  static MaterialPoint node(int point) { return {{point}, {1.0}}; }
  /// Position [m] when the points of the System are at `x` [m].
  Vec3 at(const std::vector<Vec3>& x) const;
  /// Adds `slope . dx` of this point to the entries of a row.
  void add_to(std::vector<ResidualRows::Entry>& row, const Vec3& slope) const;
};

/// Material points of one body for positions given where it rests, and how far each lies from the body.
struct Attachments {
  std::vector<MaterialPoint> points;
  std::vector<double> distance;  ///< to the tets, or to the surface [m]; 0 inside
};
/// `first_point`: of the System, that is node 0 of the mesh. dashpot::Error when the mesh has neither tets nor
/// triangles, or a position is not finite.
Attachments attach_to(const Mesh& rest, int first_point, const std::vector<Vec3>& positions);

/// `count` of these points, evenly spread: starting from the first, always the one farthest from those chosen. Sorted
/// indices; all of them when count is larger.
std::vector<int> spread_out(const std::vector<Vec3>& positions, int count);

}  // namespace dashpot::learn
