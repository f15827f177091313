#include "dashpot/learn/alternation.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

#include "dashpot/learn/space_time_search.hpp"

namespace dashpot::learn {
namespace {

/// The weights that leave the least force in these trajectories.
Vector fitted_weights(const SpaceTimeSearch& search, int round, double ridge, const Trajectories& trajectories,
                      const Vector& x) {
  const Eigen::Index n = x.size();
  Matrix normal = Matrix::Zero(n, n);
  Vector gradient = Vector::Zero(n);
  const Vector slopes = search.evaluation().slopes(x);
  for (std::size_t r = 0; r < search.num_runs(); ++r) {
    ArrowSystem arrow(search.run(r).num_steps(), trajectories.bases[r].size(), n);
    search.run(r).linearize(*search.system(r, x), trajectories.bases[r], trajectories.z[r], search.weights(round),
                            search.evaluation().indices(r), slopes, arrow);
    normal += arrow.corner;
    gradient += arrow.gradient_x;
  }
  const Matrix& P = search.evaluation().precision();
  const double largest = P.diagonal().maxCoeff(), mean = normal.trace() / static_cast<double>(n);
  if (largest > 0) {
    normal += ridge * mean / largest * P;
    gradient += ridge * mean / largest * P * (x - search.evaluation().prior());
  }
  normal.diagonal().array() += 1e-12 * mean;
  return x - Eigen::LDLT<Matrix>(normal).solve(gradient);
}

}  // namespace

FitResult fit_alternation(const FitProblem& problem, const AlternationOptions& options, const FitOptions& hooks,
                          const Vector& start) {
  SpaceTimeSearch search(
      problem, {options.num_modes, options.stiffness, options.tracking_stiffness, options.robust_scales}, hooks);
  Vector x = start.size() > 0 ? start : Vector(Vector::Zero(search.evaluation().size()));
  search.evaluation().clamp(x);
  Trajectories trajectories;
  if (!search.begin(x, 0, trajectories)) return search.finish();
  x = search.best();
  for (int i = 0; i < options.iterations && !search.is_stopped(); ++i) {
    gauss_newton(search, i, options.max_iterations, false, trajectories, x);
    x = fitted_weights(search, i, options.ridge, trajectories, x);
    search.evaluation().clamp(x);
    if (!x.allFinite() || !search.try_forward(x, i)) break;
    search.tell_progress(static_cast<double>(i + 1) / options.iterations);
    if (i + 1 < options.iterations && !search.track_again(x, i + 1, trajectories)) break;
  }
  return search.finish();
}

}  // namespace dashpot::learn
