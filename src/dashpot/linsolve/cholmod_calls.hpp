#pragma once
// What our uses of CHOLMOD share [Chen2008]: supernodal Cholesky A = L L^T, silent, in one ordering. Its structs are
// only named here, so that its header stays in .cpp files. Built with SuiteSparse only.

#include <vector>

#include "dashpot/linsolve/linear_solver.hpp"

struct cholmod_common_struct;
struct cholmod_factor_struct;
struct cholmod_sparse_struct;

namespace dashpot {

/// `ordering`: CHOLMOD_GIVEN or CHOLMOD_METIS.
void start_supernodal(int ordering, cholmod_common_struct& common);

/// A square matrix, compressed by columns, that points into our arrays; stype -1: lower triangle, 1: upper. Without
/// values it is a pattern.
cholmod_sparse_struct view_of(const std::vector<int>& start, const std::vector<int>& index, int stype, double* values);

/// ok or not_positive_definite; everything else throws.
SolveStatus factorize_supernodal(cholmod_sparse_struct& A, cholmod_factor_struct* factor, cholmod_common_struct& common,
                                 const char* remedy);

/// Throws dashpot::Error: CHOLMOD could not `what`.
[[noreturn]] void fail_cholmod(const char* what, const cholmod_common_struct& common, const char* remedy);

}  // namespace dashpot
