#pragma once
#include <functional>

#include "dashpot/core/parallel.hpp"

namespace dashpot {

/// The spacing at which count(spacing) comes nearest to `wanted`. The count falls about as spacing^-dimension, in small
/// jumps: bracketed secant search on its logarithm. Starts coarse, at half of `width` [m], so that a slip never makes a
/// huge mesh first.
/// `on_trial` hears the number of each trial before it is made.
double find_spacing(FunctionRef<double(double)> count, double width, double wanted, int dimension,
                    const std::function<void(int)>& on_trial = {});

}  // namespace dashpot
