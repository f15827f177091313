#include "dashpot/integrate/stepper.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/integrate/explicit_stepper.hpp"
#include "dashpot/integrate/implicit_stepper.hpp"
#include "dashpot/integrate/newton.hpp"

namespace dashpot {

std::unique_ptr<Stepper> make_stepper(const Integrator& integrator, const NewtonOptions& newton,
                                      const LinearSolverOptions& linear) {
  if (const KickDrift* scheme = integrator.kick_drift())
    return std::make_unique<ExplicitStepper>(integrator.name(), *scheme);
  return std::make_unique<ImplicitStepper>(integrator.name(), integrator,
                                           std::make_unique<NewtonSolver>(newton, linear));
}

StepReport advance(Stepper& stepper, const System& system, State& state, Workspace& workspace, double dt,
                   int max_halvings) {
  StepReport whole = stepper.step(system, state, workspace, dt);
  if (whole.status != StepStatus::failed) return whole;

  const double end = state.time + dt;
  const std::int64_t step_number = state.step + 1;
  std::string explanation = whole.explanation;
  StepReport total;
  total.work = StepWork(system.dissipations().size() + system.filters().size());
  total.substeps = 0;
  // Position in units of dt / 2^max_halvings; after a success the step may grow again where it stays aligned.
  const std::int64_t units = std::int64_t{1} << max_halvings;
  std::int64_t done = 0, length = units / 2;
  while (done < units) {
    if (length == 0) {
      total.status = StepStatus::failed;
      total.explanation =
          fmt::format("{}; sub-steps down to {:.3g} s failed too. The state at t = {:.6g} s is the last good one",
                      explanation, dt / static_cast<double>(units), state.time);
      return total;
    }
    const double h =
        done + length == units ? end - state.time : dt * static_cast<double>(length) / static_cast<double>(units);
    const StepReport part = stepper.step(system, state, workspace, h);
    if (part.status == StepStatus::failed) {
      explanation = part.explanation;
      length /= 2;
      continue;
    }
    total.absorb(part);
    ++total.substeps;
    if (total.shortest_substep == 0 || h < total.shortest_substep) total.shortest_substep = h;
    done += length;
    while (done < units && length < units / 2 && done % (2 * length) == 0) length *= 2;
  }
  state.time = end;
  state.step = step_number;
  total.status = StepStatus::substepped;
  total.explanation = explanation;
  return total;
}

bool make_consistent(const System& system, State& state, Workspace& workspace) {
  MassSolver mass;
  Balance balance;
  if (!make_consistent(system, state, workspace, mass, balance)) return false;
  state.is_rebalanced = true;
  return true;
}

Energies energies(const System& system, const State& state) { return energies(system, state, nullptr); }

}  // namespace dashpot
