#pragma once
#include "dashpot/core/parallel.hpp"

namespace dashpot {

/// The spacing at which count(spacing) comes nearest to `wanted`. The count falls about as spacing^-dimension, in small
/// jumps: bracketed secant search on its logarithm. Starts coarse, at half of `width` [m], so that a slip never makes a
/// huge mesh first.
double find_spacing(FunctionRef<double(double)> count, double width, double wanted, int dimension);

}  // namespace dashpot
