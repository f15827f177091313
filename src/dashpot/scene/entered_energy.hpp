#pragma once
// What the shares of a run are shares of. Potentials are known up to a constant: gravity is counted from the lowest
// the bodies came to (or from the rest shape, where that is lower), so that what is let go at rest has energy to lose.

#include "dashpot/record/run_result.hpp"

namespace dashpot {

struct EnteredEnergy {
  double entered;  ///< at the start, and the external work [J]
  double left;     ///< at the end [J]
};
EnteredEnergy entered_energy(const RunResult& run);

}  // namespace dashpot
