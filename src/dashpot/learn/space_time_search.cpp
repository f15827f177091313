#include "dashpot/learn/space_time_search.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/learn/simulated_motion.hpp"

namespace dashpot::learn {
namespace {

constexpr double drawback = 0.5;  // of x - best x, where a law cannot be simulated
constexpr int max_drawbacks = 6;

/// The standard deviation of a measured coordinate [m]: residuals that are no outliers have a slope of one over it.
double position_sigma(const ObservedRun& run) {
  std::vector<Vec3> points;
  run.scene->system->kinematics().positions(run.scene->start.q, points);
  double steepest = 0;
  ResidualRows rows;
  for (const auto& observation : run.observations) {
    if (observation->times().empty()) continue;
    rows.clear();
    observation->add_residuals(0, points, std::numeric_limits<double>::infinity(), rows);
    for (int row = 0; row < rows.size(); ++row) {
      Vec3 slope = Vec3::Zero();
      for (int e = rows.first_entry[static_cast<std::size_t>(row)];
           e < rows.first_entry[static_cast<std::size_t>(row) + 1]; ++e)
        slope += rows.entries[static_cast<std::size_t>(e)].slope;
      steepest = std::max(steepest, slope.norm());
    }
  }
  return steepest > 0 ? 1 / steepest : 1e-4 * rest_diagonal(*run.scene);
}

Matrix side_by_side(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

Matrix projected(const PodBasis& basis, const Matrix& frames) {
  return basis.modes.transpose() * (frames.colwise() - basis.mean);
}

}  // namespace

SpaceTimeSearch::SpaceTimeSearch(const FitProblem& problem, const Settings& settings, const FitOptions& hooks)
    : problem_(problem), settings_(settings), hooks_(hooks), evaluation_(problem) {
  sigma_position_ = std::numeric_limits<double>::infinity();
  for (const ObservedRun& run : problem.runs) {
    runs_.emplace_back(run);
    sigma_position_ = std::min(sigma_position_, position_sigma(run));
    for (const auto& observation : run.observations) is_robust_ |= observation->is_robust();
  }
  forward_.resize(runs_.size());
}

std::shared_ptr<const System> SpaceTimeSearch::system(std::size_t r, const Vector& x) const {
  return runs_[r].scene().system->with(problem_.values(runs_[r].run(), x));
}

SpaceTimeWeights SpaceTimeSearch::weights(int round) const {
  SpaceTimeWeights weights;
  weights.sigma_force = settings_.stiffness * sigma_position_;
  if (is_robust_ && !settings_.robust_scales.empty())
    weights.robust_scale =
        settings_.robust_scales[std::min(static_cast<std::size_t>(round), settings_.robust_scales.size() - 1)];
  return weights;
}

PodBasis SpaceTimeSearch::basis_of(std::size_t r, const Matrix& frames) const {
  const std::vector<std::uint8_t>& is_free = runs_[r].scene().system->is_free();
  if (settings_.num_modes > 0) return pod_basis(frames, is_free, settings_.num_modes);
  return full_basis(frames.rowwise().mean(), is_free);
}

bool SpaceTimeSearch::simulate(const Vector& x) {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    TrackedRun run = simulate_frames(runs_[r], *system(r, x), hooks_.should_stop);
    ++result_.num_simulations;
    if (!run.finished) {
      explanation_ = fmt::format("{}: {}", runs_[r].run().name, run.explanation);
      return false;
    }
    forward_[r] = std::move(run.frames);
  }
  return true;
}

bool SpaceTimeSearch::track_again(const Vector& x, int round, Trajectories& trajectories) {
  trajectories.bases.resize(runs_.size());
  trajectories.z.resize(runs_.size());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    TrackingOptions options;
    options.stiffness = settings_.tracking_stiffness;
    options.robust_scales = {weights(round).robust_scale};
    options.should_stop = hooks_.should_stop;
    const TrackedRun drawn = track(runs_[r], *system(r, x), options);
    if (!drawn.finished) {
      explanation_ = fmt::format("{}: {}", runs_[r].run().name, drawn.explanation);
      return false;
    }
    trajectories.bases[r] = basis_of(r, side_by_side(forward_[r], drawn.frames));
    trajectories.z[r] = projected(trajectories.bases[r], drawn.frames);
  }
  return true;
}

bool SpaceTimeSearch::begin(const Vector& x, int round, Trajectories& trajectories) {
  Vector first = x;
  return try_forward(first, round) && track_again(first, round, trajectories);
}

void SpaceTimeSearch::renew_modes(Trajectories& trajectories) const {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Matrix frames = runs_[r].frames(trajectories.bases[r], trajectories.z[r]);
    trajectories.bases[r] = basis_of(r, side_by_side(forward_[r], frames));
    trajectories.z[r] = projected(trajectories.bases[r], frames);
  }
}

bool SpaceTimeSearch::try_forward(Vector& x, int round) {
  FitEvaluation::Request request{{1, weights(round).robust_scale, 0}, false};
  request.should_stop = hooks_.should_stop;
  for (int i = 0; i <= max_drawbacks; ++i) {
    const Comparison found = evaluation_.at(x, request);
    ++result_.num_simulations;
    if (is_stopped()) return false;
    if (found.reached() && simulate(x)) {
      const double value = found.chi2 + evaluation_.prior_at(x);
      // A tighter robust scale has another chi2: the best law so far has to be compared by it.
      if (best_.size() > 0 && request.stage.robust_scale != best_scale_) {
        const Comparison again = evaluation_.at(best_, request);
        ++result_.num_simulations;
        best_value_ = again.reached() ? again.chi2 + evaluation_.prior_at(best_) : HUGE_VAL;
      }
      best_scale_ = request.stage.robust_scale;
      const bool is_better = best_.size() == 0 || value < best_value_;
      if (is_better) {
        best_ = x;
        best_value_ = value;
      }
      FitIteration& iteration = result_.iterations.emplace_back();
      iteration.stage = static_cast<std::size_t>(round);
      iteration.chi2 = found.chi2;
      iteration.prior = evaluation_.prior_at(x);
      iteration.num_residuals = found.num_residuals;
      iteration.accepted = is_better;
      if (i > 0) iteration.note = fmt::format("drawn back {} times", i);
      if (!is_better) iteration.note = "no better";
      if (hooks_.on_iteration) hooks_.on_iteration(result_.iterations.back(), x);
      return true;
    }
    if (!found.reached()) explanation_ = found.explanation;
    const Vector towards = best_.size() > 0 ? best_ : evaluation_.prior();
    x = towards + drawback * (x - towards);
  }
  return false;
}

FitResult SpaceTimeSearch::finish() {
  result_.x = best_.size() > 0 ? best_ : evaluation_.prior();
  result_.explanation = explanation_;
  Comparison last;
  if (best_.size() > 0 && !is_stopped()) {
    FitEvaluation::Request request{{1, weights(static_cast<int>(settings_.robust_scales.size())).robust_scale, 0}};
    request.should_stop = hooks_.should_stop;
    last = evaluation_.at(result_.x, request);
    ++result_.num_simulations;
  }
  if (!last.reached() || last.num_residuals == 0) {
    last = Comparison();
    for (const FitIteration& iteration : result_.iterations)
      if (iteration.accepted) last.chi2 = iteration.chi2, last.num_residuals = iteration.num_residuals;
    last.JtJ = Matrix::Zero(evaluation_.size(), evaluation_.size());
  }
  complete(problem_, evaluation_, last, result_);
  if (is_stopped())
    result_.end = FitResult::End::stopped;
  else if (best_.size() == 0)
    result_.end = FitResult::End::failed;
  return std::move(result_);
}

}  // namespace dashpot::learn
