#include "dashpot/exporter/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dashpot/core/error.hpp"

namespace dashpot::exporter {
namespace {

constexpr double most_frames = 1e6;

Vec3 hermite(const Vec3& x0, const Vec3& v0, const Vec3& x1, const Vec3& v1, double s, double dt) {
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * x0 + (s3 - 2 * s2 + s) * dt * v0 + (3 * s2 - 2 * s3) * x1 + (s3 - s2) * dt * v1;
}

Vec3 hermite_rate(const Vec3& x0, const Vec3& v0, const Vec3& x1, const Vec3& v1, double s, double dt) {
  const double s2 = s * s;
  return (6 * s2 - 6 * s) / dt * (x0 - x1) + (3 * s2 - 4 * s + 1) * v0 + (3 * s2 - 2 * s) * v1;
}

}  // namespace

Animation::Animation(Recording recording, const Sampling& sampling)
    : recording_(std::move(recording)), sampling_(sampling) {
  check_frames();
  for (RecordedBody& body : recording_.bodies) add_actor(body.name, std::move(body.mesh), body.first_point, false);
  for (RecordedScenery& piece : recording_.scenery)
    add_actor(piece.name, std::move(piece.surface), piece.first_point, true);
  if (actors_.empty()) throw Error(Problem{recording_.title, "a run without bodies", "at least one body", ""});
  choose_times();
}

void Animation::check_frames() const {
  if (recording_.frames.empty())
    throw Error(Problem{recording_.title, "a run without recorded frames", "at least one",
                        "run the scene without --no-frames"});
  std::vector<Problem> problems;
  const std::size_t points = recording_.frames.front().points.size();
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < recording_.frames.size() && problems.size() < 20; ++f) {
    const Frame& frame = recording_.frames[f];
    const std::string place = fmt::format("frame {}", f);
    if (frame.points.size() != points || frame.velocities.size() != points || frame.power.size() != points)
      problems.push_back({place,
                          fmt::format("{} points, {} velocities, {} powers", frame.points.size(),
                                      frame.velocities.size(), frame.power.size()),
                          fmt::format("{} of each", points), ""});
    if (!(frame.time > last))
      problems.push_back({place, fmt::format("time {} s", frame.time), "times that increase", ""});
    last = frame.time;
    const auto is_finite = [](const Vec3& x) { return x.allFinite(); };
    if (!std::all_of(frame.points.begin(), frame.points.end(), is_finite) ||
        !std::all_of(frame.velocities.begin(), frame.velocities.end(), is_finite))
      problems.push_back(
          {place, "positions or velocities that are not finite", "finite numbers", "run the scene again"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

void Animation::add_actor(std::string name, Mesh mesh, int first_point, bool is_scenery) {
  if (mesh.nodes.empty()) return;
  if (first_point < 0 || static_cast<std::size_t>(first_point) + mesh.nodes.size() > recording_.frames[0].points.size())
    throw Error(Problem{name, fmt::format("points {} to {}", first_point, first_point + mesh.num_nodes() - 1),
                        fmt::format("points of the frames: {}", recording_.frames[0].points.size()), ""});
  if (mesh.num_elements() == 0) {
    std::vector<int>& nodes = mesh.group_or_new(ElementKind::point).nodes;
    nodes.resize(mesh.nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0);
  }
  if (name.empty()) name = is_scenery ? "scenery" : "body";
  const auto taken = [&](const std::string& other) {
    return std::any_of(actors_.begin(), actors_.end(), [&](const Actor& actor) { return actor.name == other; });
  };
  std::string unique = name;
  for (int i = 2; taken(unique); ++i) unique = fmt::format("{} {}", name, i);
  const int num_points = mesh.num_nodes();
  actors_.push_back({std::move(unique), std::move(mesh), first_point, num_points, is_scenery});
}

void Animation::choose_times() {
  const std::vector<Frame>& frames = recording_.frames;
  const double start = frames.front().time, end = frames.back().time;
  if (!(std::isfinite(sampling_.fps) && sampling_.fps > 0))
    throw Error(
        Problem{"frame rate", fmt::format("{} /s", sampling_.fps), "a number above 0", "24, 30 or 60 are usual"});
  if (sampling_.time) {
    if (!(*sampling_.time >= start - 1e-9 && *sampling_.time <= end + 1e-9))
      throw Error(Problem{"time", fmt::format("{} s", *sampling_.time),
                          fmt::format("an instant of the run: {} s to {} s", start, end), ""});
    times_.push_back(std::clamp(*sampling_.time, start, end));
  } else if (sampling_.as_recorded) {
    for (const Frame& frame : frames) times_.push_back(frame.time);
  } else {
    // The last frame counts although (end - start) fps is a whole number only up to round-off.
    const double count = std::floor((end - start) * sampling_.fps + 1e-6) + 1;
    if (count > most_frames)
      throw Error(Problem{"frame rate",
                          fmt::format("{} /s over {} s: {:.3g} frames", sampling_.fps, end - start, count),
                          fmt::format("at most {:g} frames", most_frames), "choose a lower rate"});
    for (double k = 0; k < count; ++k) times_.push_back(std::min(start + k / sampling_.fps, end));
  }
}

void Animation::select(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Actor& actor : actors_) known.push_back(actor.name);
  std::vector<Problem> problems;
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string near = nearest_name(name, known);
      problems.push_back({"", fmt::format("no body '{}' in the run", name),
                          fmt::format("one of {}", fmt::join(known, ", ")),
                          near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
    }
  if (!problems.empty()) throw Error(std::move(problems));
  std::erase_if(actors_,
                [&](const Actor& actor) { return std::find(names.begin(), names.end(), actor.name) == names.end(); });
}

const Embedding& Animation::carry_surface(Mesh surface) {
  std::vector<Actor*> solids;
  std::vector<std::string> names;
  for (Actor& actor : actors_)
    if (actor.mesh.tets() != nullptr) {
      solids.push_back(&actor);
      names.push_back(actor.name);
    }
  if (solids.size() != 1)
    throw Error(Problem{"--surface", fmt::format("{} bodies of tets to carry it", solids.size()), "one",
                        names.empty() ? "" : fmt::format("choose with --body: {}", fmt::join(names, ", "))});
  Actor& body = *solids[0];
  body.carrier = embed_points(body.mesh, surface.nodes);
  body.mesh = std::move(surface);
  return body.carrier;
}

Shape Animation::shape(const Actor& actor, std::size_t frame) const {
  Shape shape = recorded_shape(actor, times_[frame]);
  if (actor.carrier.size() == 0) return shape;
  return {actor.carrier.carry(shape.points), actor.carrier.carry(shape.velocities), actor.carrier.carry(shape.power)};
}

Shape Animation::recorded_shape(const Actor& actor, double time) const {
  const std::vector<Frame>& frames = recording_.frames;
  const auto next = std::lower_bound(frames.begin(), frames.end(), time,
                                     [](const Frame& candidate, double t) { return candidate.time < t; });
  const auto first = static_cast<std::size_t>(actor.first_point), count = static_cast<std::size_t>(actor.num_points);
  Shape shape;
  if (next == frames.begin() || (next != frames.end() && next->time == time)) {
    const auto slice = [&](const auto& values) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      return std::decay_t<decltype(values)>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    return {slice(next->points), slice(next->velocities), slice(next->power)};
  }
  const Frame &b = next == frames.end() ? frames.back() : *next, &a = *(&b - 1);
  const double dt = b.time - a.time, s = std::min((time - a.time) / dt, 1.0);
  for (std::size_t p = first; p < first + count; ++p) {
    shape.points.push_back(hermite(a.points[p], a.velocities[p], b.points[p], b.velocities[p], s, dt));
    shape.velocities.push_back(hermite_rate(a.points[p], a.velocities[p], b.points[p], b.velocities[p], s, dt));
    shape.power.push_back((1 - s) * a.power[p] + s * b.power[p]);
  }
  return shape;
}

}  // namespace dashpot::exporter
