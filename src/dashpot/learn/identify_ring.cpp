// What is read off captures alone: direction, frequency, envelope, and the window that is looked at.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/identify.hpp"

namespace dashpot::learn {
namespace {

constexpr double least_share = 0.03;  // of the first amplitude, that is still looked at
constexpr double noise_factor = 8;

/// Mean of the points, where all are seen.
bool mean_at(const Tracks& tracks, std::size_t instant, Vec3& mean) {
  mean.setZero();
  for (const Vec3& x : tracks.positions[instant]) {
    if (!x.allFinite()) return false;
    mean += x;
  }
  mean /= static_cast<double>(tracks.positions[instant].size());
  return true;
}

analysis::RingDown ring_of(const MeasuredRing& ring, double start, double end) {
  analysis::RingDownOptions options;
  options.start = start;
  options.end = end;
  options.max_modes = 1;
  return analysis::measure_ring_down(ring.time, ring.signal, options);
}

}  // namespace

MeasuredRing measure_ring(const RingRun& run, const IdentifyOptions& options) {
  MeasuredRing result;
  std::vector<Vec3> path;
  for (std::size_t i = 0; i < run.tracks.times.size(); ++i) {
    Vec3 mean;
    if (run.tracks.times[i] < 0 || !mean_at(run.tracks, i, mean)) continue;
    path.push_back(mean);
    result.time.push_back(run.tracks.times[i]);
  }
  const auto refuse = [&](const std::string& found, const std::string& expected, const std::string& remedy) {
    throw Error(Problem{run.name, found, expected, remedy});
  };
  if (path.size() < 12)
    refuse(fmt::format("{} instants at which all {} points are seen, of {} frames", path.size(),
                       run.tracks.num_tracks(), run.tracks.num_instants()),
           "a ring-down: at least 12 instants after the release",
           "check for empty frames, for the offset of the clock, and for markers that are often hidden");
  Vec3 center = Vec3::Zero();
  for (const Vec3& x : path) center += x / static_cast<double>(path.size());
  Mat3 covariance = Mat3::Zero();
  for (const Vec3& x : path) covariance += (x - center) * (x - center).transpose();
  result.direction = Eigen::SelfAdjointEigenSolver<Mat3>(covariance).eigenvectors().col(2);
  Eigen::Index largest = 0;
  result.direction.cwiseAbs().maxCoeff(&largest);
  if (result.direction[largest] < 0) result.direction = -result.direction;
  for (const Vec3& x : path) result.signal.push_back(result.direction.dot(x - center));

  const double last = result.time.back();
  analysis::RingDown whole = ring_of(result, result.time.front(), last);
  if (!(whole.frequency > 0) || whole.extrema.size() < 4)
    refuse("no oscillation was found", "a body that rings after its release",
           "look at it with 'dashpot measure': is this the right file, and the right points?");
  // The first turning point that comes a good quarter of a cycle after the release.
  const double release = result.time.front();
  const auto first = std::ranges::find_if(
      whole.extrema, [&](const analysis::Extremum& e) { return e.time > release + 0.3 / whole.frequency; });
  if (first == whole.extrema.end()) refuse("it never turns after the release", "a ring-down", "");
  result.from = first->time;
  result.ring = ring_of(result, result.from - 0.3 / whole.frequency, last);
  result.smallest = options.smallest > 0
                        ? options.smallest
                        : std::max(least_share * result.ring.initial_amplitude, noise_factor * result.ring.noise);
  result.to = result.from;
  for (const analysis::RingCycle& cycle : result.ring.cycles)
    if (cycle.amplitude >= result.smallest) result.to = std::max(result.to, cycle.time);
  const double num_cycles = (result.to - result.from) * result.ring.frequency;
  if (num_cycles < 2)
    refuse(fmt::format("{:.2g} cycles above {}", num_cycles, describe_quantity(result.smallest, Quantity::length, 3)),
           "at least two, better ten", "a larger release, a longer capture, or a smaller --smallest");
  result.middle = result.from + std::clamp(options.fitted_share, 0.1, 1.0) * (result.to - result.from);
  return result;
}

double envelope_error(const analysis::RingDown& measured, const analysis::RingDown& simulated, double from, double to,
                      double smallest) {
  double worst = std::numeric_limits<double>::quiet_NaN();
  const auto& cycles = simulated.cycles;
  for (const analysis::RingCycle& cycle : measured.cycles) {
    if (cycle.time < from || cycle.time > to || cycle.amplitude < smallest) continue;
    // Between two cycles the envelope is taken to decay exponentially; beyond them the body is at rest.
    double there = 0;
    for (std::size_t i = 0; i + 1 < cycles.size(); ++i) {
      const bool is_last = i + 2 == cycles.size(), is_first = i == 0;
      if (cycle.time < cycles[i].time && !is_first) continue;
      if (cycle.time > cycles[i + 1].time && !is_last) continue;
      const double s = (cycle.time - cycles[i].time) / (cycles[i + 1].time - cycles[i].time);
      if (s < -1 || s > 2) continue;
      there = std::exp((1 - s) * std::log(cycles[i].amplitude) + s * std::log(cycles[i + 1].amplitude));
      break;
    }
    const double error = std::abs(there / cycle.amplitude - 1);
    worst = std::isnan(worst) ? error : std::max(worst, error);
  }
  return worst;
}

}  // namespace dashpot::learn
