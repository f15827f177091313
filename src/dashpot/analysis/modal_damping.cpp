#include "dashpot/analysis/modal_damping.hpp"

#include "dashpot/core/error.hpp"

namespace dashpot::analysis {

std::vector<ModalDamping> modal_damping(const System& system, const State& at, const Vector& shape, double omega,
                                        double dt) {
  if (shape.size() != system.num_dofs() || !(omega > 0) || !(dt > 0))
    throw Error(Problem{"", "a mode shape, frequency or step that does not fit the system",
                        "one entry per degree of freedom, positive frequency and step", ""});
  const Vector zero = Vector::Zero(shape.size());
  Vector momentum = zero;
  system.inertia().add_force(at.q, zero, shape, momentum);
  const double scale = 2 * omega * shape.dot(momentum);

  Workspace workspace = system.make_workspace();
  system.begin_step(at, workspace);
  std::vector<ModalDamping> result;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    Vector force = zero;
    term.evaluate({.q = at.q,
                   .v = shape,
                   .memory = at.memory[j],
                   .dt = dt,
                   .scratch = workspace.dissipation[j].get(),
                   .force = &force});
    result.push_back({term.body() + "." + term.model(), shape.dot(force) / scale});
  }
  for (const auto& filter : system.filters()) {
    Vector filtered = shape;
    filter->apply(at.q, dt, filtered);
    result.push_back({filter->body() + "." + filter->model(), momentum.dot(shape - filtered) / dt / scale});
  }
  return result;
}

SchemeSpec scheme_of(const StepperOptions& stepper) {
  SchemeSpec spec;
  spec.beta = stepper.newmark_beta;
  spec.gamma = stepper.newmark_gamma;
  spec.rho_inf = stepper.rho_inf;
  switch (stepper.kind) {
    case StepperKind::symplectic_euler:
      spec.scheme = Scheme::symplectic_euler;
      break;
    case StepperKind::leapfrog:
      spec.scheme = Scheme::leapfrog;
      break;
    case StepperKind::backward_euler:
      spec.scheme = Scheme::backward_euler;
      break;
    case StepperKind::bdf2:
      spec.scheme = Scheme::bdf2;
      break;
    case StepperKind::trapezoid:
      spec.scheme = Scheme::trapezoid;
      break;
    case StepperKind::newmark:
      spec.scheme = Scheme::newmark;
      break;
    case StepperKind::midpoint:
      spec.scheme = Scheme::implicit_midpoint;
      break;
    case StepperKind::generalized_alpha:
      spec.scheme = Scheme::generalised_alpha;
      break;
    case StepperKind::bathe:
      spec.scheme = Scheme::bathe;
      break;
  }
  return spec;
}

}  // namespace dashpot::analysis
