#include "dashpot/learn/data_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::learn {
namespace {

/// Where the noise is not known: part of the size of the bodies.
constexpr double default_sigma = 1e-4;

double size_of_bodies(const CompiledScene& scene) {
  std::vector<Vec3> nodes;
  for (const CompiledBody& body : scene.bodies)
    nodes.insert(nodes.end(), body.mesh.nodes.begin(), body.mesh.nodes.end());
  return bounding_box(nodes).diagonal();
}

/// The sigma of a spec, or the default with a note that says so.
double sigma_of(const CompiledScene& scene, const DataSpec& spec, std::vector<std::string>& notes) {
  if (spec.sigma != 0) return spec.sigma;
  const double sigma = default_sigma * size_of_bodies(scene);
  notes.push_back(fmt::format("{}: no noise is given; {} is taken, 1e-4 of the size of the bodies", spec.file,
                              describe_quantity(sigma, Quantity::length, 3)));
  return sigma;
}

Table read_table(const std::string& path, const FileReader& read) {
  const std::string content = read(path);
  const bool is_c3d = content.size() >= 512 && content[1] == 0x50 && content.find('\0') != std::string::npos;
  return is_c3d ? analysis::parse_c3d(content, path) : parse_csv(content, path);
}

/// The scene as it is, with a frame every step.
Recording nominal_run(const CompiledScene& scene) {
  CompiledScene fine = scene;
  fine.run.record_every = fine.run.frames_every = 0;
  RunResult run = simulate(fine);
  if (run.recording.frames.size() < 4)
    throw Error(Problem{scene.spec.title,
                        fmt::format("a run of {} frames: {}", run.recording.frames.size(), run.explanation),
                        "a run to find the time offset from", "give the offset"});
  return std::move(run.recording);
}

/// The offset of a spec, for tracks in the frame of the scene.
double offset_of(const CompiledScene& scene, const DataSpec& spec, const Tracks& tracks,
                 const std::vector<MaterialPoint>& points, std::vector<std::string>& notes) {
  if (spec.offset == OffsetKind::given || spec.is_pose) return spec.clock.offset;
  if (spec.offset == OffsetKind::release) return scene.start.time - release_time(tracks);
  const OffsetFit fit = fit_time_offset(tracks, points, nominal_run(scene));
  notes.push_back(
      fmt::format("{}: the clock of the capture is {:.6g} s ahead of the run's; what is left of the motion "
                  "after that is {:.2g} of it",
                  spec.file, -fit.offset, fit.misfit));
  if (fit.rate_factor != 1)
    notes.push_back(
        fmt::format("{}: the motion is far more like the simulated one if its frames were taken at {} times "
                    "the rate: check the frame rate, or how stiff the scene starts",
                    spec.file, fit.rate_factor));
  return fit.offset;
}

/// The mean of what was seen in the window of the clock, as one instant at the start of the scene.
void become_pose(const CompiledScene& scene, const ClockRequest& clock, Tracks& tracks) {
  const double infinity = std::numeric_limits<double>::infinity();
  put_on_clock(tracks, clock, -infinity, infinity);
  std::vector<Vec3> mean(tracks.names.size(), Vec3::Zero());
  std::vector<double> count(mean.size(), 0);
  for (const std::vector<Vec3>& x : tracks.positions)
    for (std::size_t k = 0; k < mean.size(); ++k)
      if (x[k].allFinite()) mean[k] += x[k], count[k] += 1;
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] /= count[k];  // NaN where it was never seen
  tracks.times = {scene.start.time};
  tracks.positions = {std::move(mean)};
}

void require_equilibrium(const CompiledScene& scene, const DataSpec& spec) {
  const double largest = scene.start.a.size() > 0 ? scene.start.a.cwiseAbs().maxCoeff() : 0;
  const double gravity = std::max(1.0, scene.recording.gravity.norm());
  if (largest > 1e-3 * gravity || (scene.start.v.size() > 0 && scene.start.v.cwiseAbs().maxCoeff() > 0))
    throw Error(Problem{spec.file, "a static pose for a scene that does not start in equilibrium",
                        "\"start\": {\"from\": \"equilibrium\"} for every body, under the loads of the pose",
                        "or use the data as a motion"});
}

ClockRequest without_offset(ClockRequest clock, double offset) {
  clock.offset = offset;
  return clock;
}

LoadedData load_markers(const CompiledScene& scene, const DataSpec& spec, const FileReader& read) {
  LoadedData loaded;
  MarkerRequest request = spec.markers;
  request.body = spec.body;
  PlacedMarkers placed = place_markers(scene, read_table(spec.file, read), request);
  loaded.notes = placed.notes;
  const double sigma = sigma_of(scene, spec, loaded.notes);
  ClockRequest clock = without_offset(spec.clock, offset_of(scene, spec, placed.tracks, placed.points, loaded.notes));
  if (spec.is_pose) {
    become_pose(scene, clock, placed.tracks);
    clock = {};
  }
  loaded.observation = std::make_unique<MarkerObservation>(scene, std::move(placed), clock, sigma);
  return loaded;
}

LoadedData load_trajectory(const CompiledScene& scene, const DataSpec& spec, const FileReader& read) {
  LoadedData loaded;
  const double sigma = sigma_of(scene, spec, loaded.notes);
  NodeChoice nodes = spec.nodes;
  nodes.body = spec.body;
  Followed followed =
      std::filesystem::is_directory(spec.file)
          ? follow_run(scene, read_recording(spec.file, read), spec.file, nodes)
          : follow_table(scene, tracks_of_table(read_table(spec.file, read),
                                                {.unit = spec.markers.unit, .rate = spec.markers.rate}));
  const double offset = offset_of(scene, spec, followed.tracks, followed.points, loaded.notes);
  if (spec.is_pose)
    become_pose(scene, without_offset(spec.clock, offset), followed.tracks);
  else
    put_on_clock(followed.tracks, without_offset(spec.clock, offset), scene.start.time,
                 scene.start.time + scene.run.end);
  loaded.observation =
      std::make_unique<TrajectoryObservation>(std::move(followed.tracks), std::move(followed.points), sigma);
  return loaded;
}

/// The frames of clouds in a window, on the clock and in the frame of the scene.
void place_clouds(const CompiledScene& scene, const DataSpec& spec, CloudSequence& clouds) {
  Tracks clock;  // times alone, with the rules of other data
  clock.source = clouds.source;
  for (const CloudFrame& frame : clouds.frames) {
    clock.times.push_back(frame.time);
    clock.positions.emplace_back(1, Vec3(static_cast<double>(clock.times.size() - 1), 0, 0));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  put_on_clock(clock, spec.clock, spec.is_pose ? -infinity : scene.start.time,
               spec.is_pose ? infinity : scene.start.time + scene.run.end);
  if (spec.is_pose) clock.times = {scene.start.time};
  std::vector<CloudFrame> kept;
  for (std::size_t i = 0; i < clock.times.size(); ++i) {
    kept.push_back(std::move(clouds.frames[static_cast<std::size_t>(clock.positions[i][0].x())]));
    kept.back().time = clock.times[i];
    for (std::vector<Vec3>& points : kept.back().points)
      for (Vec3& x : points) x = spec.cloud_alignment(x);
  }
  clouds.frames = std::move(kept);
  for (DepthCamera& camera : clouds.cameras) {
    if (camera.position) camera.position = spec.cloud_alignment(*camera.position);
    camera.direction = spec.cloud_alignment.rotation * camera.direction;
  }
}

LoadedData load_clouds(const CompiledScene& scene, const DataSpec& spec, const FileReader& read) {
  LoadedData loaded;
  if (spec.offset != OffsetKind::given && !spec.is_pose)
    throw Error(Problem{spec.file, "a time offset that is to be found from point clouds", "an offset that is given",
                        "clouds do not say which point is which: measure the offset"});
  CloudSequence clouds = read_clouds(spec.file, read);
  CloudOptions options = spec.cloud;
  options.sigma = spec.sigma != 0 ? spec.sigma : clouds.noise > 0 ? clouds.noise : sigma_of(scene, spec, loaded.notes);
  std::size_t missing = 0;
  for (const CloudFrame& frame : clouds.frames)
    missing += static_cast<std::size_t>(std::ranges::count_if(frame.points, &std::vector<Vec3>::empty));
  if (missing > 0)
    loaded.notes.push_back(fmt::format("{}: {} of {} clouds are missing", spec.file, missing,
                                       clouds.frames.size() * clouds.cameras.size()));
  place_clouds(scene, spec, clouds);
  std::vector<Vec3> rest(at(scene.system->kinematics().num_points()), Vec3::Zero());
  for (const CompiledBody& body : scene.bodies) std::ranges::copy(body.mesh.nodes, rest.begin() + body.first_block);
  loaded.observation =
      std::make_unique<CloudObservation>(std::move(clouds), surface_of(scene, spec.body), rest, options);
  return loaded;
}

}  // namespace

std::vector<Triangle> surface_of(const CompiledScene& scene, const std::string& name) {
  std::vector<Triangle> surface;
  std::vector<std::string> names;
  bool is_known = name.empty();
  for (const CompiledBody& body : scene.bodies) {
    names.push_back(body.name);
    if (!name.empty() && body.name != name) continue;
    is_known = true;
    const int first = body.first_block;
    for (const std::array<int, 3>& t : boundary_surface(body.mesh).triangles)
      surface.push_back({first + t[0], first + t[1], first + t[2]});
  }
  if (!is_known)
    throw Error(Problem{"", fmt::format("no body '{}' in the scene", name),
                        fmt::format("one of {}", fmt::join(names, ", ")), ""});
  return surface;
}

LoadedData load_data(const CompiledScene& scene, const DataSpec& spec, const FileReader& read) {
  if (spec.is_pose) require_equilibrium(scene, spec);
  switch (spec.kind) {
    case DataKind::markers:
      return load_markers(scene, spec, read);
    case DataKind::clouds:
      return load_clouds(scene, spec, read);
    case DataKind::trajectory:
      break;
  }
  return load_trajectory(scene, spec, read);
}

std::vector<LoadedData> load_all_data(const CompiledScene& scene, const std::vector<DataSpec>& specs,
                                      const FileReader& read) {
  std::vector<LoadedData> all;
  std::vector<Problem> problems;
  for (const DataSpec& spec : specs) try {
      all.push_back(load_data(scene, spec, read));
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  if (!problems.empty()) throw Error(std::move(problems));
  return all;
}

}  // namespace dashpot::learn
