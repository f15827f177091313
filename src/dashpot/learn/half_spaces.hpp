#pragma once
// The least value of a convex quadratic over an intersection of half-spaces:
//
//     min  s . H s / 2 + g . s     over     a_k . s >= b_k
//
// With H = L L^T and y = L^T s + L^-1 g this is the point of a polyhedron that is nearest to zero, and that is a
// non-negative least squares problem [LawsonHanson1974, chapter 23, problem LDP]: exact up to round-off, for tens of
// unknowns and hundreds of half-spaces.

#include <optional>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

/// All x with normal . x >= bound.
struct HalfSpace {
  Vector normal;
  double bound = 0;
};

/// H: symmetric, positive definite. Nothing where the half-spaces have no point in common, or H is not what it should
/// be.
std::optional<Vector> least_in(const Matrix& H, const Vector& g, const std::vector<HalfSpace>& half_spaces);

}  // namespace dashpot::learn
