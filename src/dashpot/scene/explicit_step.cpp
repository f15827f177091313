#include "dashpot/scene/explicit_step.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dashpot/integrate/balance.hpp"

namespace dashpot {
namespace {

constexpr int lanczos_steps = 60;

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
    evaluate_tangent(system, workspace, state.memory, motion, {state.time, 0}, request);
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

/// M^-1/2 A M^-1/2 y over the free dofs.
Vector apply(const BlockMatrix& A, const Vector& root_mass, const Vector& y) {
  const auto scaled = [&](const Vector& x) {
    Vector result = Vector::Zero(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (root_mass[i] > 0) result[i] = x[i] / root_mass[i];
    return result;
  };
  Vector product(y.size());
  A.multiply(scaled(y), product);
  return scaled(product);
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
  const Eigen::Index n = matrices.root_mass.size();
  Matrix basis(n, lanczos_steps + 1);
  Vector start(n);
  double seed = 0.5;
  for (Eigen::Index i = 0; i < n; ++i) {  // any vector without symmetry
    seed = std::fmod(seed * 997.0 + 0.1234567, 1.0);
    start[i] = matrices.root_mass[i] > 0 ? seed - 0.5 : 0;
  }
  ExplicitLimit limit{0, 0, std::numeric_limits<double>::infinity()};
  if (start.norm() == 0) return limit;
  basis.col(0) = start.normalized();
  Vector diagonal(lanczos_steps), beside(lanczos_steps);
  int steps = 0;
  for (; steps < lanczos_steps; ++steps) {
    Vector next = apply(matrices.K, matrices.root_mass, basis.col(steps));
    diagonal[steps] = next.dot(basis.col(steps));
    for (int pass = 0; pass < 2; ++pass)  // against all earlier ones: the basis stays orthogonal to round-off
      next -= basis.leftCols(steps + 1) * (basis.leftCols(steps + 1).transpose() * next);
    beside[steps] = next.norm();
    if (!(beside[steps] > 1e-12 * std::abs(diagonal[0]))) {
      ++steps;
      break;
    }
    basis.col(steps + 1) = next / beside[steps];
  }
  Eigen::SelfAdjointEigenSolver<Matrix> small;
  small.computeFromTridiagonal(diagonal.head(steps), beside.head(steps - 1));
  const Vector shape = small.eigenvectors().col(steps - 1);
  const double lambda = small.eigenvalues()[steps - 1] + std::abs(beside[steps - 1] * shape[steps - 1]);
  if (!(lambda > 0)) return limit;
  const Vector mode = basis.leftCols(steps) * shape;
  limit.omega = std::sqrt(lambda);
  const double damping = mode.dot(apply(matrices.with_damping, matrices.root_mass, mode)) -
                         mode.dot(apply(matrices.K, matrices.root_mass, mode));
  limit.zeta = std::max(0.0, damping / (2 * limit.omega));
  limit.dt = stable_angle(kind, limit.zeta) / limit.omega;
  return limit;
}

}  // namespace dashpot
