#include "dashpot/linsolve/direct_solver.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

void check_pattern(const std::shared_ptr<const BlockPattern>& analyzed, const BlockMatrix& matrix) {
  if (!analyzed) throw Error(Problem{"", "factorize() before analyze()", "analyze() first", ""});
  const std::shared_ptr<const BlockPattern>& given = matrix.shared_pattern();
  const bool same =
      given == analyzed || (given && given->layout() == analyzed->layout() &&
                            given->row_start() == analyzed->row_start() && given->column() == analyzed->column());
  if (!same)
    throw Error(Problem{"", "a matrix on another pattern", "the pattern given to analyze()", "call analyze() again"});
}

void check_solve(const std::shared_ptr<const BlockPattern>& analyzed, bool factorized,
                 const Eigen::Ref<const Matrix>& b, const Eigen::Ref<Matrix>& x) {
  if (!factorized) throw Error(Problem{"", "solve() before factorize()", "factorize() first", ""});
  if (b.rows() != analyzed->num_dofs() || x.rows() != b.rows() || x.cols() != b.cols())
    throw Error(Problem{"", fmt::format("b of {} x {} and x of {} x {}", b.rows(), b.cols(), x.rows(), x.cols()),
                        fmt::format("{} rows and equal columns", analyzed->num_dofs()), ""});
}

void DirectSolver::analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) {
  factorized_ = false;
  dofs_ = FreeDofs(*pattern, is_free);
  rows_ = FreeRows(*pattern, dofs_, symmetric_);
  pattern_ = std::move(pattern);
  if (dofs_.num_free() > 0) order(*pattern_, dofs_, rows_);
}

SolveStatus DirectSolver::factorize(const BlockMatrix& matrix) {
  check_pattern(pattern_, matrix);
  factorized_ = true;
  status_ = SolveStatus::ok;
  if (dofs_.num_free() == 0) return status_;
  status_ = rows_.gather(matrix, values_) ? factor(rows_, values_) : SolveStatus::not_finite;
  return status_;
}

SolveReport DirectSolver::solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  check_solve(pattern_, factorized_, b, x);
  SolveReport report;
  report.status = status_;
  const auto take_free = [&] {
    free_b_.resize(dofs_.num_free(), b.cols());
    for (Eigen::Index k = 0; k < b.cols(); ++k)
      for (int i = 0; i < dofs_.num_free(); ++i) free_b_(i, k) = b(dofs_.to_dof[static_cast<std::size_t>(i)], k);
  };
  if (status_ == SolveStatus::ok && dofs_.num_free() > 0 && b.cols() > 0) {
    take_free();
    const bool finite = all_finite(free_b_.data(), static_cast<std::size_t>(free_b_.size()));
    report.status = finite ? substitute(free_b_, free_x_) : SolveStatus::not_finite;
    // A nearly singular factor can overflow although every input was finite.
    if (report.status == SolveStatus::ok && !all_finite(free_x_.data(), static_cast<std::size_t>(free_x_.size())))
      report.status = SolveStatus::singular;
  }
  x.setZero();
  if (report.status != SolveStatus::ok || dofs_.num_free() == 0) return report;
  for (Eigen::Index k = 0; k < b.cols(); ++k)
    for (int i = 0; i < dofs_.num_free(); ++i) x(dofs_.to_dof[static_cast<std::size_t>(i)], k) = free_x_(i, k);
  return report;
}

}  // namespace dashpot
