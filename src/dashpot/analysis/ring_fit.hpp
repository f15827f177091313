#pragma once
// The steps of a ring-down measurement that come before its peaks are read: where the motion was released, and which
// damped sinusoids it is made of.

#include <vector>

#include "dashpot/analysis/damped_sinusoids.hpp"
#include "dashpot/analysis/signal.hpp"

namespace dashpot::analysis {

/// Largest less smallest.
double range_of(const std::vector<double>& values);

/// A plateau before the release does not belong to the motion: the time [s] of the release when it comes later than 3/4
/// period, else of the first sample.
double find_release(const Samples& even, double noise);

/// Best fit to the original samples over two thinnings of the even ones: one sees the fastest motion, the other the
/// slow dominant one. No modes where nothing swings.
ModeFit find_and_fit(const Samples& even, const Samples& original, double noise, int max_modes);

}  // namespace dashpot::analysis
