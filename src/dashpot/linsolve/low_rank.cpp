#include <algorithm>
#include <cstring>
#include <limits>

#include <Eigen/LU>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/low_rank_groups.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"
#include "dashpot/linsolve/tall_product.hpp"

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
    const bool rows_ok = part.first_dof >= 0 && part.first_dof + part.U->rows() <= num_dofs;
    const bool sizes_ok = rows_ok && part.V->rows() == part.U->rows() && part.U->cols() == part.S.rows() &&
                          part.V->cols() == part.S.cols();
    if (!sizes_ok) {
      problems.push_back(
          {fmt::format("low-rank part {}", i),
           fmt::format("U {}x{}, S {}x{}, V {}x{}", part.U->rows(), part.U->cols(), part.S.rows(), part.S.cols(),
                       part.V->rows(), part.V->cols()),
           fmt::format("U and V with as many rows, within the {} dofs; S matching their columns", num_dofs), ""});
    } else if (!solver.accepts_low_rank(false) && !solver.accepts_low_rank(is_symmetric_part(part))) {
      problems.push_back({fmt::format("low-rank part {}", i), "a non-symmetric update for the solver " + solver.name(),
                          "U = V and S symmetric", "use the solver 'cholmod' or 'automatic'"});
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace

void add_product(const LowRank& part, const Vector& x, Vector& y) {
  const Vector seen = transposed_times(*part.V, x.segment(part.first_dof, part.num_rows()));
  add_times(*part.U, part.S * seen, y.segment(part.first_dof, part.num_rows()));
}

Matrix over_all_dofs(const Matrix& A, int first_dof, Eigen::Index num_dofs) {
  Matrix all = Matrix::Zero(num_dofs, A.cols());
  all.middleRows(first_dof, A.rows()) = A;
  return all;
}

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
  const PartGroups groups(parts.size() > 1 ? solver.components() : nullptr, parts, b.rows());
  const Eigen::Index k = groups.num_columns();
  if (k == 0) return solver.solve(b, x);

  Matrix right(b.rows(), b.cols() + k), left(b.rows(), b.cols() + k);
  right.leftCols(b.cols()) = b;
  right.rightCols(k).setZero();
  left.leftCols(b.cols()) = x;
  left.rightCols(k).setZero();
  for (const PartGroup& group : groups.all()) {
    Eigen::Index column = b.cols();
    for (const int i : group.parts) {
      const LowRank& part = parts[at(i)];
      right.block(part.first_dof, column, part.num_rows(), part.U->cols()) += *part.U;
      column += part.U->cols();
    }
  }
  SolveReport report = solver.solve(right, left);
  x.setZero();
  if (report.status != SolveStatus::ok) return report;

  x = left.leftCols(b.cols());
  bool singular = false;
  for (const PartGroup& group : groups.all()) {
    // Row block i of S V^T [y Y] needs part i only: S is block diagonal.
    const Eigen::Index columns = group.num_columns, used = b.cols() + columns;
    Matrix SVt(columns, used);
    Eigen::Index row = 0;
    for (const int i : group.parts) {
      const LowRank& part = parts[at(i)];
      SVt.middleRows(row, part.S.rows()) =
          part.S * (part.V->transpose() * left.block(part.first_dof, 0, part.num_rows(), used));
      row += part.S.rows();
    }
    const Matrix small = Matrix::Identity(columns, columns) + SVt.rightCols(columns);
    const Eigen::PartialPivLU<Matrix> lu(small);
    // I and S V^T Y cancel where the update makes the system singular: a pivot that small is round-off.
    const double canceled =
        8 * std::numeric_limits<double>::epsilon() * (1 + SVt.rightCols(columns).cwiseAbs().maxCoeff());
    singular |= !(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > canceled);
    const Matrix coefficients = lu.solve(SVt.leftCols(b.cols()));
    for (const DofRange& rows : group.rows)
      x.middleRows(rows.begin, rows.size()) -= left.block(rows.begin, b.cols(), rows.size(), columns) * coefficients;
  }
  if (singular || !x.allFinite()) {
    x.setZero();
    report.status = SolveStatus::singular;
  }
  return report;
}

}  // namespace dashpot
