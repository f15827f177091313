#pragma once
// The concrete solvers, for make_linear_solver(); everybody else asks for one by LinearSolverOptions.

#include <memory>

#include "dashpot/linsolve/direct_solver.hpp"

namespace dashpot {

/// Whether CHOLMOD and UMFPACK were compiled in.
bool has_suitesparse();

std::unique_ptr<DirectSolver> make_cholmod_solver();  ///< null without SuiteSparse
std::unique_ptr<DirectSolver> make_umfpack_solver();  ///< null without SuiteSparse
std::unique_ptr<DirectSolver> make_eigen_cholesky_solver();
std::unique_ptr<DirectSolver> make_eigen_lu_solver();
std::unique_ptr<DirectSolver> make_dense_cholesky_solver();
std::unique_ptr<DirectSolver> make_dense_lu_solver();
std::unique_ptr<LinearSolver> make_conjugate_gradient_solver(const LinearSolverOptions& options);
std::unique_ptr<LinearSolver> make_chain_conjugate_gradient(const LinearSolverOptions& options);
std::unique_ptr<LinearSolver> make_adaptive_solver(const LinearSolverOptions& options);

}  // namespace dashpot
