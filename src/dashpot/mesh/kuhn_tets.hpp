#pragma once
// Kuhn's division of a cube into six tets: each goes from corner 000 to corner 111 along the axes in one of these
// orders.
#include <array>

namespace dashpot {

inline constexpr std::array<std::array<int, 3>, 6> axis_permutations{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

}  // namespace dashpot
