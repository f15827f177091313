#pragma once
// The simplices of a ContactSurface one by one: their nodes, normals and boxes.

#include <array>
#include <vector>

#include "dashpot/contact/box_tree.hpp"
#include "dashpot/contact/contact_surface.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot::contact {

/// A simplex of a surface: kind 1 corner, 2 edge, 3 triangle (the number of its nodes).
struct Simplex {
  int kind = 0, index = 0;
  bool operator==(const Simplex&) const = default;
  /// Triangles first.
  bool operator<(const Simplex& o) const { return kind != o.kind ? kind > o.kind : index < o.index; }
};

/// Points of a simplex; the first `kind` entries count.
std::array<int, 3> nodes_of(const ContactSurface& surface, const Simplex& simplex);
/// The simplex on which the nearest point of triangle t lies.
Simplex carrier_on_triangle(const ContactSurface& surface, int t, const NearestOnTriangle& nearest);
/// Outward pseudo-normal (not of unit length) [BaerentzenAanaes2005]; zero where there are no triangles.
Vec3 normal_of(const ContactSurface& surface, const PointPositions& x, const Simplex& simplex);
/// Simplices that belong to no larger one: triangles, edges of chains, single points.
std::vector<Simplex> tops_of(const ContactSurface& surface);
Box box_of(const ContactSurface& surface, const PointPositions& x, const Simplex& simplex);
/// Box of the whole surface.
Box box_of(const ContactSurface& surface, const PointPositions& x);

}  // namespace dashpot::contact
