#include "dashpot/learn/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::learn {
namespace {

/// Of points tried to points wanted, before a camera counts as seeing nothing.
constexpr int most_tries = 200;
/// The box of the outliers is larger than the bodies by this part of its size, on each side.
constexpr double outlier_margin = 0.2;

/// Random numbers that are the same on every machine: splitmix64 [SteeleLeaFlood2014].
class RandomNumbers {
 public:
  RandomNumbers(std::uint64_t seed, std::uint64_t frame, std::uint64_t camera) : state_(seed) {
    state_ = next() ^ frame;
    state_ = next() ^ camera;
  }
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }  ///< 0 <= x < 1
  double normal() {
    const double u = 1 - uniform(), angle = two_pi * uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(angle);
  }
  Vec3 normals() {
    const double x = normal(), y = normal(), z = normal();
    return Vec3(x, y, z);
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  std::uint64_t state_;
};

void check_numbers(const Recording& run, const ScanSettings& settings, std::vector<Problem>& problems) {
  const auto require = [&](bool holds, std::string found, std::string expected, std::string remedy = {}) {
    if (!holds) problems.push_back({"scan", std::move(found), std::move(expected), std::move(remedy)});
  };
  require(!settings.cameras.empty(), "no cameras", "at least one");
  require(settings.points > 0, fmt::format("{} points", settings.points), "at least 1 a frame and camera");
  require(settings.every > 0, fmt::format("every {}th frame", settings.every), "1 or more");
  require(settings.noise >= 0 && std::isfinite(settings.noise), fmt::format("a noise of {} m", settings.noise),
          "a standard deviation, 0 or more");
  require(settings.outliers >= 0 && settings.outliers < 1, fmt::format("a share of outliers of {}", settings.outliers),
          "0 or more, less than 1");
  require(!run.frames.empty(), "a run without frames", "recorded frames",
          "run the scene again and let it record frames");
  for (const DepthCamera& camera : settings.cameras)
    require(camera.position ? camera.position->allFinite() : std::abs(camera.direction.stableNorm() - 1) < 1e-9,
            fmt::format("camera '{}' without a place", camera.name), "a position, or a direction of unit length");
  std::vector<std::string> names;
  for (const RecordedBody& body : run.bodies) names.push_back(body.name);
  for (const std::string& name : settings.bodies) {
    const std::string nearest = nearest_name(name, names);
    require(std::ranges::find(names, name) != names.end(), fmt::format("no body '{}' in the run", name),
            fmt::format("one of {}", fmt::join(names, ", ")),
            nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest));
  }
}

}  // namespace

Scanner::Scanner(const Recording& run, const ScanSettings& settings) : run_(run), settings_(settings) {
  std::vector<Problem> problems;
  check_numbers(run, settings, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  std::vector<Triangle> others;
  const auto add = [](std::vector<Triangle>& to, const Mesh& mesh, int first_point) {
    for (const Triangle& t : boundary_surface(mesh).triangles)
      to.push_back({first_point + t[0], first_point + t[1], first_point + t[2]});
  };
  for (const RecordedBody& body : run.bodies) {
    const bool is_scanned =
        settings.bodies.empty() || std::ranges::find(settings.bodies, body.name) != settings.bodies.end();
    add(is_scanned ? surface_ : others, body.mesh, body.first_point);
  }
  for (const RecordedScenery& scenery : run.scenery) add(others, scenery.surface, scenery.first_point);
  if (surface_.empty())
    throw Error(
        Problem{"scan", "bodies without a surface", "a solid or a surface", "cameras cannot see wires and points"});
  occluders_ = surface_;
  occluders_.insert(occluders_.end(), others.begin(), others.end());
  for (int i = 0; i < std::ssize(run.frames); i += settings.every)
    if (frames_.empty() || run.frames[at(i)].time > run.frames[at(frames_.back())].time) frames_.push_back(i);
}

std::vector<ScannedPoint> Scanner::seen(int frame, int camera_number) const {
  const std::vector<Vec3>& x = run_.frames[at(frame)].points;
  const DepthCamera& camera = settings_.cameras[at(camera_number)];
  const Occlusion occlusion(occluders_, x);
  std::vector<double> cumulative;
  double total = 0;
  for (const Triangle& t : surface_) {
    const double size = camera.apparent_size(area_vector(t, x), (x[at(t[0])] + x[at(t[1])] + x[at(t[2])]) / 3);
    total += std::isfinite(size) ? std::max(size, 0.0) : 0.0;
    cumulative.push_back(total);
  }
  RandomNumbers random(settings_.seed, static_cast<std::uint64_t>(frame), static_cast<std::uint64_t>(camera_number));
  std::vector<ScannedPoint> points;
  if (!(total > 0)) return points;
  const std::int64_t tries = std::int64_t{most_tries} * settings_.points;
  for (std::int64_t i = 0; i < tries && std::ssize(points) < settings_.points; ++i) {
    // upper_bound passes over triangles of no size.
    const double drawn = random.uniform() * total;
    const auto t = static_cast<std::size_t>(std::ranges::upper_bound(cumulative, drawn) - cumulative.begin());
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    if (t >= surface_.size()) continue;
    const Triangle& k = surface_[t];
    const Vec3 b(1 - u - v, u, v);
    const Vec3 point = b[0] * x[at(k[0])] + b[1] * x[at(k[1])] + b[2] * x[at(k[2])];
    // The size was that of the center: near a camera a corner may face away although the center does not.
    if (!(camera.apparent_size(area_vector(k, x), point) > 0)) continue;
    if (occlusion.sees(camera, point, static_cast<int>(t))) points.push_back({point, static_cast<int>(t), b});
  }
  // A camera to which a chink is open has not drawn all its points, but those it has are right.
  return points;
}

CloudFrame Scanner::scan(int frame) const {
  CloudFrame clouds;
  clouds.time = run_.frames[at(frame)].time;
  std::vector<Vec3> corners;
  for (const Triangle& t : surface_)
    for (const int corner : t) corners.push_back(run_.frames[at(frame)].points[at(corner)]);
  const BoundingBox box = bounding_box(corners);
  const Vec3 low = box.min - outlier_margin * box.size(), size = (1 + 2 * outlier_margin) * box.size();
  for (int camera = 0; camera < std::ssize(settings_.cameras); ++camera) {
    std::vector<Vec3>& points = clouds.points.emplace_back();
    // Numbers of their own: the same points are seen, whatever the noise.
    RandomNumbers random(~settings_.seed, static_cast<std::uint64_t>(frame), static_cast<std::uint64_t>(camera));
    for (const ScannedPoint& point : seen(frame, camera))
      points.push_back(point.position + settings_.noise * random.normals());
    const auto num_outliers = static_cast<std::size_t>(settings_.outliers * static_cast<double>(points.size()));
    // The first ones: points come in no order.
    for (std::size_t i = 0; i < num_outliers; ++i) {
      const double a = random.uniform(), b = random.uniform(), c = random.uniform();
      points[i] = low + size.cwiseProduct(Vec3(a, b, c));
    }
  }
  return clouds;
}

CloudSequence scan_run(const Recording& run, const ScanSettings& settings) {
  const Scanner scanner(run, settings);
  CloudSequence clouds;
  clouds.source = "scan";
  clouds.cameras = settings.cameras;
  clouds.noise = settings.noise;
  for (const int frame : scanner.frames()) clouds.frames.push_back(scanner.scan(frame));
  return clouds;
}

std::string cloud_index(const CloudSequence& clouds, const std::vector<std::vector<std::string>>& files,
                        const std::vector<std::pair<std::string, std::string>>& remarks) {
  const auto numbers = [](const Vec3& x) {
    JsonValue list = JsonValue::array();
    for (int axis = 0; axis < 3; ++axis) list.push(JsonValue::of(x[axis]));
    return list;
  };
  JsonValue root = JsonValue::object();
  root.add("dashpot_clouds", JsonValue::of(1.0));
  for (const auto& [key, text] : remarks) root.add(key, JsonValue::of(text));
  root.add("unit", JsonValue::of("m"));
  root.add("noise", JsonValue::of(clouds.noise));
  JsonValue& cameras = root.add("cameras", JsonValue::array());
  for (const DepthCamera& camera : clouds.cameras) {
    JsonValue entry = JsonValue::object();
    entry.add("name", JsonValue::of(camera.name));
    entry.add(camera.position ? "position" : "direction", numbers(camera.position.value_or(camera.direction)));
    cameras.push(std::move(entry));
  }
  JsonValue& frames = root.add("frames", JsonValue::array());
  for (std::size_t i = 0; i < clouds.frames.size(); ++i) {
    JsonValue entry = JsonValue::object();
    entry.add("time", JsonValue::of(clouds.frames[i].time));
    JsonValue& names = entry.add("files", JsonValue::array());
    for (const std::string& name : files[i]) names.push(name.empty() ? JsonValue() : JsonValue::of(name));
    frames.push(std::move(entry));
  }
  return write_json(root);
}

}  // namespace dashpot::learn
