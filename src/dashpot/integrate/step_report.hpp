#pragma once
// What a step did: whether it succeeded and which state you are left in, what it cost, and where the energy went.

#include <string>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

enum class StepStatus {
  ok,          ///< State advanced by dt in one go
  substepped,  ///< State advanced by dt, in smaller sub-steps
  failed,      ///< State is the last good one, untouched by the failed attempt
};

/// Work of one step [J] and momentum changes, term by term. All signs as in the ledger equation
///   d(kinetic + potential) = external - sum(damping) - solver - numerical.
struct StepWork {
  double external = 0;                 ///< loads, and reactions of moving constraints
  std::vector<double> damping;         ///< dissipation terms, then velocity filters
  double solver = 0;                   ///< work of the Newton residual
  std::vector<LinearAngular> impulse;  ///< what each damping changed of the linear and angular momentum

  explicit StepWork(std::size_t num_dampings = 0) : damping(num_dampings, 0.0), impulse(num_dampings) {}
  StepWork& operator+=(const StepWork& other);
  bool is_finite() const;
};

/// Energies of a state [J].
struct Energies {
  double kinetic = 0;
  std::vector<double> potential;  ///< one per energy term of the System
  std::vector<double> stored;     ///< by the internal variables of each dissipation term
  double total() const;
};

struct StepReport {
  StepStatus status = StepStatus::ok;
  std::string explanation;  ///< why it failed or was sub-stepped, in plain words with units; empty when ok
  int substeps = 1;
  double shortest_substep = 0;  ///< [s]; 0 when the step was taken in one go
  int newton_iterations = 0;
  int factorizations = 0;
  int linear_iterations = 0;  ///< of an iterative linear solver
  int analyses = 0;           ///< new symbolic analyses because bodies touched in a new place
  double residual = 0;        ///< largest |residual| / force scale at the end of the stages
  bool projected = false;     ///< an indefinite tangent had to be projected
  bool converged = true;      ///< false only when a fixed number of iterations was asked for
  StepWork work;
  Energies end;  ///< energies of the new state

  void absorb(const StepReport& substep);
};

}  // namespace dashpot
