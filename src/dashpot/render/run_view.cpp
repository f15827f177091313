#include "dashpot/render/run_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/render/camera.hpp"

namespace dashpot::render {
namespace {

/// Sum and count of finite points.
Vec3 center_of(const std::vector<Vec3>& points, std::size_t first, std::size_t count) {
  Vec3 sum = Vec3::Zero();
  double n = 0;
  for (std::size_t i = first; i < first + count; ++i)
    if (points[i].allFinite()) {
      sum += points[i];
      n += 1;
    }
  return n > 0 ? Vec3(sum / n) : sum;
}

/// Skins drawn from a shape reach a little beyond the nodes of its tets: this share of the distance from their middle.
constexpr double beyond_nodes = 0.03;

/// Adds the points of every body that lie farthest out in some direction, moved by `shift`.
void collect(const Recording& recording, const Frame& frame, const std::vector<Vec3>& directions, const Vec3& shift,
             std::vector<Vec3>& out) {
  for (const RecordedBody& body : recording.bodies) {
    const auto first = static_cast<std::size_t>(body.first_point), n = static_cast<std::size_t>(body.mesh.num_nodes());
    const Vec3 middle = center_of(frame.points, first, n);
    for (const Vec3& direction : directions) {
      double farthest = -std::numeric_limits<double>::infinity();
      std::size_t chosen = first;
      for (std::size_t i = first; i < first + n; ++i) {
        const double reach = direction.dot(frame.points[i]);
        if (!(reach > farthest)) continue;
        farthest = reach;
        chosen = i;
      }
      Vec3 point = frame.points[chosen];
      if (body.shape) point += beyond_nodes * (point - middle);
      out.push_back(point + shift);
    }
  }
}

/// The sides of the picture seen from a camera far away, and the axes: a body whose outermost points along these are
/// seen is seen whole.
std::vector<Vec3> outward_directions(const Look& look, double aspect) {
  const Camera camera = frame_points({}, look, aspect);
  const double ty = camera.tan_half_height, tx = ty * aspect;
  std::vector<Vec3> directions;
  for (const double side : {-1.0, 1.0}) {
    directions.push_back((side * camera.right - tx * camera.forward).normalized());
    directions.push_back((side * camera.up - ty * camera.forward).normalized());
    directions.push_back(side * camera.forward);
    for (int axis = 0; axis < 3; ++axis) directions.push_back(side * Vec3::Unit(axis));
  }
  return directions;
}

double farthest(const std::vector<Vec3>& points, const Vec3& from) {
  double result = 0;
  for (const Vec3& p : points) result = std::max(result, p.allFinite() ? (p - from).norm() : 1e300);
  return result;
}

Vec3 up_of(const Recording& recording) {
  return recording.gravity.norm() > 1e-9 ? Vec3(-recording.gravity.normalized()) : Vec3(Vec3::UnitY());
}

}  // namespace

Vec3 center_of_bodies(const Recording& recording, const Frame& frame) {
  Vec3 sum = Vec3::Zero();
  double n = 0;
  for (const RecordedBody& body : recording.bodies) {
    const auto count = static_cast<std::size_t>(body.mesh.num_nodes());
    sum += static_cast<double>(count) * center_of(frame.points, static_cast<std::size_t>(body.first_point), count);
    n += static_cast<double>(count);
  }
  return n > 0 ? Vec3(sum / n) : sum;
}

bool travels_far(const Recording& recording) {
  const Frame& first = recording.frames.front();
  std::vector<Vec3> start, way;
  for (const RecordedBody& body : recording.bodies)
    for (int i = 0; i < body.mesh.num_nodes(); ++i)
      start.push_back(first.points[static_cast<std::size_t>(body.first_point + i)]);
  for (const std::size_t f : sampled_frames(recording, 200))
    way.push_back(center_of_bodies(recording, recording.frames[f]));
  return diagonal(way) > 3 * diagonal(start);
}

Camera RunView::camera_at(const Recording& recording, const Frame& frame) const {
  return follow ? moved(camera, center_of_bodies(recording, frame) - home) : camera;
}

RunView frame_runs(const std::vector<ShownRun>& runs, Look look, bool follow, double aspect) {
  const Recording& first = *runs.front().recording;
  RunView view;
  view.follow = follow;
  view.up = look.up = up_of(first);
  view.home = center_of_bodies(first, first.frames.front());
  const std::vector<Vec3> directions = outward_directions(look, aspect);
  std::vector<Vec3> start, points;
  collect(first, first.frames.front(), directions, Vec3::Zero(), start);
  const double limit = 20 * std::max(diagonal(start), 1e-9);
  for (const ShownRun& run : runs)
    for (const std::size_t f : sampled_frames(*run.recording, 200)) {
      const Frame& frame = run.recording->frames[f];
      std::vector<Vec3> here;
      const Vec3 shift = follow ? Vec3(view.home - center_of_bodies(*run.recording, frame)) : Vec3::Zero();
      collect(*run.recording, frame, directions, shift, here);
      if (f == 0 || farthest(here, view.home) <= limit) points.insert(points.end(), here.begin(), here.end());
    }
  const double action = diagonal(points);
  std::vector<Vec3> around;  // colliders that are not much larger than the action
  for (const ShownRun& run : runs)
    for (const RecordedScenery& scenery : run.recording->scenery)
      if (diagonal(scenery.surface.nodes) < 2.5 * action)
        around.insert(around.end(), scenery.surface.nodes.begin(), scenery.surface.nodes.end());
  if (!follow) points.insert(points.end(), around.begin(), around.end());  // a follower passes them
  view.size = std::max(diagonal(points), 1e-9);
  view.floor = std::numeric_limits<double>::infinity();
  for (const std::vector<Vec3>* seen : {&points, &around})  // a floor that cuts through a collider would hide it
    for (const Vec3& p : *seen)
      if (p.allFinite()) view.floor = std::min(view.floor, p.dot(view.up));
  if (!std::isfinite(view.floor)) view.floor = 0;
  view.floor -= 0.01 * view.size;  // tubes and beads are thicker than their points
  view.camera = frame_points(points, look, aspect, follow ? 0.14 : 0.08);
  return view;
}

}  // namespace dashpot::render
