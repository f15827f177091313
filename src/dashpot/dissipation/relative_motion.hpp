#pragma once
// Damps the motion of points relative to their center of mass, in place [SchmeddingGisslerTeschner2009, (7), (8)]:
//     v_i <- v_i - gamma u_i,     u_i = v_i - v_cm,
// where `rigid` leaves the rotation w = I^-1 L out of u (the part w x r_i), `center` takes only u along r_i, less the
// mean of that, and `none` takes all of u. All with masses as weights, so that momentum is kept and the kinetic energy
// falls (proofs: docs/theory/dissipation_clusters.md).

#include "dashpot/dissipation/torque_free.hpp"

namespace dashpot {

/// Eliminations that damp_relative_motion knows.
constexpr bool is_streamed(TorqueElimination elimination) {
  return elimination == TorqueElimination::none || elimination == TorqueElimination::rigid ||
         elimination == TorqueElimination::center;
}

/// n points; x and v hold 3 numbers of each, mass one. 0 <= gamma <= 1. Reads x and v twice and writes v once (`rigid`
/// and `none`): 136 bytes a point.
void damp_relative_motion(TorqueElimination elimination, double gamma, int n, const double* mass, const double* x,
                          double* v);

}  // namespace dashpot
