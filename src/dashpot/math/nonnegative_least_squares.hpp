#pragma once
// min |A x - b| over x >= 0, by the active-set method of Lawson and Hanson: finite, exact at its end up to round-off.
// [LawsonHanson1974, chapter 23]

#include "dashpot/core/types.hpp"

namespace dashpot::math {

/// A has at least one column; A and b have as many rows. At the end A^T (b - A x) is zero where x > 0 and not positive
/// elsewhere.
Vector nonnegative_least_squares(const Matrix& A, const Vector& b);

}  // namespace dashpot::math
