#include "dashpot/linsolve/chain_conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

constexpr int dofs_per_range = 1 << 14;
constexpr double first_relaxation = 0.7, least_relaxation = 0.1;
constexpr int finest_spacing = 4;       // grid lines between knots of the coarse space
constexpr double coarse_nodes = 40000;  // more of them would cost more to factor than they save

template <class Body>
void for_dofs(Eigen::Index count, Body body) {
  parallel_for(static_cast<int>(count), dofs_per_range, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) body(i);
  });
}

double dot(const Vector& a, const Vector& b) {
  return parallel_sum(static_cast<int>(a.size()), dofs_per_range, [&](int begin, int end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

}  // namespace

ChainConjugateGradient::ChainConjugateGradient(const LinearSolverOptions& options)
    : finest_tolerance_(options.cg_tolerance),
      tolerance_(options.cg_tolerance),
      max_iterations_(options.cg_max_iterations),
      chains_(options.chains) {}

void ChainConjugateGradient::set_tolerance(double tolerance) { tolerance_ = std::max(tolerance, finest_tolerance_); }

void ChainConjugateGradient::analyze(std::shared_ptr<const BlockPattern> pattern,
                                     const std::vector<std::uint8_t>& is_free) {
  if (!ChainFactor::can_solve(*pattern) || chains_->families.empty())
    throw Error(Problem{"solver", "chains given for blocks of other sizes than 3 or 5, or of several sizes",
                        "a System of blocks of 3 or of 5", "leave out the chains"});
  factorized_ = false;
  pattern_ = std::move(pattern);
  is_free_ = is_free;
  families_.assign(chains_->families.size(), {});
  for (std::size_t f = 0; f < families_.size(); ++f) families_[f].analyze(*pattern_, is_free_, chains_->families[f]);
  coarse_.reset();
  if (!chains_->places.empty()) {
    coarse_ = std::make_unique<GridCoarse>();
    coarse_->analyze(
        *pattern_, is_free_, chains_->places,
        std::max(finest_spacing, static_cast<int>(std::ceil(std::sqrt(pattern_->num_blocks() / coarse_nodes)))));
  }
  matrix_ = BlockMatrix(pattern_);
  for (Vector* v : {&x_, &r_, &z_, &p_, &q_, &left_, &rest_, &correction_}) v->setZero(pattern_->num_dofs());
}

SolveStatus ChainConjugateGradient::factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) {
  check_pattern(pattern_, matrix);
  factorized_ = true;
  relaxation_ = first_relaxation;
  matrix_.copy_values(matrix);
  couplings_ = couplings;
  status_ = SolveStatus::ok;
  for (ChainFactor& family : families_)
    if (status_ == SolveStatus::ok) status_ = family.factorize(matrix_);
  if (status_ == SolveStatus::ok && coarse_) status_ = coarse_->factorize(matrix_);
  return status_;
}

void ChainConjugateGradient::multiply(const Vector& x, Vector& y) const {
  matrix_.multiply(x, y);
  if (!couplings_.empty()) couplings_.multiply_add(x, y);
  for_dofs(y.size(), [&](int i) {
    if (is_free_[at(i)] == 0) y[i] = 0;
  });
}

void ChainConjugateGradient::precondition(const Vector& r, Vector& z) {
  const double w = relaxation_;
  families_[0].solve(r, correction_);
  for_dofs(z.size(), [&](int i) {
    z[i] = correction_[i] *= w;
    left_[i] = r[i];
  });
  const auto correct = [&](std::size_t before, std::size_t f) {
    families_[before].multiply_rest(matrix_, correction_, rest_);
    for_dofs(z.size(), [&](int i) { left_[i] = (1 - w) * left_[i] - rest_[i]; });
    families_[f].solve(left_, correction_);
    for_dofs(z.size(), [&](int i) { z[i] += correction_[i] *= w; });
  };
  for (std::size_t f = 1; f < families_.size(); ++f) correct(f - 1, f);
  for (std::size_t f = families_.size() - 1; f-- > 0;) correct(f + 1, f);
  if (coarse_) coarse_->add_correction(r, z);
}

SolveReport ChainConjugateGradient::solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  check_solve(pattern_, factorized_, b, x);
  SolveReport report;
  report.status = status_;
  if (status_ != SolveStatus::ok) {
    x.setZero();
    return report;
  }
  for (Eigen::Index k = 0; k < b.cols(); ++k) {
    const SolveReport column = solve_column(b.col(k).data(), x.col(k).data());
    report.iterations = std::max(report.iterations, column.iterations);
    report.residual = std::max(report.residual, column.residual);
    // The first failure that leaves no usable iterate is what the caller must hear of.
    if (report.status == SolveStatus::ok || report.status == SolveStatus::not_converged)
      if (column.status != SolveStatus::ok) report.status = column.status;
  }
  return report;
}

SolveReport ChainConjugateGradient::solve_column(const double* b, double* x) {
  SolveReport report;
  const Eigen::Index n = pattern_->num_dofs();
  const auto give_up = [&](SolveStatus status) {
    std::fill(x, x + n, 0.0);
    report.status = status;
    return report;
  };
  for_dofs(n, [&](int i) { r_[i] = is_free_[at(i)] != 0 ? b[i] : 0; });
  const double norm_b = std::sqrt(dot(r_, r_));
  if (!std::isfinite(norm_b)) return give_up(SolveStatus::not_finite);
  if (norm_b == 0) return give_up(SolveStatus::ok);
  const double goal = tolerance_ * norm_b;
  double actual = start(b, x);
  if (!(actual <= norm_b)) {  // a guess that is worse than none, or holds NaN
    x_.setZero();
    actual = true_residual(b);
  }
  // Round-off separates the recurrence of r from the truth, and begins anew; so does a smaller relaxation.
  for (int restarts = 0; actual > goal && restarts < 6 && report.iterations < max_iterations_; ++restarts) {
    const SolveStatus status = iterate(goal, report.iterations);
    if (status != SolveStatus::ok) return give_up(status);
    actual = true_residual(b);
    if (!std::isfinite(actual)) return give_up(SolveStatus::not_positive_definite);
  }
  if (actual > goal) report.status = SolveStatus::not_converged;
  report.residual = actual / norm_b;
  std::copy(x_.data(), x_.data() + n, x);
  return report;
}

double ChainConjugateGradient::start(const double* b, const double* x) {
  for_dofs(x_.size(), [&](int i) { x_[i] = is_free_[at(i)] != 0 ? x[i] : 0; });
  return true_residual(b);
}

double ChainConjugateGradient::true_residual(const double* b) {
  multiply(x_, q_);
  for_dofs(r_.size(), [&](int i) { r_[i] = (is_free_[at(i)] != 0 ? b[i] : 0) - q_[i]; });
  return std::sqrt(dot(r_, r_));
}

/// Iterates from x, whose residual is r, until the recurrence says that its norm is at the goal.
SolveStatus ChainConjugateGradient::iterate(double goal, int& iterations) {
  precondition(r_, z_);
  p_ = z_;
  double rz = dot(r_, z_);
  while (iterations < max_iterations_) {
    if (!(rz > 0)) {  // the preconditioner is not definite
      relaxation_ *= 0.5;
      return relaxation_ < least_relaxation ? SolveStatus::not_positive_definite : SolveStatus::ok;
    }
    ++iterations;
    multiply(p_, q_);
    const double curvature = dot(p_, q_);
    if (!(curvature > 0)) return SolveStatus::not_positive_definite;
    const double alpha = rz / curvature;
    for_dofs(x_.size(), [&](int i) {
      x_[i] += alpha * p_[i];
      r_[i] -= alpha * q_[i];
    });
    if (!(std::sqrt(dot(r_, r_)) > goal)) break;
    precondition(r_, z_);
    const double next = dot(r_, z_), beta = next / rz;
    for_dofs(p_.size(), [&](int i) { p_[i] = z_[i] + beta * p_[i]; });
    rz = next;
  }
  return SolveStatus::ok;
}

std::unique_ptr<LinearSolver> make_chain_conjugate_gradient(const LinearSolverOptions& options) {
  return std::make_unique<ChainConjugateGradient>(options);
}

}  // namespace dashpot
