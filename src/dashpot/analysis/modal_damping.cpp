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
                   .internal_variables = at.internal_variables[j],
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

}  // namespace dashpot::analysis
