#pragma once
// How a System would swing along a given shape x at rest, with one of its dampings, as if x were a vibration mode:
//
//     omega^2 = x . K x / x . M x,     zeta = P(x) / (2 omega x . M x),     P(x): power the damping takes at v = x.
//
// For a mode and a damping linear in the velocity these are its own frequency and ratio (modal_damping.hpp has other
// amplitudes and dampings that remember).

#include "dashpot/model/system.hpp"

namespace dashpot::analysis {

struct ShapeRatio {
  double frequency = 0;  ///< [Hz]; not a number where the shape has no stiffness
  double zeta = 0;       ///< [-]; likewise
};

/// `shape` has num_dofs entries [m]. `damping` acts on the System; it may be the inner one of another damping.
ShapeRatio shape_ratio(const System& system, const DissipationTerm& damping, const Vector& shape);

}  // namespace dashpot::analysis
