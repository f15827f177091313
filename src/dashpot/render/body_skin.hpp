#pragma once
// What of a body is seen: the boundary of its tets, its triangles, tubes around its edges, beads at its points. Found
// once for the rest shape, then drawn for any positions of its nodes.

#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/render/drawing.hpp"

namespace dashpot::render {

/// Colors of a body.
struct BodyStyle {
  Rgb color = {214, 137, 104};
  std::vector<Rgb> node_colors = {};           ///< size num_nodes, or empty
  std::function<Rgb(const Vec3&)> paint = {};  ///< color at a position of the surface, instead
  bool shows_edges = false;
  double crease = 40;  ///< [degrees]
};

class BodySkin {
 public:
  /// Edges and points get a radius from the body's size and their distances, unless `radius` [m] > 0 says it.
  explicit BodySkin(const Mesh& rest, double radius = 0);

  /// Adds the body in the shape given by `nodes` (as many as the rest mesh has).
  void add_to(Stage& stage, const std::vector<Vec3>& nodes, const BodyStyle& style) const;
  /// Triangles of the surface, as node indices.
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  /// Tet or triangle each surface triangle belongs to, index in its group.
  const std::vector<int>& element() const { return element_; }
  double radius() const { return radius_; }

 private:
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> element_;
  std::vector<int> skin_nodes_;                     ///< nodes of the triangles, sorted
  std::vector<std::array<int, 3>> skin_triangles_;  ///< the same triangles as indices into skin_nodes_
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> points_;
  double radius_ = 0;
};

/// A color for every node of a mesh by the region of its elements; nodes between regions take the first one's.
std::vector<Rgb> region_colors(const Mesh& mesh);

/// Adds a ground with a grid that suits the size of what is on the stage. Without a height it lies just under the
/// lowest point of `points`.
void add_ground(Stage& stage, const std::vector<Vec3>& points, std::optional<double> height = std::nullopt);

}  // namespace dashpot::render
