#include "dashpot/integrate/stepper.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/integrate/explicit_stepper.hpp"
#include "dashpot/integrate/implicit_stepper.hpp"
#include "dashpot/integrate/newton.hpp"

namespace dashpot {

std::string to_string(StepperKind kind) {
  switch (kind) {
    case StepperKind::symplectic_euler:
      return "symplectic_euler";
    case StepperKind::leapfrog:
      return "leapfrog";
    case StepperKind::backward_euler:
      return "backward_euler";
    case StepperKind::bdf2:
      return "bdf2";
    case StepperKind::trapezoid:
      return "trapezoid";
    case StepperKind::newmark:
      return "newmark";
    case StepperKind::midpoint:
      return "midpoint";
    case StepperKind::generalized_alpha:
      return "generalized_alpha";
    case StepperKind::bathe:
      return "bathe";
  }
  return "?";
}

TableMaker table_maker(const StepperOptions& options) {
  switch (options.kind) {
    case StepperKind::symplectic_euler:
    case StepperKind::leapfrog:
      return nullptr;
    case StepperKind::backward_euler:
      return [](double h, double) { return backward_euler_table(h); };
    case StepperKind::bdf2:
      return [](double h, double h_previous) { return h_previous > 0 ? bdf2_table(h, h_previous) : midpoint_table(h); };
    case StepperKind::trapezoid:
      return [](double h, double) { return newmark_table(h, 0.25, 0.5); };
    case StepperKind::newmark:
      return [beta = options.newmark_beta, gamma = options.newmark_gamma](double h, double) {
        return newmark_table(h, beta, gamma);
      };
    case StepperKind::midpoint:
      return [](double h, double) { return midpoint_table(h); };
    case StepperKind::generalized_alpha:
      return [rho = options.rho_inf](double h, double) { return generalized_alpha_table(h, rho); };
    case StepperKind::bathe:
      return [](double h, double) { return bathe_table(h); };
  }
  return nullptr;
}

std::unique_ptr<Stepper> make_stepper(const StepperOptions& options, const NewtonOptions& newton,
                                      const LinearSolverOptions& linear) {
  TableMaker maker = table_maker(options);
  if (!maker) return std::make_unique<ExplicitStepper>(options.kind);
  return std::make_unique<ImplicitStepper>(to_string(options.kind), std::move(maker),
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
  return make_consistent(system, state, workspace, mass, balance);
}

Energies energies(const System& system, const State& state) {
  Energies result;
  result.kinetic = system.inertia().kinetic_energy(state.q, state.v);
  EnergyRequest request{state.q};
  request.time = state.time;
  for (const auto& term : system.energies()) result.potential.push_back(term->evaluate(request));
  return result;
}

}  // namespace dashpot
