#pragma once
// Whether cloth crosses itself, or another sheet, at one instant: edges that go through triangles with which they share
// no node. It looks at positions alone, and shares nothing with the forces and guards that keep sheets apart but the
// tree of boxes.

#include <vector>

#include "dashpot/contact/cloth_surface.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::contact {

struct EdgeCrossing {
  int edge, triangle;
};

/// In the order of edges; at most `limit`.
std::vector<EdgeCrossing> find_crossings(const ClothSurface& surface, const std::vector<Vec3>& x, std::size_t limit);

}  // namespace dashpot::contact
