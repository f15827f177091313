// Supernodal Cholesky A = L L^T (CHOLMOD) in a METIS nested-dissection order of the block graph. The analysis is kept
// for all matrices of one pattern. [Chen2008]
#include "dashpot/linsolve/solvers.hpp"

#ifdef DASHPOT_HAS_SUITESPARSE

#include <cholmod.h>

#include <algorithm>

#include "dashpot/linsolve/blas_threads.hpp"
#include "dashpot/linsolve/cholmod_calls.hpp"
#include "dashpot/linsolve/direct_solver.hpp"

namespace dashpot {
namespace {

constexpr const char* remedy = "use the solver conjugate_gradient";

class CholmodSolver final : public DirectSolver {
 public:
  CholmodSolver() : DirectSolver(true) { start_supernodal(CHOLMOD_GIVEN, common_); }
  ~CholmodSolver() override {
    release();
    cholmod_finish(&common_);
  }
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  std::string name() const override { return "cholmod"; }
  std::size_t factor_bytes() const override {
    return factor_ ? factor_->xsize * sizeof(double) + factor_->ssize * sizeof(int) : 0;
  }
  double factor_operations() const override { return common_.fl; }
  double factor_entries() const override { return common_.lnz; }

 protected:
  void order(const BlockPattern& pattern, const FreeDofs& dofs, const FreeRows& rows) override {
    const OneBlasThread one_thread;
    release();
    std::vector<int> permutation = dof_order(pattern, dofs);
    cholmod_sparse A = view_of(rows.start(), rows.index(), -1, nullptr);
    factor_ = cholmod_analyze_p(&A, permutation.data(), nullptr, 0, &common_);
    if (!factor_) fail_cholmod("order", common_, remedy);
  }

  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    const OneBlasThread one_thread;
    cholmod_sparse A = view_of(rows.start(), rows.index(), -1, values.data());
    return factorize_supernodal(A, factor_, common_, remedy);
  }

  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    const OneBlasThread one_thread;
    cholmod_dense B{};
    B.nrow = B.d = static_cast<std::size_t>(b.rows());
    B.ncol = static_cast<std::size_t>(b.cols());
    B.nzmax = static_cast<std::size_t>(b.size());
    B.x = const_cast<double*>(b.data());
    B.xtype = CHOLMOD_REAL;
    B.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor_, &B, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_))
      fail_cholmod("solve", common_, remedy);
    x = Eigen::Map<const Matrix>(static_cast<const double*>(solution_->x), b.rows(), b.cols());
    return SolveStatus::ok;
  }

 private:
  /// METIS on the graph of blocks, then each block's free dofs in turn: a ninth of the graph of dofs for b = 3.
  std::vector<int> dof_order(const BlockPattern& pattern, const FreeDofs& dofs) {
    std::vector<int> block_order(static_cast<std::size_t>(pattern.num_blocks()));
    // Symmetric: only the upper triangle is read.
    cholmod_sparse graph = view_of(pattern.row_start(), pattern.column(), 1, nullptr);
    if (!cholmod_metis(&graph, nullptr, 0, 1, block_order.data(), &common_)) fail_cholmod("order", common_, remedy);
    std::vector<int> permutation;
    permutation.reserve(dofs.to_dof.size());
    const DofLayout& layout = pattern.layout();
    for (const int block : block_order)
      for (int dof = layout.offset(block); dof < layout.offset(block + 1); ++dof) {
        const int free = dofs.to_free[static_cast<std::size_t>(dof)];
        if (free >= 0) permutation.push_back(free);
      }
    return permutation;
  }

  void release() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&work_y_, &common_);
    cholmod_free_dense(&work_e_, &common_);
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

}  // namespace

bool has_suitesparse() { return true; }
std::unique_ptr<DirectSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

}  // namespace dashpot

#else

namespace dashpot {

bool has_suitesparse() { return false; }
std::unique_ptr<DirectSolver> make_cholmod_solver() { return nullptr; }

}  // namespace dashpot

#endif
