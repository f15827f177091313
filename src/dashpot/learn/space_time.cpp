#include "dashpot/learn/space_time.hpp"

#include <cmath>

#include <Eigen/Cholesky>

#include "dashpot/learn/space_time_search.hpp"

namespace dashpot::learn {
namespace {

constexpr double banded_shift = 1e-12, schur_shift = 1e-10;  // added to the diagonal, of its size
constexpr double least_step = 1e-3, enough = 1e-4;           // of a line search; of F, below which it has converged

/// The trajectories and x of one search, and steps from there.
class GaussNewton {
 public:
  GaussNewton(const SpaceTimeSearch& search, int round, bool learns, Trajectories& trajectories, Vector& x)
      : search_(search), weights_(search.weights(round)), learns_(learns), trajectories_(trajectories), x_(x) {
    for (std::size_t r = 0; r < search.num_runs(); ++r)
      arrows_.emplace_back(search.run(r).num_steps(), trajectories.bases[r].size(), learns ? x.size() : 0);
  }

  double linearize() {
    double sum = prior_at(x_);
    const Vector slopes = search_.evaluation().slopes(x_);
    static const std::vector<int> none;
    for (std::size_t r = 0; r < search_.num_runs(); ++r)
      sum += search_.run(r)
                 .linearize(*search_.system(r, x_), trajectories_.bases[r], trajectories_.z[r], weights_,
                            learns_ ? search_.evaluation().indices(r) : none, slopes, arrows_[r])
                 .sum();
    return sum;
  }

  /// False: the equations cannot be solved.
  bool solve() {
    const Eigen::Index m = learns_ ? x_.size() : 0;
    Matrix schur = Matrix::Zero(m, m);
    Vector right = Vector::Zero(m);
    if (learns_) {
      schur = search_.evaluation().precision();
      right = schur * (x_ - search_.evaluation().prior());
    }
    std::vector<Matrix> solutions;
    for (const ArrowSystem& arrow : arrows_) {
      PentadiagonalCholesky factor;
      if (!factor.factorize(arrow, banded_shift)) return false;
      Matrix sides(arrow.gradient_z.size(), 1 + m);
      sides << arrow.gradient_z, arrow.border;
      solutions.push_back(factor.solve(std::move(sides)));
      schur += arrow.corner - arrow.border.transpose() * solutions.back().rightCols(m);
      right += arrow.gradient_x - arrow.border.transpose() * solutions.back().col(0);
    }
    dx_ = Vector::Zero(x_.size());
    if (m > 0) {
      schur.diagonal().array() += schur_shift * schur.trace() / static_cast<double>(m);
      dx_ = -Eigen::LDLT<Matrix>(schur).solve(right);
    }
    dz_.clear();
    for (std::size_t r = 0; r < solutions.size(); ++r) {
      Vector dz = -solutions[r].col(0);
      if (m > 0) dz -= solutions[r].rightCols(m) * dx_;
      dz_.push_back(Eigen::Map<const Matrix>(dz.data(), trajectories_.z[r].rows(), trajectories_.z[r].cols()));
    }
    return dx_.allFinite();
  }

  /// The first step downhill; F there, or `before` where there is none.
  double line_search(double before) {
    for (double share = 1; share > least_step && !search_.is_stopped(); share *= 0.5) {
      Vector x = x_ + share * dx_;
      search_.evaluation().clamp(x);
      std::vector<Matrix> z;
      double sum = prior_at(x);
      for (std::size_t r = 0; r < search_.num_runs() && sum < before; ++r) {
        z.push_back(trajectories_.z[r] + share * dz_[r]);
        sum += search_.run(r).value(*search_.system(r, x), trajectories_.bases[r], z.back(), weights_).sum();
      }
      if (!(sum < before)) continue;
      trajectories_.z = std::move(z);
      x_ = x;
      return sum;
    }
    return before;
  }

 private:
  double prior_at(const Vector& x) const { return learns_ ? search_.evaluation().prior_at(x) : 0; }

  const SpaceTimeSearch& search_;
  SpaceTimeWeights weights_;
  bool learns_;
  Trajectories& trajectories_;
  Vector& x_;
  std::vector<ArrowSystem> arrows_;
  std::vector<Matrix> dz_;
  Vector dx_;
};

}  // namespace

std::vector<double> gauss_newton(const SpaceTimeSearch& search, int round, int max_iterations, bool learns,
                                 Trajectories& trajectories, Vector& x) {
  GaussNewton step(search, round, learns, trajectories, x);
  std::vector<double> values;
  for (int i = 0; i < max_iterations && !search.is_stopped(); ++i) {
    const double before = step.linearize();
    if (values.empty()) values.push_back(before);
    if (!std::isfinite(before) || !step.solve()) break;
    const double after = step.line_search(before);
    values.push_back(after);
    if (before - after < enough * before) break;
  }
  return values;
}

FitResult fit_space_time(const FitProblem& problem, const SpaceTimeOptions& options, const FitOptions& hooks,
                         const Vector& start) {
  SpaceTimeSearch search(
      problem, {options.num_modes, options.stiffness, options.tracking_stiffness, options.robust_scales}, hooks);
  Vector x = start.size() > 0 ? start : Vector(Vector::Zero(search.evaluation().size()));
  search.evaluation().clamp(x);
  Trajectories trajectories;
  if (search.begin(x, 0, trajectories)) {
    x = search.best();
    for (int round = 0; round < options.rounds && !search.is_stopped(); ++round) {
      gauss_newton(search, round, options.max_iterations, true, trajectories, x);
      if (!search.try_forward(x, round)) break;
      search.renew_modes(trajectories);
      search.tell_progress(static_cast<double>(round + 1) / options.rounds);
    }
  }
  return search.finish();
}

}  // namespace dashpot::learn
