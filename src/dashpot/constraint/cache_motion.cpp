#include "dashpot/constraint/cache_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

constexpr std::size_t most_problems = 10;

double median_spacing(const std::vector<double>& times) {
  std::vector<double> spacing;
  for (std::size_t i = 1; i < times.size(); ++i) spacing.push_back(times[i] - times[i - 1]);
  const auto middle = spacing.begin() + static_cast<std::ptrdiff_t>(spacing.size() / 2);
  std::nth_element(spacing.begin(), middle, spacing.end());
  return *middle;
}

std::string too_fast(double speed, double max_speed) {
  return fmt::format("at most {:.4g} m/s; this is {:.4g} m/s", max_speed, speed);
}
const char* const teleport_remedy = "Repair the animation, or allow it with \"max_speed\"";

}  // namespace

void check_cache(const PointCache& cache, const CacheLimits& limits) {
  std::vector<Problem> problems;
  if (cache.num_frames() == 0) throw Error(Problem{"", "a cache without frames", "at least one frame"});
  if (cache.num_points() != static_cast<std::size_t>(limits.num_nodes))
    throw Error(Problem{"", fmt::format("a cache of {} points", cache.num_points()),
                        fmt::format("{}, as many as the mesh has nodes", limits.num_nodes),
                        "Export the cache from the mesh that is simulated, nodes in the same order"});
  const std::size_t frames = cache.num_frames();
  const double max_gap =
      limits.max_gap > 0 ? limits.max_gap : (frames < 3 ? INFINITY : 5 * median_spacing(cache.times));
  for (std::size_t i = 1; i < frames && problems.size() < most_problems; ++i) {
    const double h = cache.times[i] - cache.times[i - 1];
    if (!(h > 0))
      problems.push_back(
          {"", fmt::format("frame {} at {:.6g} s comes after {:.6g} s", i, cache.times[i], cache.times[i - 1]),
           "times that increase"});
    if (h > max_gap)
      problems.push_back({"", fmt::format("{:.4g} s without a frame after frame {}", h, i - 1),
                          fmt::format("at most {:.4g} s", max_gap),
                          "Export the missing frames, or allow the gap with \"max_gap\""});
    double farthest = 0;
    std::size_t which = 0;
    bool finite = true;
    for (std::size_t k = 0; k < cache.num_points(); ++k) {
      const double away = (cache.frames[i][k] - cache.frames[i - 1][k]).norm();
      finite &= std::isfinite(away);
      if (away > farthest) farthest = away, which = k;
    }
    if (!finite)
      problems.push_back({"", fmt::format("frame {} or {} is not finite", i - 1, i), "finite positions"});
    else if (limits.max_speed > 0 && h > 0 && farthest > limits.max_speed * h)
      problems.push_back(
          {"", fmt::format("point {} teleports by {:.4g} m between frames {} and {}", which, farthest, i - 1, i),
           too_fast(farthest / h, limits.max_speed), teleport_remedy});
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

CacheMotion::CacheMotion(const PointCache& cache, const std::vector<int>& nodes, math::Spline::Ends ends,
                         const Placement& placement) {
  Matrix values(3 * static_cast<Eigen::Index>(nodes.size()), static_cast<Eigen::Index>(cache.num_frames()));
  for (std::size_t frame = 0; frame < cache.num_frames(); ++frame)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      values.block<3, 1>(3 * static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(frame)) =
          placement.to_world(cache.frames[frame][static_cast<std::size_t>(nodes[i])]);
  path_ = math::Spline(cache.times, values, ends);
}

void CacheMotion::evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const {
  Vector y, dy, ddy;
  path_.evaluate(time, x ? &y : nullptr, v ? &dy : nullptr, a ? &ddy : nullptr);
  const auto write = [&](std::vector<Vec3>* to, const Vector& from) {
    if (to == nullptr) return;
    to->resize(static_cast<std::size_t>(num_points()));
    for (std::size_t i = 0; i < to->size(); ++i) (*to)[i] = from.segment<3>(3 * static_cast<Eigen::Index>(i));
  };
  write(x, y);
  write(v, dy);
  write(a, ddy);
}

void check_motion(const PointMotion& motion, double end, int samples, double max_speed) {
  std::vector<Vec3> x, v, a;
  for (int s = 0; s <= samples; ++s) {
    const double time = end * s / samples;
    motion.evaluate(time, &x, &v, &a);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!x[i].allFinite() || !v[i].allFinite() || !a[i].allFinite())
        throw Error(Problem{"", fmt::format("the motion of point {} is not finite at {:.4g} s", i, time),
                            "finite positions, velocities and accelerations"});
      if (max_speed > 0 && v[i].norm() > max_speed)
        throw Error(Problem{"", fmt::format("point {} teleports at {:.4g} s", i, time),
                            too_fast(v[i].norm(), max_speed), teleport_remedy});
    }
  }
}

}  // namespace dashpot
