#include "dashpot/design/envelope.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::design {
namespace {

constexpr int max_iterations = 12;
constexpr double difference = 0.02;  // of log10 gamma: 5 % of the gain, well above the noise of peak reading

void check(const Designable& body, const EnvelopeTarget& target) {
  std::vector<Problem> problems;
  const auto add = [&](std::string found, std::string expected) {
    problems.push_back({"envelope", std::move(found), std::move(expected)});
  };
  if (target.example < 0 || target.example >= body.num_examples())
    add(fmt::format("example {}", target.example), "an example of the damping");
  if (!(target.amplitude > 0)) add(fmt::format("a release from {}", target.amplitude), "an amplitude above 0");
  if (target.points.size() < 2) add(fmt::format("{} points", target.points.size()), "at least two");
  for (std::size_t i = 0; i < target.points.size(); ++i) {
    const EnvelopePoint& point = target.points[i];
    if (!(point.amplitude > 0) || !std::isfinite(point.amplitude))
      add(fmt::format("amplitude {} at {} s", point.amplitude, point.time), "a finite amplitude above 0");
    if (!(point.time >= 0) || (i > 0 && !(point.time > target.points[i - 1].time)))
      add(fmt::format("time {} s as number {}", point.time, i + 1), "times from 0 on, ascending");
  }
  for (std::size_t i = 0; i < target.knots.size(); ++i)
    if (!(target.knots[i] >= 0) || (i > 0 && !(target.knots[i] > target.knots[i - 1])))
      add(fmt::format("a knot at {}", target.knots[i]), "amplitudes from 0 on, ascending");
  if (target.knots.size() > target.points.size())
    add(fmt::format("{} knots for {} points", target.knots.size(), target.points.size()), "no more knots than points");
  if (!problems.empty()) throw Error(std::move(problems));
}

/// Knots spread evenly in the logarithm of the amplitudes that occur.
std::vector<double> default_knots(const EnvelopeTarget& target) {
  double low = target.amplitude, high = target.amplitude;
  for (const EnvelopePoint& point : target.points) {
    low = std::min(low, point.amplitude);
    high = std::max(high, point.amplitude);
  }
  const std::size_t count = std::min<std::size_t>(3, target.points.size());
  std::vector<double> knots;
  for (std::size_t i = 0; i < count; ++i) {
    const double s = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    knots.push_back(low * std::pow(high / low, s));
  }
  return high > low ? knots : std::vector<double>{high};
}

class Fitter {
 public:
  Fitter(const Designable& body, const Gains& start, const EnvelopeTarget& target, const UnloadingOptions& options)
      : body_(body), target_(target), options_(options) {
    fit_.gains = start;
    fit_.knots = target.knots.empty() ? default_knots(target) : target.knots;
    const math::GainCurve& curve = start[static_cast<std::size_t>(target.example)];
    y_.resize(static_cast<Eigen::Index>(fit_.knots.size()));
    for (Eigen::Index i = 0; i < y_.size(); ++i)
      y_[i] = std::log10(std::clamp(curve.value(fit_.knots[static_cast<std::size_t>(i)]), options.low, options.high));
  }

  EnvelopeFit run() {
    Vector r = residual(y_);
    double lambda = 1e-3;
    const double content = target_.tolerance * std::sqrt(static_cast<double>(r.size()));
    for (int iteration = 0; iteration < max_iterations && !fit_.stopped && r.norm() > content; ++iteration) {
      const Matrix J = jacobian(r);
      if (fit_.stopped) break;
      const double before = r.squaredNorm();
      if (!improve(J, r, lambda)) break;
      if (r.squaredNorm() > 0.999 * before || r.norm() < 1e-4) break;
    }
    finish(r);
    return fit_;
  }

 private:
  void set_gains(const Vector& y) {
    std::vector<math::GainCurve::Point> points;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      points.push_back({fit_.knots[static_cast<std::size_t>(i)], std::pow(10, y[i])});
    fit_.gains[static_cast<std::size_t>(target_.example)] =
        math::GainCurve::through(points, math::GainCurve::Kind::linear);
  }

  /// (simulated - measured) / a at each point.
  Vector residual(const Vector& y) {
    set_gains(y);
    ++fit_.simulations;
    const double duration = target_.points.back().time;
    const Swing swing =
        release(body_, fit_.gains, {target_.example, target_.amplitude, duration, options_.should_stop});
    fit_.stopped |= swing.end == Swing::End::stopped;
    if (swing.end == Swing::End::failed)
      throw Error(Problem{"envelope", "the release failed: " + swing.explanation, "a release that can be simulated",
                          "lower the amplitude or the time step"});
    fit_.simulated = envelope_of(swing, target_.amplitude, target_.points);
    Vector r(static_cast<Eigen::Index>(target_.points.size()));
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      r[i] = (fit_.simulated[k] - target_.points[k].amplitude) / target_.amplitude;
    }
    if (options_.on_simulation)
      options_.on_simulation({target_.example, target_.amplitude, 0}, fit_.simulations, std::pow(10, y[0]), r.norm());
    return r;
  }

  Matrix jacobian(const Vector& r) {
    Matrix J(r.size(), y_.size());
    for (Eigen::Index i = 0; i < y_.size() && !fit_.stopped; ++i) {
      Vector moved = y_;
      const double step = moved[i] + difference > std::log10(options_.high) ? -difference : difference;
      moved[i] += step;
      J.col(i) = (residual(moved) - r) / step;
    }
    return J;
  }

  /// A damped Gauss-Newton step; false when none helps.
  bool improve(const Matrix& J, Vector& r, double& lambda) {
    const Matrix H = J.transpose() * J;
    const Vector g = J.transpose() * r;
    const double scale = H.trace() / static_cast<double>(H.rows());
    for (int attempt = 0; attempt < 6; ++attempt, lambda *= 10) {
      Vector y = y_ - (H + lambda * scale * Matrix::Identity(H.rows(), H.cols())).ldlt().solve(g);
      for (double& value : y) value = std::clamp(value, std::log10(options_.low), std::log10(options_.high));
      const Vector now = residual(y);
      if (fit_.stopped) return false;
      if (now.squaredNorm() >= r.squaredNorm()) continue;
      y_ = y;
      r = now;
      lambda = std::max(1e-6, lambda * 0.1);
      return true;
    }
    return false;
  }

  void finish(const Vector& r) {
    set_gains(y_);
    fit_.knot_gains.clear();
    for (Eigen::Index i = 0; i < y_.size(); ++i) fit_.knot_gains.push_back(std::pow(10, y_[i]));
    fit_.rms_error = r.norm() / std::sqrt(static_cast<double>(r.size()));
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      fit_.simulated[k] = target_.points[k].amplitude + r[i] * target_.amplitude;
    }
  }

  const Designable& body_;
  const EnvelopeTarget& target_;
  const UnloadingOptions& options_;
  EnvelopeFit fit_;
  Vector y_;
};

}  // namespace

std::vector<double> envelope_of(const Swing& swing, double amplitude, const std::vector<EnvelopePoint>& points) {
  // Support points of the envelope: the release, then the turning points; a creeping body is its own envelope.
  std::vector<double> times{0}, amplitudes{amplitude};
  if (swing.peak.empty()) {
    times = swing.time;
    amplitudes.clear();
    for (const double chi : swing.chi) amplitudes.push_back(std::abs(chi));
  } else {
    times.insert(times.end(), swing.peak_time.begin(), swing.peak_time.end());
    amplitudes.insert(amplitudes.end(), swing.peak.begin(), swing.peak.end());
  }
  constexpr double tiny = 1e-12;
  std::vector<double> values;
  for (const EnvelopePoint& point : points) {
    std::size_t k = 1;
    while (k + 1 < times.size() && times[k] < point.time) ++k;
    if (times.size() == 1) {
      values.push_back(amplitudes[0]);
      continue;
    }
    const double s = (point.time - times[k - 1]) / (times[k] - times[k - 1]);
    const double a = std::max(amplitudes[k - 1], tiny), b = std::max(amplitudes[k], tiny);
    values.push_back(a * std::pow(b / a, s));
  }
  return values;
}

EnvelopeFit fit_envelope(const Designable& body, const Gains& start, const EnvelopeTarget& target,
                         const UnloadingOptions& options) {
  check(body, target);
  return Fitter(body, start, target, options).run();
}

}  // namespace dashpot::design
