#include "dashpot/linsolve/cholmod_calls.hpp"

#ifdef DASHPOT_HAS_SUITESPARSE

#include <cholmod.h>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

void start_supernodal(int ordering, cholmod_common& common) {
  cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.final_ll = 1;
  common.nmethods = 1;
  common.method[0].ordering = ordering;
  common.quick_return_if_not_posdef = 1;
}

cholmod_sparse view_of(const std::vector<int>& start, const std::vector<int>& index, int stype, double* values) {
  cholmod_sparse A{};
  A.nrow = A.ncol = start.size() - 1;
  A.nzmax = index.size();
  A.p = const_cast<int*>(start.data());
  A.i = const_cast<int*>(index.data());
  A.x = values;
  A.stype = stype;
  A.itype = CHOLMOD_INT;
  A.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = 1;
  A.packed = 1;
  return A;
}

SolveStatus factorize_supernodal(cholmod_sparse& A, cholmod_factor* factor, cholmod_common& common,
                                 const char* remedy) {
  const int ok = cholmod_factorize(&A, factor, &common);
  if (common.status == CHOLMOD_NOT_POSDEF || (ok && factor->minor < factor->n))
    return SolveStatus::not_positive_definite;
  if (!ok || common.status < CHOLMOD_OK) fail_cholmod("factorize", common, remedy);
  return SolveStatus::ok;
}

void fail_cholmod(const char* what, const cholmod_common& common, const char* remedy) {
  const bool memory = common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE;
  throw Error(Problem{"", fmt::format("CHOLMOD could not {} (status {})", what, common.status),
                      memory ? "enough memory for the factor" : "a symmetric matrix", remedy});
}

}  // namespace dashpot

#endif
