#include "dashpot/projective/global_step.hpp"

#include <algorithm>

#include <Eigen/LU>

#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {

GlobalStep::GlobalStep(const System& system) : system_(&system) {
  const std::vector<std::uint8_t>& is_free = system.is_free();
  can_be_scalar_ = system.ties().empty();
  if (system.ties().empty()) components_.emplace(system.pattern(), DynamicBlocks());
  for (std::size_t i = 0; i + 2 < is_free.size(); i += 3) {
    block_is_free_.push_back(is_free[i]);
    can_be_scalar_ &= is_free[i] == is_free[i + 1] && is_free[i] == is_free[i + 2];
  }
}

SolveStatus GlobalStep::factorize(const std::vector<double>& of_slot) {
  if (!scalar_) {
    scalar_ = std::make_unique<ScalarCholesky>();
    scalar_->analyze(*system_->pattern(), block_is_free_);
  }
  is_scalar_ = true;
  reach_.clear();
  reach_of_.clear();
  return scalar_->factorize(of_slot);
}

SolveStatus GlobalStep::factorize(BlockMatrix matrix) {
  if (!blocks_) {
    LinearSolverOptions options;
    blocks_ = make_linear_solver(options, system_->num_dofs(), false, true);
    blocks_->analyze(system_->pattern(), system_->is_free());
  }
  is_scalar_ = false;
  reach_.clear();
  reach_of_.clear();
  if (!system_->ties().empty()) system_->ties().condense(matrix);
  return blocks_->factorize(matrix);
}

SolveStatus GlobalStep::solve_columns(Eigen::Ref<Matrix> x) {
  if (is_scalar_) return x.cols() == 1 ? scalar_->solve(x.data(), x.data()) : scalar_->solve(x, x);
  if (!system_->ties().empty()) system_->ties().condense(x);
  Matrix b = x;
  for (std::size_t i = 0; i < system_->is_free().size(); ++i)
    if (system_->is_free()[i] == 0) b.row(static_cast<Eigen::Index>(i)).setZero();
  x.setZero();
  const SolveReport report = blocks_->solve(b, x);
  return report.status;
}

int GlobalStep::find_reach(const LowRank& part, std::size_t hint) const {
  const auto is_its = [&](const Reach& reach) { return reach.U.is(part.U) && reach.first_dof == part.first_dof; };
  if (hint < reach_of_.size() && is_its(reach_[at(reach_of_[hint])])) return reach_of_[hint];  // as in the last solve
  const auto found = std::find_if(reach_.begin(), reach_.end(), is_its);
  return found == reach_.end() ? -1 : static_cast<int>(found - reach_.begin());
}

void GlobalStep::forget_idle(const std::vector<LowRank>& parts) {
  constexpr std::size_t most_idle = 8;  // parts that come and go, as those of contact do
  if (reach_.size() <= parts.size() + most_idle) return;
  std::vector<Reach> kept;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (const int found = find_reach(parts[i], i); found >= 0 && reach_[at(found)].Y.size() > 0)
      kept.push_back(std::move(reach_[at(found)]));  // its U stays behind: a second part finds an empty Y
  reach_ = std::move(kept);
  reach_of_.clear();
}

SolveStatus GlobalStep::set_reach(const std::vector<LowRank>& parts, const PartGroups& groups) {
  forget_idle(parts);
  std::vector<int> index(parts.size());
  Matrix X;
  struct Fresh {
    int reach;
    Eigen::Index column;
    const PartGroup* group;
  };
  std::vector<Fresh> fresh;
  for (const PartGroup& group : groups.all()) {
    Eigen::Index column = 0;
    for (const int i : group.parts) {
      const LowRank& part = parts[at(i)];
      index[at(i)] = find_reach(part, at(i));
      if (index[at(i)] >= 0) continue;
      index[at(i)] = static_cast<int>(reach_.size());
      reach_.push_back({part.U, part.first_dof, {}, {}});
      fresh.push_back({index[at(i)], column, &group});
      column += part.U->cols();
      if (column > X.cols()) X.conservativeResizeLike(Matrix::Zero(system_->num_dofs(), column));
      X.block(part.first_dof, column - part.U->cols(), part.num_rows(), part.U->cols()) = *part.U;
    }
  }
  reach_of_ = std::move(index);
  const SolveStatus status = X.cols() > 0 ? solve_columns(X) : SolveStatus::ok;
  for (const Fresh& one : fresh) {
    Reach& reach = reach_[at(one.reach)];
    reach.rows = {one.group->rows.front().begin, one.group->rows.back().end};
    reach.Y.setZero(reach.rows.size(), reach.U->cols());
    for (const DofRange& rows : one.group->rows)
      reach.Y.middleRows(rows.begin - reach.rows.begin, rows.size()) =
          X.block(rows.begin, one.column, rows.size(), reach.U->cols());
  }
  return status;
}

SolveStatus GlobalStep::correct(const std::vector<LowRank>& parts, Vector& d) {
  const PartGroups groups(components_ ? &*components_ : nullptr, parts, d.size());
  const SolveStatus status = set_reach(parts, groups);
  if (status != SolveStatus::ok) return status;
  for (const PartGroup& group : groups.all()) {
    const Eigen::Index k = group.num_columns;
    if (k == 0) continue;
    Matrix small = Matrix::Identity(k, k);
    Vector right(k);
    Eigen::Index row = 0;
    for (const int i : group.parts) {
      const LowRank& part = parts[at(i)];
      Eigen::Index column = 0;
      for (const int j : group.parts) {
        const Eigen::Index count = parts[at(j)].U->cols();
        const Reach& reach = reach_[at(reach_of_[at(j)])];
        const Eigen::Index begin = std::max(part.first_dof, reach.rows.begin);
        const Eigen::Index common = std::min<Eigen::Index>(part.first_dof + part.num_rows(), reach.rows.end) - begin;
        if (common > 0)
          small.block(row, column, part.S.rows(), count) +=
              part.S * transposed_times_matrix(part.V->middleRows(begin - part.first_dof, common),
                                               reach.Y.middleRows(begin - reach.rows.begin, common));
        column += count;
      }
      right.segment(row, part.S.rows()) =
          part.S * transposed_times(*part.V, d.segment(part.first_dof, part.num_rows()));
      row += part.S.rows();
    }
    const Vector coefficients = Eigen::PartialPivLU<Matrix>(small).solve(right);
    row = 0;
    for (const int i : group.parts) {
      const Reach& reach = reach_[at(reach_of_[at(i)])];
      add_times(reach.Y, -coefficients.segment(row, reach.Y.cols()), d.segment(reach.rows.begin, reach.rows.size()));
      row += reach.Y.cols();
    }
  }
  return status;
}

SolveStatus GlobalStep::solve(const std::vector<LowRank>& parts, const Vector& b, Vector& d) {
  d = b;
  SolveStatus status = solve_columns(d);
  if (status == SolveStatus::ok && !parts.empty()) status = correct(parts, d);
  if (status == SolveStatus::ok && !system_->ties().empty()) system_->ties().follow(d);
  return status;
}

}  // namespace dashpot
