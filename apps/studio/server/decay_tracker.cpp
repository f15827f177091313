#include "decay_tracker.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace dashpot::studio {
namespace {

constexpr double faintest = 1e-4;  // of the largest amplitude: below it other motion is read as this one

/// Where the cubic with values s0, s1 and slopes r0, r1 (of different sign) over h turns: its time after the start, and
/// its value there.
std::pair<double, double> turning_point(double s0, double r0, double s1, double r1, double h) {
  // s(u) on u in [0, 1]; ds/du = a u^2 + b u + c.
  const double a = 6 * (s0 - s1) + 3 * h * (r0 + r1), b = 6 * (s1 - s0) - 2 * h * (2 * r0 + r1), c = h * r0;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * (low + high);
    (((a * u + b) * u + c > 0) == (c > 0) ? low : high) = u;
  }
  const double u = 0.5 * (low + high), u2 = u * u, u3 = u2 * u;
  const double s =
      (2 * u3 - 3 * u2 + 1) * s0 + (u3 - 2 * u2 + u) * h * r0 + (3 * u2 - 2 * u3) * s1 + (u3 - u2) * h * r1;
  return {u * h, s};
}

}  // namespace

DecayTracker::DecayTracker(double released, const Vec3& origin, const Vec3& direction)
    : is_active_(direction.norm() > 0), released_(released), origin_(origin), direction_(direction.normalized()) {}

void DecayTracker::add(double time, const Vec3& position, const Vec3& velocity) {
  if (!is_active_) return;
  const Sample now{time, direction_.dot(position - origin_), direction_.dot(velocity)};
  if (!last_) {
    turn(time, now.s);
  } else if (last_->rate * now.rate < 0) {
    const auto [after, s] = turning_point(last_->s, last_->rate, now.s, now.rate, now.time - last_->time);
    turn(last_->time + after, s);
  }
  last_ = now;
}

void DecayTracker::turn(double time, double s) {
  if (turning_) {
    const double amplitude = 0.5 * std::abs(s - *turning_);
    if (amplitude < faintest * largest_) return;
    largest_ = std::max(largest_, amplitude);
    peaks_.push_back({time - released_, amplitude});
    if (amplitude_before_ && amplitude > 0) {
      const double l = std::log(*amplitude_before_ / amplitude);
      ratios_.push_back({std::sqrt(*amplitude_before_ * amplitude), l / std::hypot(2 * std::numbers::pi, l)});
    }
    amplitude_before_ = amplitude_;
    amplitude_ = amplitude;
  }
  turning_ = s;
}

std::vector<DecayTracker::Peak> DecayTracker::take_peaks() { return std::exchange(peaks_, {}); }
std::vector<DecayTracker::Ratio> DecayTracker::take_ratios() { return std::exchange(ratios_, {}); }

}  // namespace dashpot::studio
