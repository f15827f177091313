#include <algorithm>
#include <cstring>
#include <limits>

#include <Eigen/LU>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"

namespace dashpot {
namespace {

bool same_entries(const SharedMatrix& shared_A, const SharedMatrix& shared_B) {
  if (shared_A.is(shared_B)) return true;
  const Matrix &A = *shared_A, &B = *shared_B;
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         std::memcmp(A.data(), B.data(), static_cast<std::size_t>(A.size()) * sizeof(double)) == 0;
}

void check_parts(const LinearSolver& solver, const std::vector<LowRank>& parts, Eigen::Index num_dofs) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const LowRank& part = parts[i];
    const bool sizes_ok = part.U->rows() == num_dofs && part.V->rows() == num_dofs && part.U->cols() == part.S.rows() &&
                          part.V->cols() == part.S.cols();
    if (!sizes_ok) {
      problems.push_back({fmt::format("low-rank part {}", i),
                          fmt::format("U {}x{}, S {}x{}, V {}x{}", part.U->rows(), part.U->cols(), part.S.rows(),
                                      part.S.cols(), part.V->rows(), part.V->cols()),
                          fmt::format("U and V with {} rows, S matching their columns", num_dofs), ""});
    } else if (!solver.accepts_low_rank(false) && !solver.accepts_low_rank(is_symmetric_part(part))) {
      problems.push_back({fmt::format("low-rank part {}", i), "a non-symmetric update for the solver " + solver.name(),
                          "U = V and S symmetric", "use the solver 'cholmod' or 'automatic'"});
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace

bool is_symmetric_part(const LowRank& part) {
  return part.S.rows() == part.S.cols() && part.S == part.S.transpose() && same_entries(part.U, part.V);
}

void keep_symmetric_parts(std::vector<LowRank>& parts) {
  std::vector<LowRank> kept;
  for (LowRank& part : parts) {
    if (!same_entries(part.U, part.V)) continue;
    part.S = (0.5 * (part.S + part.S.transpose())).eval();
    kept.push_back(std::move(part));
  }
  parts = std::move(kept);
}

SolveReport solve_with_low_rank(LinearSolver& solver, const std::vector<LowRank>& parts,
                                const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  check_parts(solver, parts, b.rows());
  if (LowRankSolver* direct = solver.low_rank_solver())
    if (std::all_of(parts.begin(), parts.end(), is_symmetric_part)) return direct->solve_low_rank(parts, b, x);
  return solve_by_woodbury(solver, parts, b, x);
}

SolveReport solve_by_woodbury(LinearSolver& solver, const std::vector<LowRank>& parts,
                              const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  Eigen::Index k = 0;
  for (const LowRank& part : parts) k += part.U->cols();
  if (k == 0) return solver.solve(b, x);

  Matrix right(b.rows(), b.cols() + k), left(b.rows(), b.cols() + k);
  right.leftCols(b.cols()) = b;
  left.leftCols(b.cols()) = x;
  left.rightCols(k).setZero();
  Eigen::Index column = b.cols();
  for (const LowRank& part : parts) {
    right.middleCols(column, part.U->cols()) = *part.U;
    column += part.U->cols();
  }
  SolveReport report = solver.solve(right, left);
  x.setZero();
  if (report.status != SolveStatus::ok) return report;

  // Row block i of S V^T [y Y] needs part i only: S is block diagonal.
  Matrix SVt(k, left.cols());
  Eigen::Index row = 0;
  for (const LowRank& part : parts) {
    SVt.middleRows(row, part.S.rows()) = part.S * (part.V->transpose() * left);
    row += part.S.rows();
  }
  const Matrix small = Matrix::Identity(k, k) + SVt.rightCols(k);
  const Eigen::PartialPivLU<Matrix> lu(small);
  // I and S V^T Y cancel where the update makes the system singular: a pivot that small is round-off.
  const double cancelled = 8 * std::numeric_limits<double>::epsilon() * (1 + SVt.rightCols(k).cwiseAbs().maxCoeff());
  const bool singular = !(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > cancelled);
  x = left.leftCols(b.cols()) - left.rightCols(k) * lu.solve(SVt.leftCols(b.cols()));
  if (singular || !x.allFinite()) {
    x.setZero();
    report.status = SolveStatus::singular;
  }
  return report;
}

}  // namespace dashpot
