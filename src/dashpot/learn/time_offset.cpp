#include "dashpot/learn/time_offset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {
namespace {

/// A wrong rate is told when it leaves less than this part of the misfit.
constexpr double clearly_better = 0.25;

/// Positions of followed points between the frames of a run.
class FollowedRun {
 public:
  FollowedRun(const std::vector<MaterialPoint>& points, const Recording& run) {
    for (const Frame& frame : run.frames) {
      if (!times_.empty() && frame.time <= times_.back()) continue;
      times_.push_back(frame.time);
      x_.emplace_back();
      v_.emplace_back();
      for (const MaterialPoint& point : points) {
        x_.back().push_back(point.at(frame.points));
        v_.back().push_back(frame.velocities.empty() ? Vec3::Constant(nan) : point.at(frame.velocities));
      }
    }
  }
  double start() const { return times_.front(); }
  double end() const { return times_.back(); }
  std::size_t size() const { return times_.size(); }

  /// Cubic between two frames; linear where a run has no velocities. `time` within the run.
  Vec3 at(std::size_t point, double time) const {
    std::size_t i = static_cast<std::size_t>(std::ranges::upper_bound(times_, time) - times_.begin());
    i = std::clamp<std::size_t>(i, 1, times_.size() - 1);
    const double h = times_[i] - times_[i - 1], s = (time - times_[i - 1]) / h;
    const Vec3 &a = x_[i - 1][point], &b = x_[i][point], &va = v_[i - 1][point], &vb = v_[i][point];
    if (!va.allFinite() || !vb.allFinite()) return a + s * (b - a);
    const double r = 1 - s;
    return r * r * (1 + 2 * s) * a + s * s * (1 + 2 * r) * b + h * s * r * (r * va - s * vb);
  }

 private:
  std::vector<double> times_;
  std::vector<std::vector<Vec3>> x_, v_;
};

/// misfit(offset) with the clock of the capture `rate` times as fast; 2: too little overlap.
class ClockMisfit {
 public:
  ClockMisfit(const Tracks& tracks, const FollowedRun& run, double rate) : tracks_(tracks), run_(run), rate_(rate) {}

  double first() const { return tracks_.times.front() / rate_; }
  double last() const { return tracks_.times.back() / rate_; }

  double operator()(double offset) const {
    const double overlap = std::min(last() + offset, run_.end()) - std::max(first() + offset, run_.start());
    if (overlap < 0.5 * std::min(last() - first(), run_.end() - run_.start())) return 2;
    double difference = 0, motion = 0;
    for (std::size_t k = 0; k < tracks_.names.size(); ++k) {
      const Vec3 home = run_.at(k, run_.start());
      Vec3 sum_x = Vec3::Zero(), sum_s = Vec3::Zero();
      double square = 0, count = 0;
      for (std::size_t i = 0; i < tracks_.times.size(); ++i) {
        const double time = tracks_.times[i] / rate_ + offset;
        const Vec3& s = tracks_.positions[i][k];
        if (time < run_.start() || time > run_.end() || !s.allFinite()) continue;
        const Vec3 x = run_.at(k, time);
        difference += (x - s).squaredNorm();
        const Vec3 from_x = x - home, from_s = s - home;  // for digits
        sum_x += from_x, sum_s += from_s;
        square += from_x.squaredNorm() + from_s.squaredNorm();
        count += 1;
      }
      if (count > 0) motion += square - (sum_x.squaredNorm() + sum_s.squaredNorm()) / count;
    }
    return motion > 0 ? difference / motion : 2;
  }

 private:
  const Tracks& tracks_;
  const FollowedRun& run_;
  double rate_;
};

struct Minimum {
  double offset = 0, misfit = 2;
};

/// Grid, then golden section around its best point.
Minimum least_misfit(const ClockMisfit& misfit, const FollowedRun& run, const OffsetSearch& search) {
  const double half = 0.5 * std::min(misfit.last() - misfit.first(), run.end() - run.start());
  const double low = std::max(search.from, run.start() + half - misfit.last());
  const double high = std::min(search.to, run.end() - half - misfit.first());
  Minimum best;
  if (!(high >= low)) return best;
  const double frame = (run.end() - run.start()) / static_cast<double>(run.size() - 1);
  const int steps = std::clamp(static_cast<int>((high - low) / (0.5 * frame)), 1, 4000);
  for (int i = 0; i <= steps; ++i) {
    const double offset = low + (high - low) * i / steps, value = misfit(offset);
    if (value < best.misfit) best = {offset, value};
  }
  double a = std::max(low, best.offset - (high - low) / steps), b = std::min(high, best.offset + (high - low) / steps);
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = misfit(c), at_d = misfit(d);
  for (int i = 0; i < 60; ++i) {
    if (at_c < at_d) {
      b = d, d = c, at_d = at_c, c = b - golden * (b - a), at_c = misfit(c);
    } else {
      a = c, c = d, at_c = at_d, d = a + golden * (b - a), at_d = misfit(d);
    }
  }
  const double middle = 0.5 * (a + b), value = misfit(middle);
  if (value < best.misfit) best = {middle, value};
  return best;
}

}  // namespace

OffsetFit fit_time_offset(const Tracks& tracks, const std::vector<MaterialPoint>& points, const Recording& run,
                          const OffsetSearch& search) {
  const FollowedRun followed(points, run);
  if (tracks.num_seen() < 4 || followed.size() < 4)
    throw Error(Problem{tracks.source,
                        fmt::format("{} measured instants, {} frames of the run", tracks.num_seen(), followed.size()),
                        "at least 4 of both, to find the time offset", "give the offset"});
  const Minimum best = least_misfit(ClockMisfit(tracks, followed, 1), followed, search);
  if (!(best.misfit < 2))
    throw Error(Problem{tracks.source,
                        fmt::format("instants from {:.4g} to {:.4g} s for a run from {:.4g} to {:.4g} s",
                                    tracks.times.front(), tracks.times.back(), followed.start(), followed.end()),
                        "an offset for which half of the shorter one overlaps, within those that are possible",
                        "let the run last longer, or widen the range of offsets"});
  OffsetFit fit{best.offset, best.misfit, 1};
  double least = clearly_better * best.misfit;
  for (const double factor : {0.1, 0.25, 0.5, 2.0, 4.0, 10.0}) {
    const double misfit = least_misfit(ClockMisfit(tracks, followed, factor), followed, {}).misfit;
    if (!(misfit < least) || misfit > 0.3) continue;
    least = misfit;
    fit.rate_factor = factor;
  }
  return fit;
}

double release_time(const Tracks& tracks) {
  double farthest = 0;
  std::vector<Vec3> first;
  for (int k = 0; k < tracks.num_tracks(); ++k) first.push_back(tracks.first_position(k));
  const auto moved = [&](std::size_t i) {
    double most = 0;
    for (std::size_t k = 0; k < first.size(); ++k)
      if (tracks.positions[i][k].allFinite()) most = std::max(most, (tracks.positions[i][k] - first[k]).norm());
    return most;
  };
  for (std::size_t i = 0; i < tracks.times.size(); ++i) farthest = std::max(farthest, moved(i));
  const auto refuse = [&](const char* found) {
    throw Error(Problem{tracks.source, found, "a body that is held still and then released", "give the time offset"});
  };
  if (!(farthest > 0)) refuse("nothing moves");
  for (std::size_t i = 0; i < tracks.times.size(); ++i) {
    if (moved(i) <= 0.05 * farthest) continue;
    if (i < 2) refuse("everything moves from the first frame on");
    return tracks.times[i - 1];
  }
  return tracks.times.front();
}

}  // namespace dashpot::learn
