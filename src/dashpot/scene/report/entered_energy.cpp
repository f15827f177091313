#include "dashpot/scene/report/entered_energy.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

EnteredEnergy entered_energy(const RunResult& run) {
  double lowest = 0;
  for (const double gravity : run.ledger.column("gravity")) lowest = std::min(lowest, gravity);
  const double start = run.initial_energy() - lowest;
  EnteredEnergy energy{std::abs(run.final_value("external")) + start, start, run.final_energy() - lowest, lowest};
  energy.start = energy.rounded(energy.start);
  energy.left = energy.rounded(energy.left);
  return energy;
}

}  // namespace dashpot
