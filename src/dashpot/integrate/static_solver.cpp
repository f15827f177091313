#include "dashpot/integrate/static_solver.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/integrate/balance.hpp"

namespace dashpot {
namespace {

/// The potential Pi(q) = sum Psi_i - f . q with gradient and Hessian.
class Potential {
 public:
  Potential(const System& system, const Vector& force, const State& start)
      : system_(system), force_(force), origin_(start.q), time_(start.time) {}

  struct Value {
    double potential;    ///< Pi [J]
    double force_scale;  ///< sum of the norms of the forces that balance, each by itself [N]
  };
  Value value(const Vector& q, Vector& gradient) const {
    EnergyRequest request{q};
    request.time = time_;
    Vector part;
    request.gradient = &part;
    gradient = -force_;
    double sum = -dot(system_, force_, q - origin_);  // work from where we started: few digits are lost
    double force_scale = free_norm(system_, force_);
    for (const std::vector<int>& layer : system_.energy_layers().terms) {
      part.setZero(q.size());
      for (const int i : layer) sum += system_.energies()[at(i)]->evaluate(request);
      force_scale += free_norm(system_, part);  // by itself: elasticity and gravity cancel at equilibrium
      gradient += part;
    }
    system_.reduce(gradient);
    return {sum, force_scale};
  }
  void hessian(const Vector& q, Projection projection, BlockMatrix& H, DynamicBlocks& couplings) const {
    EnergyRequest request{q};
    request.time = time_;
    request.hessian = &H;
    request.projection = projection;
    request.couplings = &couplings;
    H.set_zero();
    couplings.clear(H.pattern());
    for (const auto& term : system_.energies()) term->evaluate(request);
    couplings.finish();
  }

 private:
  const System& system_;
  const Vector& force_;
  const Vector& origin_;
  double time_;
};

/// Solves (H + shift M) d = -gradient, projecting and then raising the shift until it can.
bool find_direction(const System& system, const Potential& potential, const Vector& q, const Vector& gradient,
                    LinearSolver& solver, BlockMatrix& H, Vector& direction) {
  const Vector zero = Vector::Zero(q.size()), right_side = -gradient;
  double shift = 0;
  DynamicBlocks couplings;
  for (int attempt = 0; attempt < 12; ++attempt) {
    potential.hessian(q, attempt == 0 ? Projection::none : Projection::positive_semidefinite, H, couplings);
    if (shift > 0) system.inertia().add_tangent(q, zero, zero, shift, 0, 0, H);
    if (!system.ties().empty()) system.ties().condense(H, &couplings);
    direction.setZero(q.size());
    if (solver.factorize_coupled(H, couplings) == SolveStatus::ok &&
        solver.solve(right_side, direction).status == SolveStatus::ok && all_finite(system, direction) &&
        dot(system, direction, gradient) < 0) {
      if (!system.ties().empty()) system.ties().follow(direction);
      return true;
    }
    if (attempt > 0) shift = shift == 0 ? 1e-2 : 100 * shift;  // [1/s^2]: a slow pseudo-time step
  }
  return false;
}

}  // namespace

StaticReport solve_static(const System& system, State& state, const Vector& extra_force, const StaticOptions& options) {
  StaticReport report;
  Vector force = extra_force.size() > 0 ? extra_force : Vector::Zero(system.num_dofs());
  system.add_external_force(state.time, force);
  const Potential potential(system, force, state);
  // matrix_changes_each_solve = false asks for a direct solver: without a mass term K is too ill-conditioned for CG.
  const auto solver = make_linear_solver(options.linear, system.num_dofs(), false, true);
  solver->analyze(system.pattern(), system.is_free());
  BlockMatrix H(system.pattern());

  Vector q = state.q, gradient, trial_gradient, direction;
  system.prescribe(state.time, &q, nullptr, nullptr);
  Potential::Value value = potential.value(q, gradient);
  for (;; ++report.iterations) {
    const double norm = free_norm(system, gradient), scale = value.force_scale;
    report.residual = scale > 0 ? norm / scale : 0;
    if (!std::isfinite(value.potential) || !std::isfinite(norm)) {
      report.explanation = "the elastic energy is not finite at the starting pose";
      return report;
    }
    if (norm <= options.tolerance * scale || norm == 0) break;
    if (options.on_iteration && !options.on_iteration(report.iterations, report.residual)) {
      report.explanation = "stopped on request";
      return report;
    }
    if (report.iterations == options.max_iterations) {
      report.explanation = fmt::format(
          "no equilibrium in {} iterations (residual {:.2g} of the forces). A body without pins "
          "under gravity has none; otherwise apply the load in smaller parts",
          options.max_iterations, report.residual);
      return report;
    }
    if (!find_direction(system, potential, q, gradient, *solver, H, direction)) {
      report.explanation = "the stiffness is singular: the body is free to move. Pin it, or start from rest";
      return report;
    }
    // A body that nothing acts on has forces of round-off, all of which are out of balance: what would balance them
    // moves nothing by as much as coordinates can tell apart.
    if (largest(system, direction) <= 1e-14 * largest(system, q)) break;
    const double slope = dot(system, gradient, direction);
    double length = 1;
    bool moved = false;
    for (int halving = 0; halving < 40 && !moved; ++halving, length *= 0.5) {
      const Vector trial = q + length * direction;
      const Potential::Value trial_value = potential.value(trial, trial_gradient);
      // Where the expected decrease drowns in round-off, the residual decides.
      const bool in_noise = -length * slope < 1e-12 * (std::abs(value.potential) + std::abs(trial_value.potential));
      const bool falls = in_noise ? free_norm(system, trial_gradient) < 0.9 * norm
                                  : trial_value.potential <= value.potential + 1e-4 * length * slope;
      if (!falls) continue;
      q = trial;
      value = trial_value;
      gradient = trial_gradient;
      moved = true;
    }
    if (moved) continue;
    if (report.residual < 1e-6) break;  // as far as round-off allows
    report.explanation =
        fmt::format("no step lowers the potential energy (residual {:.2g} of the forces)", report.residual);
    return report;
  }
  report.converged = true;
  state.q = q;
  state.v.setZero();
  state.a.setZero();
  system.prescribe(state.time, &state.q, &state.v, &state.a);
  return report;
}

}  // namespace dashpot
