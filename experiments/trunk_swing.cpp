#include "trunk_swing.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace dashpot::cli::elephant {
namespace {

constexpr std::size_t trunk_tip = 0, ear_left = 1, head_top = 2, head_left = 3, head_right = 4;  // probes

/// A probe seen from the head: from the middle of its sides, along x to the left, y to the top, z to the front.
std::vector<Vec3> seen_from_head(const RecordedRun& motion, std::size_t probe) {
  const auto position = [&](std::size_t which, std::size_t step) {
    const Probe& at = motion.scene.run.probes[which];
    Vec3 x = motion.probes[which][step];
    for (std::size_t i = 0; i < at.points.size(); ++i)
      x += at.weights[i] * motion.scene.bodies[0].mesh.nodes[static_cast<std::size_t>(at.points[i])];
    return x;
  };
  std::vector<Vec3> path;
  for (std::size_t step = 0; step < motion.time.size(); ++step) {
    const Vec3 left = position(head_left, step), right = position(head_right, step), middle = 0.5 * (left + right);
    const Vec3 x = (left - right).normalized();
    const Vec3 z = x.cross(position(head_top, step) - middle).normalized(), y = z.cross(x);
    const Vec3 arm = position(probe, step) - middle;
    path.emplace_back(x.dot(arm), y.dot(arm), z.dot(arm));
  }
  const Vec3 start = path.front();
  for (Vec3& x : path) x -= start;
  return path;
}

/// How much of an example's displacement of a probe is along an axis.
double share_along(const RecordedRun& motion, const Vector& shape, std::size_t probe, int axis) {
  const Probe& at = motion.scene.run.probes[probe];
  Vec3 moved = Vec3::Zero();
  for (std::size_t i = 0; i < at.points.size(); ++i)
    moved += at.weights[i] * shape.segment<3>(3 * static_cast<Eigen::Index>(at.points[i]));
  return std::abs(moved[axis]) / moved.norm();
}

}  // namespace

double Walk::rms(const std::vector<Vec3>& path, int axis, double from) const {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (motion.time[i] >= from) {
      sum += path[i][axis];
      squares += path[i][axis] * path[i][axis];
      ++count;
    }
  return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

Walk walk(const ReproductionRequest& request, const ElephantSize& size, const std::string& name,
          const std::string& file, const std::optional<ElephantGains>& gains) {
  Walk walk{
      run_scene(request, name, walking_elephant(size, gains, "elephant_walk.json"), "scene_" + file + ".json"), {}, {}};
  walk.trunk = seen_from_head(walk.motion, trunk_tip);
  walk.ear = seen_from_head(walk.motion, ear_left);
  return walk;
}

Ratios ratios(const Walk& design, const Walk& rayleigh) {
  return {design.rms(design.trunk, side) / rayleigh.rms(rayleigh.trunk, side),
          design.rms(design.trunk, fore_aft) / rayleigh.rms(rayleigh.trunk, fore_aft),
          design.rms(design.ear, fore_aft, 0) / rayleigh.rms(rayleigh.ear, fore_aft, 0)};
}

double examples_as_named(const RecordedRun& motion) {
  const ExampleBased& damping = elephant_examples(motion.scene);
  return std::min(share_along(motion, damping.shape(0), trunk_tip, side),
                  1 - share_along(motion, damping.shape(1), trunk_tip, side));
}

double telling_time(const Walk& a, const Walk& b, int axis, double from) {
  double best = 0, when = from;
  for (std::size_t i = 0; i < std::min(a.trunk.size(), b.trunk.size()); ++i)
    if (a.motion.time[i] >= from && a.motion.time[i] < from + 1.2 &&
        std::abs(a.trunk[i][axis] - b.trunk[i][axis]) > best)
      best = std::abs(a.trunk[i][axis] - b.trunk[i][axis]), when = a.motion.time[i];
  return when;
}

}  // namespace dashpot::cli::elephant
