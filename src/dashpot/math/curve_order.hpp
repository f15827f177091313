#pragma once
// Points in the order of a space-filling curve (Morton): neighbors in the list are mostly neighbors in space, so that
// pieces of the list are compact pieces of a body.

#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::math {

/// Indices of the points along the curve through their bounding cube; equal places keep their order.
std::vector<int> order_along_curve(const std::vector<Vec3>& points);

}  // namespace dashpot::math
