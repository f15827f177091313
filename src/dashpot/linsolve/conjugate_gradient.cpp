#include "dashpot/linsolve/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/direct_solver.hpp"
#include "dashpot/linsolve/solvers.hpp"

namespace dashpot {
namespace {

/// One call per chunk, in parallel; the sum over chunks is added in chunk order.
template <class Body>
void for_chunks(const SsorSystem& system, Body body) {
  parallel_for(system.num_chunks(), 1, [&](int begin, int end) {
    for (int chunk = begin; chunk < end; ++chunk) body(chunk);
  });
}
template <class Body>
double sum_chunks(const SsorSystem& system, Body body) {
  return parallel_sum(system.num_chunks(), 1, [&](int begin, int) { return body(begin); });
}

/// The entries of `v` that belong to a chunk.
auto part(const SsorSystem& system, int chunk, Vector& v) {
  const auto begin = static_cast<Eigen::Index>(system.chunk_begin(chunk));
  return v.segment(begin, static_cast<Eigen::Index>(system.chunk_end(chunk)) - begin);
}

}  // namespace

ConjugateGradientSolver::ConjugateGradientSolver(const LinearSolverOptions& options)
    : finest_tolerance_(options.cg_tolerance),
      tolerance_(options.cg_tolerance),
      max_iterations_(options.cg_max_iterations) {}

void ConjugateGradientSolver::analyze(std::shared_ptr<const BlockPattern> pattern,
                                      const std::vector<std::uint8_t>& is_free) {
  factorized_ = false;
  system_.analyze(*pattern, is_free);
  pattern_ = std::move(pattern);
  for (Vector* v : {&f_, &y0_, &y_, &z_, &r_, &p_, &t_, &q_})
    v->setZero(static_cast<Eigen::Index>(system_.vector_size()));
}

SolveStatus ConjugateGradientSolver::factorize(const BlockMatrix& matrix) {
  check_pattern(pattern_, matrix);
  factorized_ = true;
  update_.reset();
  status_ = system_.assemble(matrix);
  return status_;
}

SolveStatus ConjugateGradientSolver::factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) {
  check_pattern(pattern_, matrix);
  factorized_ = true;
  update_.reset();
  status_ = system_.assemble(matrix, &couplings);
  return status_;
}

SolveReport ConjugateGradientSolver::solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  check_solve(pattern_, factorized_, b, x);
  SolveReport report;
  report.status = status_;
  if (status_ != SolveStatus::ok || system_.num_rows() == 0) {
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

SolveReport ConjugateGradientSolver::solve_low_rank(const std::vector<LowRank>& parts,
                                                    const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) {
  if (status_ == SolveStatus::ok && system_.num_rows() > 0) update_.assemble(system_, parts, pattern_->num_dofs());
  chunk_dots_.resize(update_.num_columns(), system_.num_chunks());
  const SolveReport report = solve(b, x);
  update_.clear();
  return report;
}

SolveReport ConjugateGradientSolver::solve_column(const double* b, double* x) {
  SolveReport report;
  const auto give_up = [&](SolveStatus status) {
    std::fill(x, x + pattern_->num_dofs(), 0.0);
    report.status = status;
    return report;
  };
  const double norm_b =
      std::sqrt(sum_chunks(system_, [&](int chunk) { return system_.scale_force(chunk, b, f_.data()); }));
  if (!std::isfinite(norm_b)) return give_up(SolveStatus::not_finite);
  if (norm_b == 0) return give_up(SolveStatus::ok);
  const double goal = tolerance_ * norm_b;
  double actual = start(x, norm_b);
  int restarts = 0;
  while (actual > goal) {
    if (report.iterations >= max_iterations_ || restarts > 3) {
      report.status = SolveStatus::not_converged;
      break;
    }
    // r is known in the preconditioned norm only: aim by the ratio of the norms now, then measure.
    const double shrink = 0.7 * goal / actual;
    const SolveStatus status = iterate(rr_ * shrink * shrink, report.iterations);
    if (status != SolveStatus::ok && status != SolveStatus::not_converged) return give_up(status);
    const double before = actual;
    actual = true_residual();
    if (!std::isfinite(actual)) return give_up(SolveStatus::not_positive_definite);
    if (actual > goal && actual > 0.5 * before && status == SolveStatus::ok) {
      restart();  // round-off has separated the recurrence from the truth
      ++restarts;
    }
  }
  report.residual = actual / norm_b;
  write_solution(x);
  return report;
}

/// Sets y0, z and r from the guess x; returns the norm of the residual before scaling.
double ConjugateGradientSolver::start(const double* x, double norm_b) {
  for_chunks(system_, [&](int chunk) { system_.scale_solution(chunk, x, y0_.data()); });
  double norm = norm_b;
  Ux0_.setZero(update_.num_columns());
  if (!y0_.isZero(0)) {
    if (update_.num_columns() > 0) {
      x_.setZero(pattern_->num_dofs());
      for_chunks(system_, [&](int chunk) { system_.unscale_solution(chunk, y0_.data(), x_.data()); });
      Ux0_ = update_.transposed_times(x_);
    }
    norm = residual_at(y0_, Ux0_);
  } else {
    q_ = f_;
  }
  if (!(norm <= norm_b)) {  // also when the guess holds NaN
    y0_.setZero();
    Ux0_.setZero();
    q_ = f_;
    norm = norm_b;
  }
  z_ = y0_;
  Wy_.setZero(Ux0_.size());
  restart();
  return norm;
}

/// Begins a new Krylov space at z, whose scaled residual is in q.
void ConjugateGradientSolver::restart() {
  y0_ = z_;
  r_ = q_;
  rr_ = sum_chunks(system_, [&](int chunk) { return system_.solve_forward(chunk, r_.data()); });
  y_.setZero();
  p_.setZero();
  beta_ = 0;
  if (update_.num_columns() == 0) return;
  Wr_ = update_.dots(system_, r_.data());
  Ux0_ += Wy_;
  Wy_.setZero();
  Wp_.setZero(Wr_.size());
}

/// Iterates until r . r <= target2.
SolveStatus ConjugateGradientSolver::iterate(double target2, int& iterations) {
  while (rr_ > target2) {
    if (iterations >= max_iterations_) return SolveStatus::not_converged;
    ++iterations;
    for_chunks(system_, [&](int chunk) {
      part(system_, chunk, p_) = part(system_, chunk, r_) + beta_ * part(system_, chunk, p_);
      system_.sweep_backward(chunk, p_.data(), t_.data());
    });
    const bool updated = update_.num_columns() > 0;
    if (updated) {
      Wp_ = Wr_ + beta_ * Wp_;
      Wq_ = update_.S() * Wp_;
    }
    double curvature = sum_chunks(system_, [&](int chunk) {
      const double part_of_chunk = system_.sweep_forward(chunk, p_.data(), t_.data(), q_.data());
      if (updated) update_.add_and_dot(system_, chunk, Wq_.data(), q_.data(), chunk_dots_.col(chunk).data());
      return part_of_chunk;
    });
    if (updated) {
      curvature += Wp_.dot(Wq_);
      Wq_ = chunk_dots_.rowwise().sum();
    }
    if (!(curvature > 0)) return SolveStatus::not_positive_definite;
    const double alpha = rr_ / curvature;
    const double rr = sum_chunks(system_, [&](int chunk) {
      part(system_, chunk, y_) += alpha * part(system_, chunk, p_);
      part(system_, chunk, r_) -= alpha * part(system_, chunk, q_);
      return part(system_, chunk, r_).squaredNorm();
    });
    if (updated) {
      Wr_ -= alpha * Wq_;
      Wy_ += alpha * Wp_;
    }
    beta_ = rr / rr_;
    rr_ = rr;
  }
  return SolveStatus::ok;
}

/// Sets z = y0 + (I + L^T)^-1 y and q to its scaled residual; returns the norm of the residual before scaling.
double ConjugateGradientSolver::true_residual() {
  for_chunks(system_, [&](int chunk) {
    system_.sweep_backward(chunk, y_.data(), t_.data());
    part(system_, chunk, z_) = part(system_, chunk, y0_) + part(system_, chunk, t_);
  });
  return residual_at(z_, Ux0_ + Wy_);
}

double ConjugateGradientSolver::residual_at(const Vector& y, const Vector& Ux) {
  const double* f = f_.data();
  if (update_.num_columns() > 0) {
    force_.setZero(pattern_->num_dofs());
    update_.force(Ux, force_);
    g_.resize(f_.size());
    for_chunks(system_, [&](int chunk) {
      system_.scale_force(chunk, force_.data(), g_.data());
      part(system_, chunk, g_) = part(system_, chunk, f_) - part(system_, chunk, g_);
    });
    f = g_.data();
  }
  return std::sqrt(sum_chunks(system_, [&](int chunk) { return system_.residual(chunk, f, y.data(), q_.data()); }));
}

void ConjugateGradientSolver::write_solution(double* x) const {
  std::fill(x, x + pattern_->num_dofs(), 0.0);
  for_chunks(system_, [&](int chunk) { system_.unscale_solution(chunk, z_.data(), x); });
}

std::unique_ptr<LinearSolver> make_conjugate_gradient_solver(const LinearSolverOptions& options) {
  return std::make_unique<ConjugateGradientSolver>(options);
}

}  // namespace dashpot
