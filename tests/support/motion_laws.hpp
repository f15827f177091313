#pragma once
// What every given motion must keep: velocities and accelerations are the derivatives of its positions.
#include "dashpot/model/motion.hpp"

namespace dashpot::testing {

/// Fails the running test unless x' = v and v' = a at `time`, by the slope of the Taylor remainder. The motion must be
/// smooth over eps0 seconds after `time`.
void expect_exact_derivatives(const PointMotion& motion, double time, double eps0 = 1e-2);

}  // namespace dashpot::testing
