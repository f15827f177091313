#pragma once
// Evolution strategy with covariance matrix adaptation [Hansen2016]: every generation draws lambda = 4 + 3 ln n points
// from a normal distribution, moves its mean to the weighted mean of the better half, and adapts its covariance and its
// width by the paths that the mean has taken. Only the order of the values counts, so runs that fail do no harm. Points
// outside of the box are brought to its border and pay for the distance. When the distribution has become narrow it is
// started anew from the start with twice as many points (IPOP, [AugerHansen2005]). The same seed, the same search.
//
// Good for up to some tens of unknowns, many local minima, and functions that are not smooth; costs hundreds to
// thousands of evaluations.

#include "dashpot/learn/derivative_free.hpp"

namespace dashpot::learn {

/// `start` is brought into the box. dashpot::Error where sizes do not fit or the box is empty.
SearchOutcome cma(const BoxedFunction& function, const Vector& start, const SearchBudget& budget);

}  // namespace dashpot::learn
