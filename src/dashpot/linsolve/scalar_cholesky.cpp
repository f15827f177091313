#include "dashpot/linsolve/scalar_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#ifdef DASHPOT_HAS_SUITESPARSE
#include <cholmod.h>
#else
#include <Eigen/SparseCholesky>
#endif

#include <Eigen/Core>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/blas_threads.hpp"
#include "dashpot/linsolve/cholmod_calls.hpp"
#include "dashpot/linsolve/supernodal_solve.hpp"

namespace dashpot {

/// Lower triangle of the matrix over the free blocks, by columns.
struct ScalarCholesky::LowerTriangle {
  std::vector<int> start, index, slot;  ///< slot: where the value comes from
  std::vector<int> block_of;            ///< free blocks in order
  std::vector<double> values;

  LowerTriangle() = default;
  LowerTriangle(const BlockPattern& pattern, const std::vector<std::uint8_t>& block_is_free) : start{0} {
    std::vector<int> row(at(pattern.num_blocks()), -1);
    for (int block = 0; block < pattern.num_blocks(); ++block)
      if (block_is_free[at(block)]) {
        row[at(block)] = static_cast<int>(block_of.size());
        block_of.push_back(block);
      }
    for (const int block : block_of) {  // a row of the upper triangle is a column of the lower one
      for (int s = pattern.diagonal_slot(block); s < pattern.row_start()[at(block) + 1]; ++s) {
        const int other = row[at(pattern.column()[at(s)])];
        if (other < 0) continue;
        index.push_back(other);
        slot.push_back(s);
      }
      start.push_back(static_cast<int>(index.size()));
    }
    values.resize(index.size());
  }
  int size() const { return static_cast<int>(block_of.size()); }
  /// Returns false when a value is not finite.
  bool take(const std::vector<double>& of_slot) {
    double sum = 0;
    for (std::size_t k = 0; k < slot.size(); ++k) {
      values[k] = of_slot[at(slot[k])];
      sum += 0 * values[k];
    }
    return sum == 0;
  }
};

#ifdef DASHPOT_HAS_SUITESPARSE

struct ScalarCholesky::Impl {
  LowerTriangle lower;
  SupernodalSolve sweeps;
  int num_blocks = 0;
  SolveStatus status = SolveStatus::singular;  ///< nothing factorized yet

  Impl() { start_supernodal(CHOLMOD_METIS, common_); }
  ~Impl() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void analyze() {
    const OneBlasThread one_thread;
    cholmod_free_factor(&factor_, &common_);
    SupernodalStructure structure{{0}, {0}, {}, {}};
    if (lower.size() > 0) {
      cholmod_sparse A = view(nullptr);
      factor_ = cholmod_analyze(&A, &common_);
      if (!factor_) fail_cholmod("order", common_, remedy);
      // The structure of the supernodes is part of the analysis; values come with factorize().
      const int count = static_cast<int>(factor_->nsuper);
      const int *super = static_cast<const int*>(factor_->super), *start = static_cast<const int*>(factor_->pi),
                *rows = static_cast<const int*>(factor_->s), *order = static_cast<const int*>(factor_->Perm);
      structure.first_column.assign(super, super + count + 1);
      structure.row_start.assign(start, start + count + 1);
      structure.rows.assign(rows, rows + start[count]);
      for (int k = 0; k < lower.size(); ++k) structure.block_of.push_back(lower.block_of[at(order[k])]);
    }
    sweeps.analyze(structure, num_blocks);
  }

  SolveStatus factorize() {
    if (lower.size() == 0) return SolveStatus::ok;
    const OneBlasThread one_thread;
    cholmod_sparse A = view(lower.values.data());
    const SolveStatus done = factorize_supernodal(A, factor_, common_, remedy);
    if (done != SolveStatus::ok) return done;
    parallel_for(sweeps.num_supernodes(), 16, [&](int begin, int end) {
      for (int s = begin; s < end; ++s) fill_panel(s);
    });
    return SolveStatus::ok;
  }

  void solve(const double* b, double* x) { sweeps.solve(b, x); }
  std::size_t entries() const { return sweeps.num_entries(); }

 private:
  cholmod_sparse view(double* values) const { return view_of(lower.start, lower.index, -1, values); }

  /// [L1^-1; -L2 L1^-1] from CHOLMOD's [L1; L2], whose upper triangle is not defined.
  void fill_panel(int s) {
    using Strided = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
    const SupernodalSolve::Panel to = sweeps.panel(s);
    const Eigen::Index n = to.columns, below = to.rows - to.columns;
    double* from = static_cast<double*>(factor_->x) + static_cast<const int*>(factor_->px)[s];
    const Strided L(from, to.rows, n, Eigen::OuterStride<>(to.rows));
    Strided P(to.values, to.rows, n, Eigen::OuterStride<>(to.ld));
    P.topRows(n).setIdentity();
    L.topRows(n).triangularView<Eigen::Lower>().solveInPlace(P.topRows(n));
    if (below > 0) P.bottomRows(below).noalias() = -(L.bottomRows(below) * P.topRows(n));
  }

  static constexpr const char* remedy = "use fewer elements";
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
};

#else

struct ScalarCholesky::Impl {
  LowerTriangle lower;
  SupernodalSolve sweeps;  ///< stays empty
  int num_blocks = 0;
  SolveStatus status = SolveStatus::singular;  ///< nothing factorized yet

  void analyze() {
    if (lower.size() > 0) llt_.analyzePattern(view());
  }
  SolveStatus factorize() {
    if (lower.size() == 0) return SolveStatus::ok;
    llt_.factorize(view());
    return llt_.info() == Eigen::Success ? SolveStatus::ok : SolveStatus::not_positive_definite;
  }
  void solve(const double* b, double* x) {
    Eigen::Matrix<double, Eigen::Dynamic, 3> right(lower.size(), 3);
    for (int k = 0; k < lower.size(); ++k)
      right.row(k) = Eigen::Map<const Eigen::RowVector3d>(b + 3 * at(lower.block_of[at(k)]));
    Eigen::Map<Vector>(x, 3 * num_blocks).setZero();
    if (lower.size() == 0) return;
    right = llt_.solve(right).eval();
    for (int k = 0; k < lower.size(); ++k)
      Eigen::Map<Eigen::RowVector3d>(x + 3 * at(lower.block_of[at(k)])) = right.row(k);
  }
  std::size_t entries() const {
    return lower.size() > 0 ? static_cast<std::size_t>(llt_.matrixL().nestedExpression().nonZeros()) : 0;
  }

 private:
  Eigen::Map<const Eigen::SparseMatrix<double>> view() const {
    return {lower.size(),       lower.size(),       static_cast<Eigen::Index>(lower.index.size()),
            lower.start.data(), lower.index.data(), lower.values.data()};
  }
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> llt_;
};

#endif

ScalarCholesky::ScalarCholesky() : impl_(std::make_unique<Impl>()) {}
ScalarCholesky::~ScalarCholesky() = default;
ScalarCholesky::ScalarCholesky(ScalarCholesky&&) noexcept = default;
ScalarCholesky& ScalarCholesky::operator=(ScalarCholesky&&) noexcept = default;

void ScalarCholesky::analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& block_is_free) {
  assert(static_cast<int>(block_is_free.size()) == pattern.num_blocks());
  impl_->lower = LowerTriangle(pattern, block_is_free);
  impl_->status = SolveStatus::singular;
  impl_->num_blocks = pattern.num_blocks();
  impl_->analyze();
}

SolveStatus ScalarCholesky::factorize(const std::vector<double>& of_slot) {
  return impl_->status = impl_->lower.take(of_slot) ? impl_->factorize() : SolveStatus::not_finite;
}

SolveStatus ScalarCholesky::solve(const double* b, double* x) {
  if (impl_->status == SolveStatus::ok)
    impl_->solve(b, x);
  else
    std::fill_n(x, 3 * at(impl_->num_blocks), 0.0);
  return impl_->status;
}

SolveStatus ScalarCholesky::solve(const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> X) {
  assert(B.rows() == X.rows() && B.cols() == X.cols() && B.rows() == 3 * impl_->num_blocks);
  for (Eigen::Index k = 0; k < B.cols(); ++k) solve(B.col(k).data(), X.col(k).data());
  return impl_->status;
}

int ScalarCholesky::num_free_blocks() const { return impl_->lower.size(); }
std::size_t ScalarCholesky::factor_entries() const { return impl_->entries(); }
int ScalarCholesky::num_parts() const { return impl_->sweeps.num_parts(); }
double ScalarCholesky::sequential_share() const { return impl_->sweeps.sequential_share(); }

}  // namespace dashpot
