#include "dashpot/scene/explicit_step.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/math/largest_eigenvalue.hpp"

namespace dashpot {
namespace {

/// K and C at a state, and lumped masses over the free dofs.
struct Matrices {
  BlockMatrix K, with_damping;  ///< K and K + C
  Vector root_mass;             ///< square roots; 0: not free
};

Matrices matrices_of(const System& system, const State& state) {
  Matrices result{BlockMatrix(system.pattern()), BlockMatrix(system.pattern()), {}};
  BlockMatrix M(system.pattern());
  Workspace workspace = system.make_workspace();
  system.begin_step(state, workspace);
  const Vector zero = Vector::Zero(system.num_dofs());
  const Motion motion{state.q, zero, zero};
  std::vector<LowRank> low_rank;
  DynamicBlocks couplings;
  TangentRequest request;
  request.low_rank = &low_rank;
  request.couplings = &couplings;
  for (BlockMatrix* matrix : {&result.K, &result.with_damping}) {
    request.matrix = matrix;
    request.v1 = matrix == &result.K ? 0 : 1;
    evaluate_tangent(system, workspace, state.memory, motion, {state.time, 0}, request, Losses::without_impulsive);
    fold_tangent(system, request);
  }
  system.inertia().add_tangent(state.q, zero, zero, 1, 0, 0, M);
  if (!system.ties().empty()) system.ties().fold(M);
  Vector free = Vector::Zero(system.num_dofs()), mass(system.num_dofs());
  for (Eigen::Index i = 0; i < free.size(); ++i) free[i] = system.is_free()[static_cast<std::size_t>(i)] != 0 ? 1 : 0;
  M.multiply(free, mass);
  result.root_mass = mass.cwiseProduct(free).cwiseMax(0.0).cwiseSqrt();
  return result;
}

}  // namespace

double stable_angle(StepperKind kind, double zeta) {
  if (kind == StepperKind::symplectic_euler) return 2 * (std::sqrt(1 + zeta * zeta) - zeta);
  // One step of (q, v, a) with w = 1: q' = q + x v + x^2/2 a, a' = -q' - 2 z (v + x a), v' = v + x/2 (a + a').
  double good = 0;
  for (double x = 0.01; x <= 2.0001; x += 0.01) {
    Mat3 step;
    step.row(0) << 1, x, x * x / 2;
    step.row(2) = -step.row(0) - 2 * zeta * Eigen::RowVector3d(0, 1, x);
    step.row(1) = Eigen::RowVector3d(0, 1, x / 2) + x / 2 * step.row(2);
    if (Eigen::EigenSolver<Mat3>(step, false).eigenvalues().cwiseAbs().maxCoeff() > 1 + 1e-6) break;
    good = x;
  }
  return good;
}

ExplicitLimit explicit_limit(const System& system, const State& state, StepperKind kind) {
  const Matrices matrices = matrices_of(system, state);
  const double infinite = std::numeric_limits<double>::infinity();
  ExplicitLimit limit{0, 0, infinite, infinite};
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
  Vector force(mode.size()), stiff(mode.size());
  matrices.with_damping.multiply(mode, force);
  matrices.K.multiply(mode, stiff);
  limit.zeta = std::max(0.0, mode.dot(force - stiff) / (2 * limit.omega));
  limit.dt_without_filters = stable_angle(kind, limit.zeta) / limit.omega;
  const FilteredLimit filtered = filtered_limit(system, state, matrices.K, 2 / limit.omega);
  limit.filters = filtered.kind;
  limit.dt = filtered.dt * (limit.dt_without_filters * limit.omega / 2);
  return limit;
}

}  // namespace dashpot
