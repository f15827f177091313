#include "dashpot/learn/identify_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/learn/observed_run.hpp"
#include "dashpot/learn/trajectory_observation.hpp"
#include "dashpot/modes/system_modes.hpp"

namespace dashpot::learn {
namespace {

// Cycles that are simulated after the last one that is looked at. A cycle is read from five turning points, two of them
// after its middle (1). The simulated cycle that follows is read too (0.5), so that the envelope at the last measured
// peak lies between two cycles. Phases may differ by half a cycle (0.5), and a turning point is seen a little later
// than it comes (0.2).
constexpr double window_after = 2.2;

/// Mean motion of the points for rates of the coordinates.
Vec3 mean_motion(const PreparedRun& prepared, const System& system, const State& state, const Vector& rates) {
  std::vector<Vec3> v;
  system.kinematics().velocities(state.q, rates, v);
  Vec3 sum = Vec3::Zero();
  for (const MaterialPoint& point : prepared.run->points) sum += point.at(v);
  return sum / static_cast<double>(prepared.run->points.size());
}

/// Amplitude at a time, exponential between cycles and beyond them.
double envelope_at(const analysis::RingDown& ring, double time) {
  const auto& c = ring.cycles;
  if (c.empty()) return ring.initial_amplitude;
  if (c.size() == 1) return c.front().amplitude;
  std::size_t i = 0;
  while (i + 2 < c.size() && time > c[i + 1].time) ++i;
  const double s = std::clamp((time - c[i].time) / (c[i + 1].time - c[i].time), -2.0, 2.0);
  return std::exp((1 - s) * std::log(c[i].amplitude) + s * std::log(c[i + 1].amplitude));
}

}  // namespace

PreparedRun prepare(const RingRun& run, const MeasuredRing& measured, const std::vector<SceneOverride>& overrides,
                    const IdentifyOptions& options) {
  PreparedRun prepared;
  prepared.run = &run;
  prepared.measured = measured;
  prepared.omega = 2 * M_PI * measured.ring.frequency;
  prepared.amplitude =
      measured.ring.cycles.empty() ? measured.ring.initial_amplitude : measured.ring.cycles.front().amplitude;
  const double period = 1 / measured.ring.frequency;
  prepared.window.source = run.tracks.source;
  prepared.window.names = run.tracks.names;
  const double noise =
      run.sigma > 0 ? run.sigma : measured.ring.noise * std::sqrt(static_cast<double>(run.points.size()));
  for (std::size_t i = 0; i < run.tracks.times.size(); ++i) {
    const double time = run.tracks.times[i];
    if (time < measured.from - 0.3 * period || time > measured.to + window_after * period) continue;
    if (!std::ranges::all_of(run.tracks.positions[i], [](const Vec3& x) { return x.allFinite(); })) continue;
    prepared.window.times.push_back(time);
    prepared.window.positions.push_back(run.tracks.positions[i]);
    prepared.sigma.push_back(
        std::hypot(std::max(noise, 1e-6 * prepared.amplitude), options.model_error * envelope_at(measured.ring, time)));
  }
  const CompiledScene scene = run.scene(overrides);
  const ModesResult modes = system_modes(*scene.system, scene.start, {.num_modes = 4});
  // Shapes are M-orthonormal: how far the points go over the root of the energy, slow modes first.
  double best = 0, largest = 0;
  Vec3 liveliest = Vec3::Zero();
  for (int k = modes.num_unstable + modes.num_rigid; k < modes.size(); ++k) {
    const Vector shape = modes.shapes.col(k);
    const Vec3 motion = mean_motion(prepared, *scene.system, scene.start, shape);
    const double along = measured.direction.dot(motion), frequency = std::max(modes.frequencies[k], 1e-12);
    if (motion.norm() / frequency > largest) {
      largest = motion.norm() / frequency;
      liveliest = motion.normalized();
    }
    if (std::abs(along) / frequency <= best) continue;
    best = std::abs(along) / frequency;
    prepared.mode = shape / along;
  }
  if (best < 0.3 * largest || !(best > 0)) {
    const auto text = [](const Vec3& d) { return fmt::format("({:.2f}, {:.2f}, {:.2f})", d.x(), d.y(), d.z()); };
    throw Error(Problem{
        run.name,
        fmt::format("the points ring along {}, those of the scene along {}", text(measured.direction), text(liveliest)),
        "the same direction",
        "axes seem to be swapped, or the capture is in another frame: give the places of three markers "
        "(--marker NAME=x,y,z)"});
  }
  return prepared;
}

SimulatedRing simulate_ring(const PreparedRun& prepared, const std::vector<SceneOverride>& overrides,
                            double displacement, double velocity, const std::function<bool()>& should_stop) {
  SimulatedRing result;
  try {
    auto scene = std::make_shared<CompiledScene>(prepared.run->scene(overrides));
    if (displacement != 0 || velocity != 0) {
      scene->start.q += displacement * prepared.mode;
      scene->start.v += velocity * prepared.mode;
      Workspace workspace = scene->system->make_workspace();
      if (!make_consistent(*scene->system, scene->start, workspace)) {
        result.failure = "no accelerations balance the forces at the start";
        return result;
      }
    }
    ObservedRun run;
    run.name = prepared.run->name;
    run.scene = scene;
    run.observations.push_back(std::make_shared<TrajectoryObservation>(prepared.window, prepared.run->points, 1.0));
    result.along.assign(prepared.run->points.size(), std::vector<double>(prepared.window.times.size(), 0));
    CompareOptions options;
    options.should_stop = should_stop;
    options.on_instant = [&](std::size_t, int instant, const std::vector<Vec3>& x, const ResidualRows&) {
      for (std::size_t k = 0; k < prepared.run->points.size(); ++k)
        result.along[k][at(instant)] = prepared.measured.direction.dot(prepared.run->points[k].at(x));
    };
    const Comparison found = compare(run, options);
    if (!found.reached()) {
      result.failure = found.end == Comparison::End::stopped ? "stopped" : found.explanation;
      result.along.clear();
    }
  } catch (const Error& error) {
    result.failure = error.what();
    result.along.clear();
  }
  return result;
}

std::vector<double> mean_signal(const SimulatedRing& ring) {
  std::vector<double> mean(ring.along.empty() ? 0 : ring.along[0].size(), 0.0);
  for (const auto& one : ring.along)
    for (std::size_t i = 0; i < one.size(); ++i) mean[i] += one[i] / static_cast<double>(ring.along.size());
  double center = 0;
  for (const double x : mean) center += x / static_cast<double>(mean.size());
  for (double& x : mean) x -= center;
  return mean;
}

SimulatedRing measured_ring(const PreparedRun& run) {
  SimulatedRing measured;
  measured.along.resize(run.run->points.size());
  for (const std::vector<Vec3>& x : run.window.positions)
    for (std::size_t k = 0; k < x.size(); ++k) measured.along[k].push_back(run.measured.direction.dot(x[k]));
  return measured;
}

analysis::RingDown ring_of(const PreparedRun& run, const std::vector<double>& signal) {
  analysis::RingDownOptions options;
  options.start = run.measured.from - 0.3 * 2 * M_PI / run.omega;
  options.max_modes = 1;
  return analysis::measure_ring_down(run.window.times, signal, options);
}

}  // namespace dashpot::learn
