#include "dashpot/scene/entered_energy.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

EnteredEnergy entered_energy(const RunOutcome& outcome) {
  double lowest = 0;
  for (const double gravity : outcome.ledger.column("gravity")) lowest = std::min(lowest, gravity);
  return {std::abs(outcome.final_value("external")) + outcome.initial_energy() - lowest,
          outcome.final_energy() - lowest};
}

}  // namespace dashpot
