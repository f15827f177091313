#include "dashpot/linsolve/linear_solver.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/coupled_direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

// Up to here a dense factor costs less than the bookkeeping of a sparse one, whatever the pattern.
constexpr int dense_system = 256;
// Below this many dofs a Cholesky factor fits in cache and costs less than the bookkeeping of choosing.
constexpr int small_system = 300;

void check_kind(LinearSolverKind kind, bool symmetric) {
  const bool needs_symmetry = kind != LinearSolverKind::automatic && kind != LinearSolverKind::lu;
  std::vector<Problem> problems;
  if (needs_symmetry && !symmetric)
    problems.push_back({"", fmt::format("linear solver '{}' for a non-symmetric system", to_string(kind)),
                        "'lu' or 'automatic'", "a damping model with a non-symmetric tangent needs LU"});
  if (kind == LinearSolverKind::cholmod && !has_suitesparse())
    problems.push_back({"", "linear solver 'cholmod', which was not compiled in", "'automatic' or 'eigen_cholesky'",
                        "configure with -DDASHPOT_SUITESPARSE=ON"});
  if (!problems.empty()) throw Error(std::move(problems));
}

void check_options(const LinearSolverOptions& options) {
  std::vector<Problem> problems;
  if (!(options.cg_tolerance > 0 && options.cg_tolerance < 1))
    problems.push_back(
        {"", fmt::format("cg_tolerance = {}", options.cg_tolerance), "0 < cg_tolerance < 1", "try 1e-8"});
  if (options.cg_max_iterations < 1)
    problems.push_back(
        {"", fmt::format("cg_max_iterations = {}", options.cg_max_iterations), "at least 1", "try 2000"});
  if (!problems.empty()) throw Error(std::move(problems));
}

std::unique_ptr<DirectSolver> make_cholesky() {
  return has_suitesparse() ? make_cholmod_solver() : make_eigen_cholesky_solver();
}
std::unique_ptr<DirectSolver> make_lu() { return has_suitesparse() ? make_umfpack_solver() : make_eigen_lu_solver(); }

}  // namespace

SolveStatus LinearSolver::factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) {
  if (couplings.empty()) return factorize(matrix);
  throw Error(Problem{"", fmt::format("the linear solver '{}' was given blocks outside its pattern", name()),
                      "a solver made by make_linear_solver()", "wrap it in a CoupledDirectSolver"});
}

std::string to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return "ok";
    case SolveStatus::not_positive_definite:
      return "not positive definite";
    case SolveStatus::singular:
      return "singular";
    case SolveStatus::not_converged:
      return "not converged";
    case SolveStatus::not_finite:
      return "not finite";
  }
  return "unknown";
}

std::string to_string(LinearSolverKind kind) {
  switch (kind) {
    case LinearSolverKind::automatic:
      return "automatic";
    case LinearSolverKind::cholmod:
      return "cholmod";
    case LinearSolverKind::conjugate_gradient:
      return "conjugate_gradient";
    case LinearSolverKind::lu:
      return "lu";
    case LinearSolverKind::eigen_cholesky:
      return "eigen_cholesky";
  }
  return "unknown";
}

std::unique_ptr<LinearSolver> make_linear_solver(const LinearSolverOptions& options, int num_dofs,
                                                 bool matrix_changes_each_solve, bool symmetric) {
  check_kind(options.kind, symmetric);
  check_options(options);
  const auto direct = [&](std::unique_ptr<DirectSolver> solver) {
    return std::make_unique<CoupledDirectSolver>(options, std::move(solver));
  };
  switch (options.kind) {
    case LinearSolverKind::cholmod:
      return direct(make_cholmod_solver());
    case LinearSolverKind::conjugate_gradient:
      return options.chains ? make_chain_conjugate_gradient(options) : make_conjugate_gradient_solver(options);
    case LinearSolverKind::lu:
      return direct(make_lu());
    case LinearSolverKind::eigen_cholesky:
      return direct(make_eigen_cholesky_solver());
    case LinearSolverKind::automatic:
      break;
  }
  if (num_dofs <= dense_system) return direct(symmetric ? make_dense_cholesky_solver() : make_dense_lu_solver());
  if (!symmetric) return direct(make_lu());
  if (!matrix_changes_each_solve || num_dofs <= small_system) return direct(make_cholesky());
  return make_adaptive_solver(options);
}

}  // namespace dashpot
