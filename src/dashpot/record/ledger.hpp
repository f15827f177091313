#pragma once
// EnergyLedger: where every joule went, one row a step.
//
//   d(kinetic) + sum_i d(elastic_i) + d(gravity) = external - sum_j damping_j - contact - solver - numerical
//
// Energies are values of the state; works and losses are cumulative since the start. `numerical`, the integrator's own
// loss, is the remainder: it is verified against closed forms on linear systems (tests/unit/integrate). Momentum, and
// what each damping changed of it, are columns too. `contact` is the sum of all losses at contacts; `friction`, where
// there is contact, says how much of that sum friction took. The energy stored in contact penalties is elastic.contact.

#include <string>
#include <vector>

#include "dashpot/integrate/step_report.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class EnergyLedger {
 public:
  EnergyLedger(const System& system, const State& start);

  /// Column names, in the order of row(): time, kinetic, elastic.<body> ..., gravity, external,
  /// damping.<body>.<model> ..., contact, solver, numerical, px, py, pz, lx, ly, lz, then for each damping
  /// impulse.<body>.<model>.px ... .lz, then friction (a part of contact) where something can touch.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Names "<body>.<model>" of the dampings, dissipation terms (those of contacts included) first, then filters.
  const std::vector<std::string>& dampings() const { return dampings_; }

  /// Books one successful step that ended in `state`.
  void book(const System& system, const State& state, const StepReport& report);
  /// The System has other values of its parameters from `state` on: what that adds to the energy is the work of
  /// whoever changed them, and counts as external.
  void rebase(const System& system, const State& state);
  /// The present row.
  std::vector<double> row() const;

  double initial_energy() const { return initial_energy_; }
  double total_energy() const { return energies_.total(); }
  double external() const { return work_.external; }
  double solver() const { return work_.solver; }
  double numerical() const { return numerical_; }
  const std::vector<double>& damping() const { return work_.damping; }
  double contact() const;
  /// Largest |kinetic| + |potential| change seen; the scale against which losses are judged [J].
  double energy_scale() const { return energy_scale_; }

  /// Energy that came out of nothing [J]: made by the integrator, or by a damping that overshoots where the step is too
  /// long for it; 0: none.
  double created_energy() const;
  /// The same over all energy that was there or entered by honest means [-].
  double created() const;

  /// Everything that accumulates, for checkpoints.
  std::vector<double> accumulators() const;
  /// Restores what accumulators() gave; `state` is the State of the same moment.
  void restore(const System& system, const State& state, const std::vector<double>& accumulators);

 private:
  void observe(const System& system, const State& state);
  /// In which column a damping is booked; friction is a part of contact.
  enum class Booking { damping, contact, friction };

  std::vector<std::string> columns_, dampings_, elastic_bodies_;
  std::vector<Booking> booking_;  ///< one per damping
  bool has_contact_ = false;
  std::vector<int> column_of_energy_;  ///< index into elastic sums, or -1 for gravity
  std::vector<int> column_of_stored_;  ///< the same of what dampings store; -1: nothing
  double time_ = 0, initial_energy_ = 0, numerical_ = 0, energy_scale_ = 0;
  Energies energies_;
  StepWork work_;
  LinearAngular momentum_;
};

/// The unit of a ledger column: "s", "J", "kg m/s" or "kg m^2/s".
std::string ledger_unit(const std::string& column);

}  // namespace dashpot
