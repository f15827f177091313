#include "dashpot/scene/entered_energy.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

EnteredEnergy entered_energy(const RunResult& run) {
  double lowest = 0;
  for (const double gravity : run.ledger.column("gravity")) lowest = std::min(lowest, gravity);
  return {std::abs(run.final_value("external")) + run.initial_energy() - lowest, run.final_energy() - lowest};
}

}  // namespace dashpot
