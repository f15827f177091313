#pragma once
// What the shares of a run are shares of. Potentials are known up to a constant: gravity is counted from the lowest
// the bodies came to (or from the rest shape, where that is lower), so that what is let go at rest has energy to lose.

#include "dashpot/record/run_result.hpp"

namespace dashpot {

struct EnteredEnergy {
  double entered;  ///< at the start, and the external work [J]
  double start;    ///< at the start [J]
  double left;     ///< at the end [J]
  double zero;     ///< what the ledger's column "gravity" has where it is counted from [J]

  /// Less than this of an energy is round-off: it is told as zero [J].
  double round_off() const { return 1e-9 * entered; }
  double rounded(double energy) const { return energy < round_off() && -energy < round_off() ? 0 : energy; }
};
EnteredEnergy entered_energy(const RunResult& run);

}  // namespace dashpot
