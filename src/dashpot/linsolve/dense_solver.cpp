// Dense Cholesky and LU for small systems: reduced models, and bodies of a few nodes, where the bookkeeping of a sparse
// factorization costs more than the zeros.
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "dashpot/linsolve/direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

/// Our compressed rows as the lower triangle (symmetric) or the transpose of a dense matrix.
void spread(const FreeRows& rows, const std::vector<double>& values, Matrix& A) {
  A.setZero(rows.size(), rows.size());
  for (int i = 0; i < rows.size(); ++i)
    for (int k = rows.start()[static_cast<std::size_t>(i)]; k < rows.start()[static_cast<std::size_t>(i) + 1]; ++k)
      A(rows.index()[static_cast<std::size_t>(k)], i) = values[static_cast<std::size_t>(k)];
}

class DenseCholesky final : public DirectSolver {
 public:
  DenseCholesky() : DirectSolver(true) {}
  std::string name() const override { return "dense_cholesky"; }
  std::size_t factor_bytes() const override { return static_cast<std::size_t>(A_.size()) * sizeof(double); }

 protected:
  void order(const BlockPattern&, const FreeDofs&, const FreeRows&) override {}
  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    spread(rows, values, A_);
    llt_.compute(A_);
    return llt_.info() == Eigen::Success ? SolveStatus::ok : SolveStatus::not_positive_definite;
  }
  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    x = b;
    llt_.solveInPlace(x);
    return SolveStatus::ok;
  }

 private:
  Matrix A_;
  Eigen::LLT<Matrix, Eigen::Lower> llt_;
};

class DenseLu final : public DirectSolver {
 public:
  DenseLu() : DirectSolver(false) {}
  std::string name() const override { return "dense_lu"; }
  bool handles_nonsymmetric() const override { return true; }
  std::size_t factor_bytes() const override { return static_cast<std::size_t>(A_.size()) * sizeof(double); }

 protected:
  void order(const BlockPattern&, const FreeDofs&, const FreeRows&) override {}
  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    spread(rows, values, A_);
    lu_.compute(A_.transpose());
    const bool regular = lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
    return regular ? SolveStatus::ok : SolveStatus::singular;
  }
  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    x = lu_.solve(b);
    return SolveStatus::ok;
  }

 private:
  Matrix A_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace

std::unique_ptr<DirectSolver> make_dense_cholesky_solver() { return std::make_unique<DenseCholesky>(); }
std::unique_ptr<DirectSolver> make_dense_lu_solver() { return std::make_unique<DenseLu>(); }

}  // namespace dashpot
