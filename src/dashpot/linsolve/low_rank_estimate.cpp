#include "dashpot/linsolve/low_rank_estimate.hpp"

#include <Eigen/LU>

#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"
#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {
namespace {

/// S of what keep_symmetric_parts() drops of a part.
Matrix left_out(const LowRank& part) {
  if (!part.U.is(part.V)) return part.S;
  return 0.5 * (part.S - part.S.transpose());
}

}  // namespace

void LowRankEstimate::collect_reach(const std::vector<LowRank>& parts, const std::vector<std::uint8_t>& is_free) {
  std::vector<SharedMatrix> reach;
  std::vector<int> first_dof;
  for (const LowRank& part : parts) {
    if (part.reach.empty() || left_out(part).isZero(0)) continue;
    bool known = false;
    for (const SharedMatrix& other : reach) known |= other.is(part.reach);
    if (known) continue;
    reach.push_back(part.reach);
    first_dof.push_back(part.first_dof);
  }
  bool same = reach.size() == reach_.size();
  for (std::size_t i = 0; same && i < reach.size(); ++i) same = reach[i].is(reach_[i]) && first_dof[i] == first_dof_[i];
  if (same) return;

  reach_ = std::move(reach);
  first_dof_ = std::move(first_dof);
  projected_.clear();
  has_matrix_ = false;
  Eigen::Index columns = 0;
  for (const SharedMatrix& part : reach_) columns += part->cols();
  Z_.setZero(static_cast<Eigen::Index>(is_free.size()), columns);
  columns = 0;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    Z_.block(first_dof_[i], columns, reach_[i]->rows(), reach_[i]->cols()) = *reach_[i];
    columns += reach_[i]->cols();
  }
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i] == 0) Z_.row(static_cast<Eigen::Index>(i)).setZero();
}

void LowRankEstimate::project(const std::vector<LowRank>& parts) {
  projected_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Projected& mine = projected_[i];
    const auto Z = Z_.middleRows(parts[i].first_dof, parts[i].num_rows());
    if (mine.ZtU.size() == 0 || !mine.U.is(parts[i].U)) {
      mine.U = parts[i].U;
      const bool as_before = i > 0 && mine.U.is(projected_[i - 1].U);
      mine.ZtU = as_before ? projected_[i - 1].ZtU : transposed_times_matrix(Z, *mine.U);
    }
    if (parts[i].V.is(mine.U)) {
      mine.V = mine.U;
      mine.VtZ = mine.ZtU.transpose();
    } else if (mine.VtZ.size() == 0 || !mine.V.is(parts[i].V)) {
      mine.V = parts[i].V;
      mine.VtZ = transposed_times_matrix(*mine.V, Z);
    }
  }
}

void LowRankEstimate::apply(const BlockMatrix& A, const std::vector<std::uint8_t>& is_free,
                            const std::vector<LowRank>& parts, VectorRef b) {
  collect_reach(parts, is_free);
  if (Z_.cols() == 0) return;
  if (!has_matrix_) {
    ZtAZ_ = quadratic_form(A, Z_);
    has_matrix_ = true;
  }
  project(parts);
  Matrix small = ZtAZ_;
  for (std::size_t i = 0; i < parts.size(); ++i) small += projected_[i].ZtU * parts[i].S * projected_[i].VtZ;
  const Vector y = Eigen::PartialPivLU<Matrix>(small).solve(transposed_times(Z_, b));
  if (!y.allFinite()) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Matrix S = left_out(parts[i]);
    if (S.isZero(0)) continue;
    add_times(*parts[i].U, -(S * (projected_[i].VtZ * y)), b.segment(parts[i].first_dof, parts[i].num_rows()));
  }
}

}  // namespace dashpot
