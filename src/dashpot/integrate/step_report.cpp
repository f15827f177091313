#include "dashpot/integrate/step_report.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dashpot {

StepWork& StepWork::operator+=(const StepWork& other) {
  assert(damping.size() == other.damping.size());
  external += other.external;
  solver += other.solver;
  for (std::size_t j = 0; j < damping.size(); ++j) {
    damping[j] += other.damping[j];
    impulse[j] += other.impulse[j];
  }
  return *this;
}

bool StepWork::is_finite() const {
  return std::isfinite(external) && std::isfinite(solver) &&
         std::all_of(damping.begin(), damping.end(), [](double work) { return std::isfinite(work); });
}

double Energies::total() const {
  double sum = kinetic;
  for (const double energy : potential) sum += energy;
  for (const double energy : stored) sum += energy;
  return sum;
}

void StepReport::absorb(const StepReport& substep) {
  newton_iterations += substep.newton_iterations;
  factorizations += substep.factorizations;
  linear_iterations += substep.linear_iterations;
  analyses += substep.analyses;
  residual = std::max(residual, substep.residual);
  projected |= substep.projected;
  converged &= substep.converged;
  work += substep.work;
  end = substep.end;
}

}  // namespace dashpot
