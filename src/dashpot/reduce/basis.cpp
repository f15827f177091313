#include "dashpot/reduce/basis.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/modes/system_modes.hpp"

namespace dashpot {
namespace {

constexpr double smallest_share = 1e-12;  // of the squares; Gram matrices see no less

void check_system(const System& system) {
  std::vector<Problem> problems;
  if (system.has_moving_constraints())
    problems.push_back({"", "a support that moves", "nodes held where they are",
                        "a linear subspace cannot follow a moving support: simulate in full"});
  if (!system.ties().empty())
    problems.push_back({"", "attachments", "bodies without attachments", "simulate in full, or mesh them as one body"});
  if (!system.inertia().is_constant())
    problems.push_back({"", "a mass that depends on the position", "nodes with constant mass", ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

/// M A, column by column.
Matrix mass_times(const System& system, const Matrix& A) {
  const Vector zero = Vector::Zero(system.num_dofs());
  Matrix result(A.rows(), A.cols());
  Vector column(A.rows());
  for (Eigen::Index i = 0; i < A.cols(); ++i) {
    column.setZero();
    system.inertia().add_force(system.rest(), zero, A.col(i), column);
    result.col(i) = column;
  }
  return result;
}

void clear_prescribed(const System& system, Matrix& A) {
  for (int i = 0; i < system.num_dofs(); ++i)
    if (!system.is_free()[static_cast<std::size_t>(i)]) A.row(i).setZero();
}

/// Columns of A made M-orthonormal among themselves and to what is already in `basis`, twice over for round-off;
/// columns that vanish are dropped.
void append_orthonormal(const System& system, const Matrix& A, Matrix& basis, Matrix& weighted) {
  for (Eigen::Index i = 0; i < A.cols(); ++i) {
    Matrix column = A.col(i), heavy = mass_times(system, column);
    const double before = std::sqrt(column.col(0).dot(heavy.col(0)));
    for (int pass = 0; pass < 2 && basis.cols() > 0; ++pass) {
      column -= basis * (weighted.transpose() * column);
      heavy = mass_times(system, column);
    }
    const double after = std::sqrt(std::max(0.0, column.col(0).dot(heavy.col(0))));
    if (!(after > 1e-10 * before)) continue;
    basis.conservativeResize(A.rows(), basis.cols() + 1);
    weighted.conservativeResize(A.rows(), weighted.cols() + 1);
    basis.rightCols(1) = column / after;
    weighted.rightCols(1) = heavy / after;
  }
}

/// The `count` principal directions of the columns of A in the norm of M, largest first, and the share of squares kept.
Matrix principal_directions(const System& system, const Matrix& A, int count, double& captured) {
  const Matrix gram = A.transpose() * mass_times(system, A);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (gram + gram.transpose()));
  const double total = eigen.eigenvalues().cwiseMax(0).sum();
  Matrix directions(A.rows(), 0);
  double kept = 0;
  for (Eigen::Index i = gram.cols() - 1; i >= 0 && directions.cols() < count; --i) {
    if (!(eigen.eigenvalues()[i] > smallest_share * total)) break;
    kept += eigen.eigenvalues()[i];
    directions.conservativeResize(A.rows(), directions.cols() + 1);
    directions.rightCols(1) = A * eigen.eigenvectors().col(i) / std::sqrt(eigen.eigenvalues()[i]);
  }
  captured = total > 0 ? std::min(1.0, kept / total) : 1;
  return directions;
}

void add_tangent(const System& system, const Vector& q, double scale, BlockMatrix& K) {
  EnergyRequest request{q};
  request.hessian = &K;
  request.hessian_scale = scale;
  for (const auto& energy : system.energies()) energy->evaluate(request);
}

/// Solves K psi_ij = -(dK/dq : phi_j) phi_i for all i <= j, weighted; empty when stopped.
Matrix modal_derivatives(const System& system, const State& rest, const ModesResult& modes,
                         const PrecomputeHooks& hooks) {
  const int k = modes.size();
  BlockMatrix K(system.pattern());
  add_tangent(system, rest.q, 1, K);
  const auto solver = make_linear_solver({}, system.num_dofs(), false, true);
  solver->analyze(system.pattern(), system.is_free());
  if (solver->factorize(K) != SolveStatus::ok)
    throw Error(Problem{"", "the stiffness at rest is not positive definite", "a body that is held and stable at rest",
                        "pin the body, or remove loads that make it buckle"});
  // A step of a hundredth of the body: exact for St. Venant-Kirchhoff at any length, second order otherwise.
  const Vec3 low = Eigen::Map<const Eigen::Matrix3Xd>(rest.q.data(), 3, rest.q.size() / 3).rowwise().minCoeff();
  const Vec3 high = Eigen::Map<const Eigen::Matrix3Xd>(rest.q.data(), 3, rest.q.size() / 3).rowwise().maxCoeff();
  Matrix derivatives(system.num_dofs(), k * (k + 1) / 2), right(system.num_dofs(), k), solved(system.num_dofs(), k);
  BlockMatrix dK(system.pattern());
  Eigen::Index column = 0;
  for (int j = 0; j < k; ++j) {
    if (hooks.stopped()) return {};
    hooks.report("modal derivatives", static_cast<double>(j) / k);
    const double eps = 0.01 * (high - low).norm() / modes.shapes.col(j).cwiseAbs().maxCoeff();
    dK.set_zero();
    add_tangent(system, rest.q + eps * modes.shapes.col(j), -0.5 / eps, dK);
    add_tangent(system, rest.q - eps * modes.shapes.col(j), 0.5 / eps, dK);
    for (int i = 0; i <= j; ++i) dK.multiply(modes.shapes.col(i), right.col(i));
    const SolveReport report = solver->solve(right.leftCols(j + 1), solved.leftCols(j + 1));
    if (report.status != SolveStatus::ok)
      throw Error(Problem{"", "a modal derivative could not be solved for: " + to_string(report.status),
                          "a body that is held", ""});
    for (int i = 0; i <= j; ++i)
      derivatives.col(column++) =
          solved.col(i) * (modes.lambda[0] * modes.lambda[0] / (modes.lambda[i] * modes.lambda[j]));
  }
  return derivatives;
}

}  // namespace

void ModalBasisOptions::check() const {
  std::vector<Problem> problems;
  if (num_modes < 1)
    problems.push_back({"", fmt::format("{} modes", num_modes), "at least 1", "20 modes are a good beginning"});
  if (size < num_modes)
    problems.push_back({"", fmt::format("a basis of {} vectors for {} modes", size, num_modes),
                        "at least as many vectors as modes", "20 modes and 74 vectors are a good beginning"});
  if (!problems.empty()) throw Error(std::move(problems));
}

std::optional<ReducedBasis> modal_basis(const System& system, const ModalBasisOptions& options,
                                        const PrecomputeHooks& hooks) {
  options.check();
  check_system(system);
  hooks.report("vibration modes", 0);
  const State rest = system.initial_state();
  ModesOptions wanted;
  wanted.num_modes = options.num_modes;
  const ModesResult modes = system_modes(system, rest, wanted);
  if (modes.num_rigid > 0 || modes.num_unstable > 0)
    throw Error(Problem{"", fmt::format("{} rigid and {} unstable motions", modes.num_rigid, modes.num_unstable),
                        "a body that is held by pins",
                        "a linear subspace cannot follow large rotations: pin the body, or simulate it in full"});
  if (hooks.stopped()) return std::nullopt;
  ReducedBasis basis;
  basis.origin = "modes";
  basis.rest = rest.q;
  basis.frequencies = modes.frequencies;
  append_orthonormal(system, modes.shapes, basis.shapes, basis.weighted);
  const int more = options.size - basis.size();
  if (more > 0) {
    Matrix derivatives = modal_derivatives(system, rest, modes, hooks);
    if (derivatives.cols() == 0) return std::nullopt;
    clear_prescribed(system, derivatives);
    derivatives -= basis.shapes * (basis.weighted.transpose() * derivatives);
    const Matrix directions = principal_directions(system, derivatives, more, basis.captured);
    append_orthonormal(system, directions, basis.shapes, basis.weighted);
    if (directions.cols() > 0) basis.origin = "modes and derivatives";
  }
  hooks.report("reduced basis", 1);
  return basis;
}

ReducedBasis pod_basis(const System& system, const Matrix& displacements, int size) {
  check_system(system);
  if (displacements.rows() != system.num_dofs() || size < 1)
    throw Error(Problem{"", fmt::format("displacements of {} dofs for a basis of {}", displacements.rows(), size),
                        fmt::format("{} dofs and at least one vector", system.num_dofs()), ""});
  ReducedBasis basis;
  basis.origin = "pod";
  basis.rest = system.initial_state().q;
  Matrix moves = displacements;
  clear_prescribed(system, moves);
  append_orthonormal(system, principal_directions(system, moves, size, basis.captured), basis.shapes, basis.weighted);
  if (basis.size() == 0)
    throw Error(Problem{"", "displacements that are all zero", "a run in which something moves", ""});
  return basis;
}

void extend_basis(const System& system, const Matrix& displacements, ReducedBasis& basis) {
  Matrix moves = displacements;
  clear_prescribed(system, moves);
  append_orthonormal(system, moves, basis.shapes, basis.weighted);
}

}  // namespace dashpot
