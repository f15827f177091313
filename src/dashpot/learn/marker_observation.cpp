#include "dashpot/learn/marker_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"

namespace dashpot::learn {
namespace {

/// Markers farther from the body than this part of its size sit on something else.
constexpr double largest_standoff = 0.2;

const CompiledBody& carrier(const CompiledScene& scene, const std::string& name, const std::string& source) {
  std::vector<std::string> names;
  for (const CompiledBody& body : scene.bodies) {
    if (body.name == name) return body;
    names.push_back(body.name);
  }
  if (name.empty() && scene.bodies.size() == 1) return scene.bodies.front();
  throw Error(Problem{source,
                      name.empty() ? fmt::format("{} bodies, and none is named", names.size())
                                   : fmt::format("no body '{}' in the scene", name),
                      fmt::format("the body that carries the markers: {}", fmt::join(names, ", ")), ""});
}

std::string length_of(double meters) { return describe_quantity(meters, Quantity::length, 3); }

/// Markers and base of a request, and where each is in the tracks.
struct NamedMarkers {
  std::vector<Marker> body, base;

  NamedMarkers(const MarkerRequest& request, const std::vector<std::string>& known)
      : body(request.markers), base(request.base) {
    const auto is_base = [&](const std::string& name) {
      return std::ranges::find(base, name, &Marker::name) != base.end();
    };
    if (body.empty())
      for (const std::string& name : known)
        if (!is_base(name)) body.push_back({name, {}});
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Marker& marker : body) all.push_back(marker.name);
    for (const Marker& marker : base) all.push_back(marker.name);
    return all;
  }
};

/// What the simulated body is like when the capture begins: node i of its mesh at [i].
std::vector<Vec3> reference_pose(const CompiledScene& scene, const CompiledBody& body, bool from_rest) {
  if (from_rest) return body.mesh.nodes;
  std::vector<Vec3> all;
  scene.system->kinematics().positions(scene.start.q, all);
  const auto first = all.begin() + body.first_block;
  return {first, first + body.mesh.num_nodes()};
}

/// How far apart the tracks are when they are first seen.
double extent_of(const Tracks& tracks) {
  std::vector<Vec3> seen;
  for (int k = 0; k < tracks.num_tracks(); ++k)
    if (const Vec3 x = tracks.first_position(k); x.allFinite()) seen.push_back(x);
  return bounding_box(seen).diagonal();
}

/// The unit in which something of this extent could be markers on the body; empty: none.
std::string unit_by_size(double extent, double body_size) {
  for (const auto& [unit, meters] : guessed_units())
    if (extent * meters < 4 * body_size && extent * meters > 0.02 * body_size) return unit;
  return {};
}

/// In meters: by what the file or the user says, else by what fits.
void use_meters(Tracks& tracks, std::vector<AlignmentPair>& pairs, double body_size, std::vector<std::string>& notes) {
  if (tracks.unit == "m") {
    const double extent = extent_of(tracks);
    const std::string unit = unit_by_size(extent / tracks.unit_length, body_size);
    if (extent > 0 && (extent > 20 * body_size || extent < 2e-3 * body_size) && !unit.empty())
      throw Error(Problem{tracks.source,
                          fmt::format("markers {} apart for a body {} large", length_of(extent), length_of(body_size)),
                          "markers on the body, and on its base",
                          fmt::format("their coordinates seem to be in {}: set \"unit\": \"{}\"", unit, unit)});
    return;
  }
  std::string unit = fitting_unit(pairs);
  if (unit.empty()) unit = unit_by_size(extent_of(tracks), body_size);
  const double meters =
      unit.empty() ? 1 : std::ranges::find(guessed_units(), unit, &std::pair<std::string, double>::first)->second;
  notes.push_back(unit.empty()
                      ? fmt::format("{} does not say the unit of its coordinates: meters are taken", tracks.source)
                      : fmt::format("{} does not say the unit of its coordinates: {} fits the size of the body",
                                    tracks.source, unit));
  scale_tracks(tracks, meters);
  for (AlignmentPair& pair : pairs) pair.measured *= meters;
}

/// The motion of the base since its reference, as what takes it back.
void remove_base_motion(Tracks& tracks, const std::vector<int>& base, const MarkerRequest& request,
                        std::vector<std::string>& notes) {
  if (request.base_motion == BaseMotion::keep || base.empty()) return;
  const bool is_rigid = request.base_motion == BaseMotion::rigid;
  std::vector<Vec3> home;
  for (const int k : base) home.push_back(tracks.first_position(k, request.reference_seconds));
  int num_lost = 0;
  for (std::vector<Vec3>& x : tracks.positions) {
    std::vector<AlignmentPair> pairs;
    for (std::size_t i = 0; i < base.size(); ++i)
      if (x[at(base[i])].allFinite() && home[i].allFinite())
        pairs.push_back({tracks.names[at(base[i])], x[at(base[i])], home[i]});
    if (pairs.size() < base.size()) {  // another set of markers would jump by their noise
      ++num_lost;
      for (Vec3& p : x) p = Vec3::Constant(nan);
      continue;
    }
    const RigidAlignment back =
        fit_alignment(pairs, is_rigid ? AlignmentKind::rigid : AlignmentKind::translation, {}, tracks.source).alignment;
    for (Vec3& p : x) p = back(p);
  }
  if (num_lost > 0)
    notes.push_back(fmt::format("{} of {} frames are left out: a marker of the base was not seen", num_lost,
                                tracks.num_instants()));
}

void tell_gaps(const Tracks& tracks, std::vector<std::string>& notes) {
  const int empty = tracks.num_instants() - tracks.num_seen();
  if (empty > 0) notes.push_back(fmt::format("{} of {} frames are empty", empty, tracks.num_instants()));
  for (int k = 0; k < tracks.num_tracks(); ++k) {
    const auto missing = std::ranges::count_if(tracks.positions, [&](const auto& x) { return !x[at(k)].allFinite(); });
    if (missing > empty)
      notes.push_back(
          fmt::format("'{}' is missing in {} of {} frames", tracks.names[at(k)], missing, tracks.num_instants()));
  }
}

/// Columns `first` to the end of the tracks removed.
void keep_first(Tracks& tracks, std::size_t count) {
  tracks.names.resize(count);
  for (std::vector<Vec3>& x : tracks.positions) x.resize(count);
}

}  // namespace

PlacedMarkers place_markers(const CompiledScene& scene, const Table& capture, const MarkerRequest& request) {
  PlacedMarkers placed;
  const CompiledBody& body = carrier(scene, request.body, capture.name);
  TracksRequest wanted;
  wanted.unit = request.unit;
  wanted.rate = request.rate;
  const NamedMarkers named(request, tracks_of_table(capture, wanted).names);
  wanted.names = named.names();
  Tracks tracks = tracks_of_table(capture, wanted);
  tell_gaps(tracks, placed.notes);

  std::vector<int> base;
  for (std::size_t i = 0; i < named.base.size(); ++i) base.push_back(static_cast<int>(named.body.size() + i));
  remove_base_motion(tracks, base, request, placed.notes);

  // Points of the body for the places that are known, and where they are when the capture begins.
  const std::vector<Vec3> pose = reference_pose(scene, body, request.from_rest);
  std::vector<MaterialPoint>& points = placed.points;
  points.resize(named.body.size());
  placed.standoff.assign(named.body.size(), 0);
  std::vector<AlignmentPair> pairs;
  for (std::size_t k = 0; k < tracks.names.size(); ++k) {
    const bool is_base = k >= named.body.size();
    const Marker& marker = is_base ? named.base[k - named.body.size()] : named.body[k];
    const Vec3 seen = tracks.first_position(static_cast<int>(k), request.reference_seconds);
    if (!marker.at) continue;
    Vec3 in_scene = *marker.at;
    if (!is_base) {
      const Attachments attached = attach_to(body.mesh, 0, {*marker.at});
      points[k] = attached.points[0];
      placed.standoff[k] = attached.distance[0];
      in_scene = points[k].at(pose);
    }
    if (seen.allFinite()) pairs.push_back({marker.name, seen, in_scene});
  }
  const double size = bounding_box(body.mesh.nodes).diagonal();
  use_meters(tracks, pairs, size, placed.notes);

  placed.alignment = fit_alignment(pairs, request.alignment, request.given, capture.name);
  placed.num_known = static_cast<int>(pairs.size());
  const double tolerance =
      request.tolerance > 0 ? request.tolerance : 0.1 * std::max(placed.alignment.spread, 0.1 * size);
  if (auto problem =
          explain_misfit(pairs, placed.alignment, request.alignment, tolerance, capture.name, tracks.unit_length))
    throw Error(std::move(*problem));
  for (std::vector<Vec3>& x : tracks.positions)
    for (Vec3& p : x) p = placed.alignment.alignment(p);

  // Markers without a place: where they are first seen.
  Mesh posed = body.mesh;
  posed.nodes = pose;
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < named.body.size(); ++k) {
    if (!named.body[k].at) {
      const Vec3 seen = tracks.first_position(static_cast<int>(k), request.reference_seconds);
      if (!seen.allFinite()) {
        problems.push_back({capture.name, fmt::format("'{}' is never seen", named.body[k].name),
                            "a marker that is seen", "leave it out"});
        continue;
      }
      const Attachments attached = attach_to(posed, 0, {seen});
      points[k] = attached.points[0];
      placed.standoff[k] = attached.distance[0];
    }
    if (placed.standoff[k] > largest_standoff * size)
      problems.push_back({capture.name,
                          fmt::format("'{}' is {} away from '{}', which is {} large", named.body[k].name,
                                      length_of(placed.standoff[k]), body.name, length_of(size)),
                          "markers on the body",
                          pairs.empty() ? "the frame of the capture is not that of the scene: give the places of three "
                                          "markers (\"at\"), or the alignment"
                                        : "name it as a marker of the base, or leave it out"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  for (MaterialPoint& point : points)
    for (int& i : point.points) i += body.first_block;

  keep_first(tracks, named.body.size());
  placed.tracks = std::move(tracks);
  return placed;
}

namespace {

TrajectoryObservation on_clock(const CompiledScene& scene, const PlacedMarkers& markers, const ClockRequest& clock,
                               double sigma) {
  Tracks tracks = markers.tracks;
  put_on_clock(tracks, clock, scene.start.time, scene.start.time + scene.run.end);
  return TrajectoryObservation(std::move(tracks), markers.points, sigma);
}

}  // namespace

MarkerObservation::MarkerObservation(const CompiledScene& scene, PlacedMarkers markers, const ClockRequest& clock,
                                     double sigma)
    : markers_(std::move(markers)), trajectory_(on_clock(scene, markers_, clock, sigma)) {}

}  // namespace dashpot::learn
