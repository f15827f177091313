#include "dashpot/learn/identify_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

namespace dashpot::learn {
namespace {

/// Swings of a mean signal: when, how large, and up to when they were seen.
struct Swings {
  std::vector<double> time, size, last;
  std::vector<analysis::Extremum> turns;
};
Swings swings_of(const PreparedRun& run, const std::vector<double>& signal) {
  Swings swings;
  swings.turns = ring_of(run, signal).extrema;
  const auto& x = swings.turns;
  for (std::size_t k = 0; k + 2 < x.size(); ++k) {
    swings.time.push_back(x[k + 1].time);
    swings.size.push_back(0.25 * std::abs(x[k].value - 2 * x[k + 1].value + x[k + 2].value));
    swings.last.push_back(x[k + 2].time);
  }
  return swings;
}

}  // namespace

MotionResiduals::MotionResiduals(const PreparedRun& run, double last, double horizon) : run_(run) {
  const double from = run.measured.from, cycle = 2 * M_PI / run.omega,
               end = std::min(last, from + std::max(cycle, horizon * (last - from)));
  for (std::size_t i = 0; i < run.window.times.size(); ++i)
    if (run.window.times[i] >= run.measured.from && run.window.times[i] <= end) used_.push_back(i);
  const auto n = static_cast<Eigen::Index>(used_.size());
  Matrix basis(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t at = used_[static_cast<std::size_t>(i)];
    basis(i, 0) = 1 / run.sigma[at];
    basis(i, 1) = (run.window.times[at] - run.measured.from) / run.sigma[at];
  }
  basis.col(1) /= std::max(basis.col(1).norm(), 1e-300);
  basis.col(0) /= std::max(basis.col(0).norm(), 1e-300);
  Q_ = Eigen::HouseholderQR<Matrix>(basis).householderQ() * Matrix::Identity(n, 2);
}
Vector MotionResiduals::of(const SimulatedRing& ring) const {
  const Eigen::Index n = instants();
  Matrix r(n, static_cast<Eigen::Index>(ring.along.size()));
  for (Eigen::Index k = 0; k < r.cols(); ++k)
    for (Eigen::Index i = 0; i < n; ++i) {
      const std::size_t at = used_[static_cast<std::size_t>(i)];
      const auto p = static_cast<std::size_t>(k);
      r(i, k) = (ring.along[p][at] - run_.measured.direction.dot(run_.window.positions[at][p])) / run_.sigma[at];
    }
  r -= Q_ * (Q_.transpose() * r);
  return Eigen::Map<const Vector>(r.data(), r.size());
}

EnvelopeResiduals::EnvelopeResiduals(const PreparedRun& run, double end, double error) : run_(run), error_(error) {
  const Swings all = swings_of(run, mean_signal(measured_ring(run)));
  turns_ = all.turns;
  for (std::size_t k = 0; k < all.time.size(); ++k) {
    if (all.last[k] > end + 0.02 * 2 * M_PI / run.omega && !time_.empty()) break;
    time_.push_back(all.time[k]);
    size_.push_back(all.size[k]);
  }
}

Vector EnvelopeResiduals::of(const SimulatedRing& ring) const {
  Vector r = Vector::Constant(count(), std::numeric_limits<double>::quiet_NaN());
  if (time_.empty()) return r;
  const Swings swings = swings_of(run_, mean_signal(ring));
  if (swings.time.size() < 2) return r;
  std::size_t i = 0;
  for (std::size_t k = 0; k < time_.size(); ++k) {
    while (i + 2 < swings.time.size() && time_[k] > swings.time[i + 1]) ++i;
    const double s = std::clamp((time_[k] - swings.time[i]) / (swings.time[i + 1] - swings.time[i]), -2.0, 2.0);
    r[static_cast<Eigen::Index>(k)] =
        ((1 - s) * std::log(swings.size[i]) + s * std::log(swings.size[i + 1]) - std::log(size_[k])) / error_;
  }
  const std::size_t turns = std::min({time_.size() + 1, turns_.size() - 1, swings.turns.size() - 1});
  const double period = 2 * (turns_[turns].time - turns_[0].time) / static_cast<double>(turns),
               simulated = 2 * (swings.turns[turns].time - swings.turns[0].time) / static_cast<double>(turns);
  // The turning points are paired by direction: a half cycle more or less is a phase too.
  const bool same_way = (turns_[0].value > turns_[1].value) == (swings.turns[0].value > swings.turns[1].value);
  const double lag = swings.turns[0].time - turns_[0].time, half = lag > 0 ? -0.5 : 0.5;
  r[r.size() - 2] = (period / simulated - 1) / (0.25 * error_);
  r[r.size() - 1] = (lag / period + (same_way ? 0 : half)) / error_;
  return r;
}

double correlation_of(const Vector& residuals, Eigen::Index instants) {
  const Eigen::Index points = residuals.size() / std::max<Eigen::Index>(instants, 1);
  if (instants < 4 || !(residuals.squaredNorm() > 0)) return 1;
  const Eigen::Map<const Matrix> R(residuals.data(), instants, points);
  const double variance = R.squaredNorm() / static_cast<double>(R.size());
  double sum = 1;
  for (Eigen::Index lag = 1; lag < instants / 2; ++lag) {
    const double c = (R.topRows(instants - lag).cwiseProduct(R.bottomRows(instants - lag))).sum() /
                     static_cast<double>(points * (instants - lag)) / variance;
    if (c <= 0.05) break;
    sum += 2 * c;
  }
  const double together = R.rowwise().mean().squaredNorm() / static_cast<double>(instants) / variance;
  return sum * std::max(1.0, together * static_cast<double>(points));
}

}  // namespace dashpot::learn
