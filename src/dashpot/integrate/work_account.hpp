#pragma once
// Turns the forces sampled during a step into the work of each term, by the quadrature its stage table prescribes.

#include <deque>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/integrate/stage_table.hpp"
#include "dashpot/integrate/step_report.hpp"

namespace dashpot {

/// Forces at the start, the stages and the end of a step, and the positions where they act.
struct StepSamples {
  std::deque<Balance> balance = std::deque<Balance>(2);  ///< indexed by Evaluation; growing moves none of them
  std::deque<Vector> q = std::deque<Vector>(2);

  /// Makes room for the evaluations of a table with `num_stages`.
  void prepare(std::size_t num_stages) {
    balance.resize(static_cast<std::size_t>(Evaluation::first_stage) + num_stages);
    q.resize(balance.size());
  }
  Balance& at(Evaluation where) { return balance[static_cast<std::size_t>(where)]; }
  const Balance& at(Evaluation where) const { return balance[static_cast<std::size_t>(where)]; }
  Vector& q_at(Evaluation where) { return q[static_cast<std::size_t>(where)]; }
};

/// Adds the work over one interval of a step of length dt [s], whose displacement is `displacement`.
void add_interval_work(const System& system, const StepSamples& samples, const WorkInterval& interval,
                       const Vector& displacement, double dt, StepWork& work);

/// Brings the internal variables of a State that a step of dt [s] has led to up to date. What they store of the work of
/// their term is not lost. `follows_rates`: as of DissipationRequest.
void update_memory(const System& system, const Workspace& workspace, double dt, bool follows_rates, State& next,
                   StepWork& work);

/// Filters velocities v at positions q over dt; books what each filter took of energy and momentum. Where a filter
/// parts tied blocks from what they follow, they are brought together again as in a perfectly plastic impact (`mass`):
/// momentum is kept, and the energy lost is the filter's. False: M is singular.
bool filter_velocities(const System& system, const Vector& q, double time, double dt, MassSolver& mass, Vector& v,
                       StepWork& work);

/// Energies of a State; `workspace`, where given, holds results of the step that led there.
Energies energies(const System& system, const State& state, const Workspace* workspace);

/// make_consistent with storage that is kept from step to step.
bool make_consistent(const System& system, State& state, Workspace& workspace, MassSolver& mass, Balance& balance);

/// After the step of an implicit scheme: filters state.v over dt, books their losses, and makes a and the history
/// consistent (`mass` and `balance` are storage). False: no finite accelerations belong to the filtered velocities.
bool apply_filters(const System& system, State& state, Workspace& workspace, double dt, MassSolver& mass,
                   Balance& balance, StepReport& report);

}  // namespace dashpot
