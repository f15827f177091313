#include "dashpot/learn/trajectory_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::learn {

TrajectoryObservation::TrajectoryObservation(Tracks tracks, std::vector<MaterialPoint> points, double sigma)
    : tracks_(std::move(tracks)), points_(std::move(points)), sigma_(sigma) {
  std::vector<Problem> problems;
  if (!(sigma > 0) || !std::isfinite(sigma))
    problems.push_back({tracks_.source, fmt::format("sigma = {} m", sigma), "a standard deviation above zero",
                        "give the noise of the measurement"});
  if (tracks_.times.empty()) problems.push_back({tracks_.source, "no instants", "measurements", ""});
  if (tracks_.positions.size() != tracks_.times.size())
    problems.push_back({tracks_.source,
                        fmt::format("{} times for {} frames", tracks_.times.size(), tracks_.positions.size()),
                        "as many of both", ""});
  for (std::size_t i = 0; i < tracks_.positions.size(); ++i)
    if (tracks_.positions[i].size() != points_.size()) {
      problems.push_back({tracks_.source, fmt::format("{} positions in frame {}", tracks_.positions[i].size(), i),
                          fmt::format("{}, one for each point", points_.size()), ""});
      break;
    }
  for (std::size_t i = 1; i < tracks_.times.size(); ++i)
    if (!(tracks_.times[i] > tracks_.times[i - 1])) {
      problems.push_back({tracks_.source, fmt::format("time {} after {}", tracks_.times[i], tracks_.times[i - 1]),
                          "times that increase", ""});
      break;
    }
  if (!problems.empty()) throw Error(std::move(problems));
}

void TrajectoryObservation::add_residuals(int instant, const std::vector<Vec3>& x, double, ResidualRows& rows) const {
  const std::vector<Vec3>& seen = tracks_.positions[at(instant)];
  std::vector<ResidualRows::Entry> row;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (!seen[k].allFinite()) continue;
    const Vec3 difference = (points_[k].at(x) - seen[k]) / sigma_;
    for (int axis = 0; axis < 3; ++axis) {
      row.clear();
      points_[k].add_to(row, Vec3::Unit(axis) / sigma_);
      rows.add(difference[axis], row);
    }
  }
}

int TrajectoryObservation::num_residuals() const {
  int count = 0;
  for (const std::vector<Vec3>& seen : tracks_.positions)
    for (const Vec3& x : seen) count += x.allFinite() ? 3 : 0;
  return count;
}

void put_on_clock(Tracks& tracks, const ClockRequest& request, double start, double end) {
  const double from = std::max(start, request.from.value_or(start)), to = std::min(end, request.to.value_or(end));
  double slack = 0;
  if (!tracks.times.empty()) slack = 1e-9 * (1 + std::abs(tracks.times.front()) + std::abs(tracks.times.back()));
  Tracks kept = tracks;
  kept.times.clear();
  kept.positions.clear();
  for (std::size_t i = 0; i < tracks.times.size(); ++i) {
    const double time = tracks.times[i] + request.offset;
    if (time < from - slack || time > to + slack) continue;
    if (!kept.times.empty() && time < kept.times.back() + request.every * (1 - 1e-6)) continue;
    kept.times.push_back(time);
    kept.positions.push_back(std::move(tracks.positions[i]));
  }
  if (kept.times.empty())
    throw Error(Problem{
        tracks.source,
        tracks.times.empty() ? std::string("no instants")
                             : fmt::format("instants from {:.6g} to {:.6g} s on the clock of the run",
                                           tracks.times.front() + request.offset, tracks.times.back() + request.offset),
        fmt::format("some between {:.6g} and {:.6g} s", from, to), "check the time offset and the end of the scene"});
  tracks = std::move(kept);
}

namespace {

std::vector<std::string> names_of(const std::vector<CompiledBody>& bodies) {
  std::vector<std::string> names;
  for (const CompiledBody& body : bodies) names.push_back(body.name);
  return names;
}

const CompiledBody* find_body(const CompiledScene& scene, const std::string& name) {
  for (const CompiledBody& body : scene.bodies)
    if (body.name == name) return &body;
  return nullptr;
}

/// Nodes of a recorded mesh that are to be followed.
std::vector<int> chosen_nodes(const Mesh& mesh, const NodeChoice& choice, const std::string& source) {
  std::vector<int> nodes = choice.nodes;
  for (const int node : nodes)
    if (node < 0 || node >= mesh.num_nodes())
      throw Error(Problem{source, fmt::format("node {}", node), fmt::format("0 to {}", mesh.num_nodes() - 1), ""});
  if (nodes.empty()) {
    if (!choice.interior) nodes = surface_nodes(boundary_surface(mesh));
    if (nodes.empty()) {  // wires and points are seen as a whole
      nodes.resize(at(mesh.num_nodes()));
      std::iota(nodes.begin(), nodes.end(), 0);
    }
  }
  if (choice.share >= 1) return nodes;
  std::vector<Vec3> positions;
  for (const int node : nodes) positions.push_back(mesh.nodes[at(node)]);
  std::vector<int> spread;
  const int count = std::max(1, static_cast<int>(std::lround(choice.share * static_cast<double>(nodes.size()))));
  for (const int i : spread_out(positions, count)) spread.push_back(nodes[at(i)]);
  return spread;
}

bool is_same_mesh(const Mesh& a, const Mesh& b) {
  if (a.num_nodes() != b.num_nodes()) return false;
  const double tolerance = 1e-6 * bounding_box(a.nodes).diagonal();
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    if (!((a.nodes[i] - b.nodes[i]).norm() <= tolerance)) return false;
  return true;
}

/// Points of the scene's body for nodes of a recorded one.
std::vector<MaterialPoint> points_for(const CompiledBody& body, const Mesh& recorded, const std::vector<int>& nodes,
                                      const std::string& source) {
  std::vector<MaterialPoint> points;
  if (is_same_mesh(body.mesh, recorded)) {
    for (const int node : nodes) points.push_back(MaterialPoint::node(body.first_block + node));
    return points;
  }
  std::vector<Vec3> positions;
  for (const int node : nodes) positions.push_back(recorded.nodes[at(node)]);
  Attachments attached = attach_to(body.mesh, body.first_block, positions);
  const double size = bounding_box(body.mesh.nodes).diagonal();
  const double farthest = *std::ranges::max_element(attached.distance);
  if (farthest > 0.1 * size)
    throw Error(
        Problem{source,
                fmt::format("'{}' rests up to {} away from the scene's body of that name, which is {} large", body.name,
                            describe_quantity(farthest, Quantity::length), describe_quantity(size, Quantity::length)),
                "a recorded body of the same shape in the same place", "compare the meshes of both scenes"});
  return std::move(attached.points);
}

}  // namespace

Followed follow_run(const CompiledScene& scene, const Recording& run, const std::string& source,
                    const NodeChoice& choice) {
  if (!(choice.share > 0))
    throw Error(Problem{source, fmt::format("a share of {} of the nodes", choice.share), "more than 0, at most 1", ""});
  if (!choice.body.empty() && find_body(scene, choice.body) == nullptr)
    throw Error(Problem{source, fmt::format("no body '{}' in the scene", choice.body),
                        fmt::format("one of {}", fmt::join(names_of(scene.bodies), ", ")), ""});
  std::vector<int> followed;
  std::vector<MaterialPoint> points;
  std::vector<std::string> recorded_names;
  for (const RecordedBody& recorded : run.bodies) {
    recorded_names.push_back(recorded.name);
    const CompiledBody* body = find_body(scene, recorded.name);
    if (body == nullptr || (!choice.body.empty() && choice.body != recorded.name)) continue;
    const std::vector<int> nodes = chosen_nodes(recorded.mesh, choice, source);
    const std::vector<MaterialPoint> own = points_for(*body, recorded.mesh, nodes, source);
    points.insert(points.end(), own.begin(), own.end());
    for (const int node : nodes) followed.push_back(recorded.first_point + node);
  }
  if (followed.empty())
    throw Error(Problem{source, fmt::format("a run of {}", fmt::join(recorded_names, ", ")),
                        choice.body.empty()
                            ? fmt::format("bodies of the scene: {}", fmt::join(names_of(scene.bodies), ", "))
                            : fmt::format("the body '{}'", choice.body),
                        "record a run of the same bodies"});
  return {tracks_of_run(run, followed, source), std::move(points)};
}

namespace {

/// "beam.17" or, where there is one body, "17".
std::optional<MaterialPoint> node_named(const CompiledScene& scene, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const CompiledBody* body = dot != std::string::npos   ? find_body(scene, name.substr(0, dot))
                             : scene.bodies.size() == 1 ? &scene.bodies.front()
                                                        : nullptr;
  const std::string number = dot == std::string::npos ? name : name.substr(dot + 1);
  int node = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), node);
  if (body == nullptr || error != std::errc() || end != number.data() + number.size() || node < 0 ||
      node >= body->mesh.num_nodes())
    return std::nullopt;
  return MaterialPoint::node(body->first_block + node);
}

}  // namespace

Followed follow_table(const CompiledScene& scene, const Tracks& tracks) {
  std::vector<MaterialPoint> points;
  std::vector<std::string> probes;
  std::vector<Problem> problems;
  for (const Probe& probe : scene.run.probes) probes.push_back(probe.name);
  for (const std::string& name : tracks.names) {
    const auto probe = std::ranges::find(scene.run.probes, name, &Probe::name);
    if (probe != scene.run.probes.end()) {
      points.push_back({probe->points, probe->weights});
    } else if (const std::optional<MaterialPoint> node = node_named(scene, name)) {
      points.push_back(*node);
    } else {
      problems.push_back(
          {tracks.source, fmt::format("the point '{}' is neither a probe nor a node", name),
           fmt::format("a probe{}{}, or a node: <body>.<number>", probes.empty() ? "" : ": ", fmt::join(probes, ", ")),
           "name the columns so, or use it as markers that are attached to the body"});
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return {tracks, std::move(points)};
}

namespace {

TrajectoryObservation on_clock_of(const CompiledScene& scene, Followed followed, const ClockRequest& clock,
                                  double sigma) {
  put_on_clock(followed.tracks, clock, scene.start.time, scene.start.time + scene.run.end);
  return TrajectoryObservation(std::move(followed.tracks), std::move(followed.points), sigma);
}

}  // namespace

TrajectoryObservation observe_run(const CompiledScene& scene, const Recording& run, const std::string& source,
                                  const NodeChoice& choice, const ClockRequest& clock, double sigma) {
  return on_clock_of(scene, follow_run(scene, run, source, choice), clock, sigma);
}

TrajectoryObservation observe_table(const CompiledScene& scene, const Tracks& tracks, const ClockRequest& clock,
                                    double sigma) {
  return on_clock_of(scene, follow_table(scene, tracks), clock, sigma);
}

}  // namespace dashpot::learn
