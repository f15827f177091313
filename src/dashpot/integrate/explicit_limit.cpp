#include "dashpot/integrate/explicit_limit.hpp"

#include <cmath>
#include <limits>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/integrate/table_analysis.hpp"
#include "dashpot/math/largest_eigenvalue.hpp"

namespace dashpot {
namespace {

/// K and C at a state, and lumped masses over the free dofs.
struct Matrices {
  BlockMatrix K, C;
  Vector root_mass;  ///< square roots; 0: not free
};

Matrices matrices_of(const System& system, const State& state) {
  Matrices result{BlockMatrix(system.pattern()), BlockMatrix(system.pattern()), {}};
  BlockMatrix M(system.pattern());
  Workspace workspace = system.make_workspace();
  system.begin_step(state, workspace);
  const Vector zero = Vector::Zero(system.num_dofs());
  const StageState motion{state.q, zero, zero};
  std::vector<LowRank> low_rank;
  DynamicBlocks couplings;
  TangentRequest request;
  request.low_rank = &low_rank;
  request.couplings = &couplings;
  request.matrix = &result.K;
  evaluate_tangent(system, workspace, state.internal_variables, motion, {state.time, 0}, request,
                   DissipationSubset::without_impulsive);
  condense_tangent(system, request);
  low_rank.clear();
  request.matrix = &result.C;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    if (term.capabilities().impulsive != nullptr) continue;
    DissipationRequest damping{state.q, state.v, state.internal_variables[j], 0, workspace.dissipation[j].get()};
    damping.tangent = &result.C;
    damping.low_rank = &low_rank;
    damping.dv_scale = 1;
    damping.time = state.time;
    term.evaluate(damping);
  }
  condense_tangent(system, request);
  system.inertia().add_tangent(state.q, zero, zero, 1, 0, 0, M);
  if (!system.ties().empty()) system.ties().condense(M);
  Vector free = Vector::Zero(system.num_dofs()), mass(system.num_dofs());
  for (Eigen::Index i = 0; i < free.size(); ++i) free[i] = system.is_free()[static_cast<std::size_t>(i)] != 0 ? 1 : 0;
  M.multiply(free, mass);
  result.root_mass = mass.cwiseProduct(free).cwiseMax(0.0).cwiseSqrt();
  return result;
}

}  // namespace

ExplicitLimit explicit_limit(const System& system, const State& state, const Integrator& integrator) {
  const Matrices matrices = matrices_of(system, state);
  const double infinite = std::numeric_limits<double>::infinity();
  ExplicitLimit limit;
  limit.dt = limit.dt_without_filters = infinite;
  for (const auto& term : system.dissipations())
    limit.zeta_depends_on_speed |= !term->traits().linear_in_velocity && term->capabilities().impulsive == nullptr;
  const Vector start = matrices.root_mass.cwiseProduct(math::lanczos_start(matrices.root_mass.size()));
  Vector mode;
  const math::LargestEigenvalue highest = math::largest_eigenvalue(
      start, [&](const Vector& x, Vector& f) { matrices.K.multiply(x, f); },
      [&](const Vector& p, Vector& x) {
        x.setZero(p.size());
        for (Eigen::Index i = 0; i < p.size(); ++i)
          if (matrices.root_mass[i] > 0) x[i] = p[i] / (matrices.root_mass[i] * matrices.root_mass[i]);
      },
      {.tolerance = 1e-6, .max_steps = 60}, &mode);
  const double lambda = highest.value + highest.residual;
  if (!(lambda > 0)) return limit;
  limit.omega = std::sqrt(lambda);
  Vector force(mode.size());
  matrices.C.multiply(mode, force);
  limit.zeta = std::max(0.0, dot(system, mode, force) / (2 * limit.omega));
  limit.dt_without_filters = stability_limit(integrator, limit.zeta) / limit.omega;
  const FilteredLimit filtered = filtered_limit(system, state, matrices.K, 2 / limit.omega);
  limit.filters = filtered.kind;
  limit.dt = filtered.dt * (limit.dt_without_filters * limit.omega / 2);
  return limit;
}

}  // namespace dashpot
