#pragma once
// Runs made of formulas: every position and velocity is known.
#include <cmath>
#include <functional>

#include "dashpot/exporter/exporter.hpp"
#include "dashpot/mesh/generate.hpp"

namespace dashpot::testing {

using Motion = std::function<Vec3(const Vec3& rest, double time)>;

/// Bodies after one another; velocities by the motion's own derivative (central difference of 1e-5 s).
inline Recording recording_of(const std::vector<std::pair<std::string, Mesh>>& bodies, const Motion& motion,
                              int num_frames, double step) {
  Recording recording;
  recording.title = "A formula";
  std::vector<Vec3> rest;
  for (const auto& [name, mesh] : bodies) {
    recording.bodies.push_back({name, mesh, static_cast<int>(rest.size())});
    rest.insert(rest.end(), mesh.nodes.begin(), mesh.nodes.end());
  }
  for (int f = 0; f < num_frames; ++f) {
    Frame frame;
    frame.time = step * f;
    for (const Vec3& x : rest) {
      frame.points.push_back(motion(x, frame.time));
      frame.velocities.push_back((motion(x, frame.time + 1e-5) - motion(x, frame.time - 1e-5)) / 2e-5);
      frame.power.push_back(x.x() + frame.time);
    }
    recording.frames.push_back(frame);
  }
  return recording;
}

inline Mesh small_bar(ElementKind kind = ElementKind::tet4) {
  BoxOptions options;
  options.kind = kind;
  return make_bar(Vec3(1, 0.2, 0.2), {5, 2, 2}, options);
}

/// Bends in one shape only: rank one about the mean.
inline Vec3 bending(const Vec3& x, double t) { return x + Vec3(0, 0.1 * x.x() * x.x() * std::sin(5 * t), 0); }

/// Turns twice a second, falls, and breathes a little.
inline Vec3 tumbling(const Vec3& x, double t) {
  const double c = std::cos(12 * t), s = std::sin(12 * t), breath = 1 + 0.02 * std::sin(30 * t);
  const Vec3 y = breath * (x - Vec3(0.5, 0.1, 0.1));
  return {c * y.x() - s * y.y() + t, s * y.x() + c * y.y() - 4.9 * t * t, y.z()};
}

/// A tet bar, a chain of edges, a cloud of points, and a triangle as scenery behind them.
inline Recording crowd(const Motion& motion, int num_frames, double step) {
  Mesh floor;
  floor.nodes = {{-1, -1, -1}, {2, -1, -1}, {0, -1, 2}};
  floor.group_or_new(ElementKind::triangle).nodes = {0, 2, 1};
  Recording recording = recording_of({{"bar", small_bar()},
                                      {"a chain", make_chain(Vec3(0, 1, 0), Vec3(1, 1, 0), 3)},
                                      {"dust", make_points({Vec3(0, 2, 0), Vec3(1, 2, 0)})},
                                      {"floor", floor}},
                                     motion, num_frames, step);
  const RecordedBody last = recording.bodies.back();
  recording.bodies.pop_back();
  recording.scenery.push_back({last.name, last.mesh, last.first_point});
  return recording;
}

}  // namespace dashpot::testing
