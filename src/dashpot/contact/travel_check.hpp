#pragma once
// Whether things that move along straight lines from one instant to the next stay apart: a node and a triangle, or two
// edges. Steps of time that cannot bring them together are taken one after another [LiEtAl2021, section 6: additive
// continuous collision detection]: with their distance d and a bound L on how fast it changes, they are apart until
// d / L later. No roots are sought, so there are no special cases.
//
// Things that come nearer to each other than a tenth of their distance at the start are taken to meet.

#include <array>

#include "dashpot/core/types.hpp"

namespace dashpot::contact {

/// Four points: node and triangle, or two edges.
using FourPoints = std::array<Vec3, 4>;

bool node_misses_triangle(const FourPoints& from, const FourPoints& to);
bool edges_miss_each_other(const FourPoints& from, const FourPoints& to);

}  // namespace dashpot::contact
