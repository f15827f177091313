// Eigen's simplicial Cholesky and supernodal LU: slower than SuiteSparse (9-20 times in our measurements) but always
// there, and free of its license.
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "dashpot/linsolve/direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using SparseView = Eigen::Map<const Sparse>;

SparseView view(const FreeRows& rows, const double* values) {
  return {rows.size(), rows.size(), rows.num_entries(), rows.start().data(), rows.index().data(), values};
}

class EigenCholesky final : public DirectSolver {
 public:
  EigenCholesky() : DirectSolver(true) {}
  std::string name() const override { return "eigen_cholesky"; }
  std::size_t factor_bytes() const override { return factor_bytes_; }

 protected:
  void order(const BlockPattern&, const FreeDofs&, const FreeRows& rows) override {
    const std::vector<double> ones(static_cast<std::size_t>(rows.num_entries()), 1.0);
    llt_.analyzePattern(Sparse(view(rows, ones.data())));
  }
  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    llt_.factorize(Sparse(view(rows, values.data())));
    if (llt_.info() != Eigen::Success) return SolveStatus::not_positive_definite;
    const Sparse& L = llt_.matrixL().nestedExpression();
    factor_bytes_ = static_cast<std::size_t>(L.nonZeros()) * (sizeof(double) + sizeof(int));
    return SolveStatus::ok;
  }
  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    x = llt_.solve(b);
    return SolveStatus::ok;
  }

 private:
  Eigen::SimplicialLLT<Sparse, Eigen::Lower> llt_;
  std::size_t factor_bytes_ = 0;
};

class EigenLu final : public DirectSolver {
 public:
  EigenLu() : DirectSolver(false) {}
  std::string name() const override { return "eigen_lu"; }
  bool handles_nonsymmetric() const override { return true; }
  std::size_t factor_bytes() const override { return factor_bytes_; }

 protected:
  void order(const BlockPattern&, const FreeDofs&, const FreeRows& rows) override {
    const std::vector<double> ones(static_cast<std::size_t>(rows.num_entries()), 1.0);
    lu_.analyzePattern(Sparse(view(rows, ones.data())));
  }
  SolveStatus factor(const FreeRows& rows, std::vector<double>& values) override {
    lu_.factorize(Sparse(Sparse(view(rows, values.data())).transpose()));  // our rows are Eigen's columns
    if (lu_.info() != Eigen::Success) return SolveStatus::singular;
    factor_bytes_ = static_cast<std::size_t>(lu_.nnzL() + lu_.nnzU()) * (sizeof(double) + sizeof(int));
    return SolveStatus::ok;
  }
  SolveStatus substitute(const Matrix& b, Matrix& x) override {
    x = lu_.solve(b);
    return lu_.info() == Eigen::Success ? SolveStatus::ok : SolveStatus::singular;
  }

 private:
  Eigen::SparseLU<Sparse> lu_;
  std::size_t factor_bytes_ = 0;
};

}  // namespace

std::unique_ptr<DirectSolver> make_eigen_cholesky_solver() { return std::make_unique<EigenCholesky>(); }
std::unique_ptr<DirectSolver> make_eigen_lu_solver() { return std::make_unique<EigenLu>(); }

}  // namespace dashpot
