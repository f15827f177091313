// General sparse LU with partial pivoting (UMFPACK) for non-symmetric and indefinite systems. Our rows are UMFPACK's
// columns, so it factors A^T and solves with its transpose. [Davis2004]
#include "dashpot/linsolve/solvers.hpp"

#ifdef DASHPOT_HAS_SUITESPARSE

#include <umfpack.h>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/blas_threads.hpp"
#include "dashpot/linsolve/direct_solver.hpp"

namespace dashpot {
namespace {

class UmfpackSolver final : public DirectSolver {
 public:
  UmfpackSolver() : DirectSolver(false) {
    umfpack_di_defaults(control_);
    control_[UMFPACK_PRL] = 0;
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;  // the pattern is symmetric whatever the values are
    control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
  }
  ~UmfpackSolver() override { release(); }
  UmfpackSolver(const UmfpackSolver&) = delete;
  UmfpackSolver& operator=(const UmfpackSolver&) = delete;

  std::string name() const override { return "umfpack"; }
  bool handles_nonsymmetric() const override { return true; }
  std::size_t factor_bytes() const override { return factor_bytes_; }

 protected:
  void order(const BlockPattern&, const FreeDofs&, const FreeRows& rows) override {
    const OneBlasThread one_thread;
    release();
    const int status = umfpack_di_symbolic(rows.size(), rows.size(), rows.start().data(), rows.index().data(), nullptr,
                                           &symbolic_, control_, nullptr);
    if (status != UMFPACK_OK) fail("order", status);
  }

  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    const OneBlasThread one_thread;
    umfpack_di_free_numeric(&numeric_);
    rows_ = &rows;
    values_ = &values;
    double info[UMFPACK_INFO];
    const int status = umfpack_di_numeric(rows.start().data(), rows.index().data(), values.data(), symbolic_, &numeric_,
                                          control_, info);
    factor_bytes_ = static_cast<std::size_t>(info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT]);
    if (status == UMFPACK_WARNING_singular_matrix) return SolveStatus::singular;
    if (status != UMFPACK_OK) fail("factorize", status);
    return SolveStatus::ok;
  }

  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    const OneBlasThread one_thread;
    x.resize(b.rows(), b.cols());
    for (Eigen::Index k = 0; k < b.cols(); ++k) {
      const int status = umfpack_di_solve(UMFPACK_Aat, rows_->start().data(), rows_->index().data(), values_->data(),
                                          x.col(k).data(), b.col(k).data(), numeric_, control_, nullptr);
      if (status == UMFPACK_WARNING_singular_matrix) return SolveStatus::singular;
      if (status != UMFPACK_OK) fail("solve", status);
    }
    return SolveStatus::ok;
  }

 private:
  [[noreturn]] static void fail(const char* what, int status) {
    const bool memory = status == UMFPACK_ERROR_out_of_memory;
    throw Error(Problem{"", fmt::format("UMFPACK could not {} (status {})", what, status),
                        memory ? "enough memory for the factor" : "a square matrix", "use a coarser mesh"});
  }

  void release() {
    umfpack_di_free_symbolic(&symbolic_);
    umfpack_di_free_numeric(&numeric_);
  }

  double control_[UMFPACK_CONTROL];
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  const FreeRows* rows_ = nullptr;  // of the base class, which outlives the factor
  const std::vector<double>* values_ = nullptr;
  std::size_t factor_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DirectSolver> make_umfpack_solver() { return std::make_unique<UmfpackSolver>(); }

}  // namespace dashpot

#else

namespace dashpot {

std::unique_ptr<DirectSolver> make_umfpack_solver() { return nullptr; }

}  // namespace dashpot

#endif
