#include "dashpot/projective/global_step.hpp"

#include <Eigen/LU>

#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {

GlobalStep::GlobalStep(const System& system) : system_(&system) {
  const std::vector<std::uint8_t>& is_free = system.is_free();
  can_be_scalar_ = system.ties().empty();
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
  if (!system_->ties().empty()) system_->ties().fold(matrix);
  return blocks_->factorize(matrix);
}

SolveStatus GlobalStep::solve_columns(Eigen::Ref<Matrix> x) {
  if (is_scalar_) return x.cols() == 1 ? scalar_->solve(x.data(), x.data()) : scalar_->solve(x, x);
  if (!system_->ties().empty()) system_->ties().fold(x);
  Matrix b = x;
  for (std::size_t i = 0; i < system_->is_free().size(); ++i)
    if (system_->is_free()[i] == 0) b.row(static_cast<Eigen::Index>(i)).setZero();
  x.setZero();
  const SolveReport report = blocks_->solve(b, x);
  return report.status;
}

const Matrix* GlobalStep::reach_of(const SharedMatrix& U, SolveStatus& status) {
  for (const Reach& reach : reach_)
    if (reach.U.is(U)) return &reach.Y;
  constexpr std::size_t most = 8;  // bodies with examples; older ones are made again
  if (reach_.size() == most) reach_.erase(reach_.begin());
  reach_.push_back({U, *U});
  status = solve_columns(reach_.back().Y);
  return &reach_.back().Y;
}

SolveStatus GlobalStep::solve(const std::vector<LowRank>& parts, const Vector& b, Vector& d) {
  d = b;
  SolveStatus status = solve_columns(d);
  Eigen::Index k = 0;
  for (const LowRank& part : parts) k += part.U->cols();
  if (status == SolveStatus::ok && k > 0) {
    Matrix Y(b.size(), k), small = Matrix::Identity(k, k);
    Eigen::Index column = 0;
    for (const LowRank& part : parts) {
      Y.middleCols(column, part.U->cols()) = *reach_of(part.U, status);
      column += part.U->cols();
    }
    Vector right(k);
    column = 0;
    for (const LowRank& part : parts) {
      small.middleRows(column, part.S.rows()) += part.S * transposed_times_matrix(*part.V, Y);
      right.segment(column, part.S.rows()) = part.S * transposed_times(*part.V, d);
      column += part.S.rows();
    }
    add_times(Y, -Eigen::PartialPivLU<Matrix>(small).solve(right), d);
  }
  if (status == SolveStatus::ok && !system_->ties().empty()) system_->ties().follow(d);
  return status;
}

}  // namespace dashpot
