#include "dashpot/learn/point_cloud.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot::learn {
namespace {

/// More of one kind are counted, not listed.
constexpr std::size_t most_listed = 20;

std::vector<Vec3> read_xyz(std::string_view bytes, const std::string& path) {
  std::vector<Vec3> points;
  std::vector<Problem> problems;
  TextScanner scanner(bytes);
  while (!scanner.at_end() && problems.size() < most_listed) {
    std::string_view line = scanner.line();
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    Words words(line, true);
    Vec3 x;
    int count = 0;
    while (count < 3) {
      const std::optional<double> value = parse_double(words.next());
      if (!value) break;
      x[count++] = *value;
    }
    if (count < 3)
      problems.push_back({fmt::format("{}:{}", path, scanner.word_line()),
                          count == 0 ? std::string("no number") : fmt::format("{} numbers", count),
                          "x y z: three numbers a line", "put '#' before comments and headings"});
    else if (x.allFinite())
      points.push_back(x);
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return points;
}

}  // namespace

std::vector<Vec3> read_cloud(std::string_view bytes, const std::string& path) {
  const std::string extension = lower_extension(path);
  if (extension == ".xyz") return read_xyz(bytes, path);
  if (extension == ".ply") {
    ReadOptions options;
    options.drop_degenerate_surface = options.drop_missing_points = true;
    return read_ply(bytes, path, nullptr, options).nodes;
  }
  throw Error(Problem{path, fmt::format("a file '{}'", extension), "a point cloud: .ply or .xyz",
                      "export the points in one of these formats"});
}

std::string ply_bytes(const std::vector<Vec3>& points) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nend_header\n",
      points.size());
  for (const Vec3& x : points) bytes.append(reinterpret_cast<const char*>(x.data()), 3 * sizeof(double));
  return bytes;
}

std::string xyz_text(const std::vector<Vec3>& points) {
  std::string text;
  for (const Vec3& x : points) text += fmt::format("{} {} {}\n", x[0], x[1], x[2]);
  return text;
}

namespace {

/// The index of a sequence, with all that is wrong in it.
class CloudIndexReader {
 public:
  CloudIndexReader(const std::string& path, const FileReader& read) : path_(path), read_(read) {}

  CloudSequence read() {
    ParsedJson parsed = parse_json(read_(path_), path_);
    for (const Problem& problem : parsed.problems)
      if (problem.severity == Problem::Severity::error) problems_.push_back(problem);
    finish();
    const JsonValue& root = parsed.value;
    const JsonValue* version = root.find("dashpot_clouds");
    if (!root.is(JsonValue::Kind::object) || version == nullptr) {
      problem(root, "", "no key \"dashpot_clouds\"", "an index of point clouds",
              "name the index (scan.json), not a file of points");
      finish();
    }
    if (!version->is(JsonValue::Kind::number) || version->number != 1)
      problem(*version, "/dashpot_clouds", "an unknown version", "1", "");
    sequence_.source = path_;
    read_unit(root);
    sequence_.noise = scale_ * number(root, "noise", "", 0);
    if (!(sequence_.noise >= 0)) problem(root, "/noise", "a negative noise", "a standard deviation", "");
    read_cameras(root);
    read_frames(root);
    finish();
    return std::move(sequence_);
  }

 private:
  void problem(const JsonValue& at, const std::string& pointer, std::string found, std::string expected,
               std::string remedy) {
    if (problems_.size() < most_listed)
      problems_.push_back(
          {place_text(path_, at.line, at.column, pointer), std::move(found), std::move(expected), std::move(remedy)});
  }
  void finish() {
    if (!problems_.empty()) throw Error(std::move(problems_));
  }

  double number(const JsonValue& object, const char* key, const std::string& pointer, double otherwise) {
    const JsonValue* value = object.find(key);
    if (value == nullptr) return otherwise;
    if (value->is(JsonValue::Kind::number)) return value->number;
    problem(*value, pointer + "/" + key, describe(value->kind), "a number", "");
    return otherwise;
  }

  void read_unit(const JsonValue& root) {
    const JsonValue* unit = root.find("unit");
    if (unit == nullptr) return;
    const ParsedQuantity one = parse_quantity("1 " + unit->text, Quantity::length);
    if (unit->is(JsonValue::Kind::string) && !unit->text.empty() && one.error.empty())
      scale_ = one.value;
    else
      problem(*unit, "/unit", fmt::format("\"{}\"", unit->text), "a unit of length: \"m\", \"mm\"", "");
  }

  std::optional<Vec3> vector(const JsonValue& value, const std::string& pointer) {
    Vec3 x = Vec3::Constant(nan);
    if (value.is(JsonValue::Kind::array) && value.items.size() == 3)
      for (int axis = 0; axis < 3; ++axis)
        if (value.items[at(axis)].is(JsonValue::Kind::number)) x[axis] = value.items[at(axis)].number;
    if (x.allFinite()) return x;
    problem(value, pointer, describe(value.kind), "three numbers [x, y, z]", "");
    return std::nullopt;
  }

  void read_cameras(const JsonValue& root) {
    const JsonValue* list = root.find("cameras");
    if (list == nullptr || !list->is(JsonValue::Kind::array) || list->items.empty()) {
      problem(list != nullptr ? *list : root, "/cameras", "no cameras",
              "a list of at least one camera with \"position\" or \"direction\"",
              "only triangles that face its camera can have been measured");
      return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const JsonValue& entry = list->items[i];
      const std::string pointer = fmt::format("/cameras/{}", i);
      DepthCamera camera;
      if (const JsonValue* name = entry.find("name")) camera.name = name->text;
      const JsonValue *position = entry.find("position"), *direction = entry.find("direction");
      if ((position == nullptr) == (direction == nullptr)) {
        problem(entry, pointer, position == nullptr ? "neither \"position\" nor \"direction\"" : "both of them",
                "\"position\" of a depth camera, or \"direction\" to a far one", "");
        continue;
      }
      if (position != nullptr) {
        if (const auto x = vector(*position, pointer + "/position")) camera.position = scale_ * *x;
      } else if (const auto x = vector(*direction, pointer + "/direction")) {
        if (x->stableNorm() > 0)
          camera.direction = x->stableNormalized();
        else
          problem(*direction, pointer + "/direction", "[0, 0, 0]", "a direction", "");
      }
      sequence_.cameras.push_back(std::move(camera));
    }
  }

  void read_frames(const JsonValue& root) {
    const JsonValue* list = root.find("frames");
    if (list == nullptr || !list->is(JsonValue::Kind::array) || list->items.empty()) {
      problem(list != nullptr ? *list : root, "/frames", "no frames", "a list of {\"time\", \"files\"}", "");
      return;
    }
    double last = -std::numeric_limits<double>::infinity();
    std::vector<std::string> empty;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const JsonValue& entry = list->items[i];
      const std::string pointer = fmt::format("/frames/{}", i);
      CloudFrame frame;
      frame.time = number(entry, "time", pointer, nan);
      if (!(frame.time > last))
        problem(entry, pointer + "/time",
                std::isfinite(frame.time) ? fmt::format("{} s after {} s", frame.time, last) : "no time",
                "times [s] that increase", "");
      else
        last = frame.time;
      const JsonValue* files = entry.find("files");
      if (files == nullptr || !files->is(JsonValue::Kind::array) || files->items.size() != sequence_.cameras.size()) {
        problem(
            entry, pointer + "/files", fmt::format("{} files", files != nullptr ? files->items.size() : std::size_t{0}),
            fmt::format("{}, one for each camera", sequence_.cameras.size()), "write null where a camera took none");
        continue;
      }
      for (const JsonValue& file : files->items) {
        frame.points.emplace_back();
        if (file.is(JsonValue::Kind::string))
          read_file_of(file.text, frame.points.back(), empty);
        else if (!file.is(JsonValue::Kind::null))
          problem(file, pointer + "/files", describe(file.kind), "a file name or null", "");
      }
      sequence_.frames.push_back(std::move(frame));
    }
    if (!empty.empty()) {
      const std::size_t shown = std::min<std::size_t>(empty.size(), 5);
      problem(*list, "/frames",
              fmt::format("{} without any point: {}{}",
                          empty.size() == 1 ? "a file" : fmt::format("{} files", empty.size()),
                          fmt::join(empty.begin(), empty.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                          shown < empty.size() ? ", ..." : ""),
              "points in every file",
              "write null in place of files in which the camera saw nothing; if all are empty, the export failed");
    }
  }

  void read_file_of(const std::string& name, std::vector<Vec3>& points, std::vector<std::string>& empty) {
    const std::string path = (std::filesystem::path(path_).parent_path() / name).string();
    try {
      const std::string bytes = read_(path);
      // An empty cloud is told of below, with all the others.
      const bool is_empty_ply = bytes.starts_with("ply") && bytes.find("element vertex 0\n") < 200;
      if (!is_empty_ply) points = read_cloud(bytes, path);
      for (Vec3& x : points) x *= scale_;
      if (points.empty()) empty.push_back(name);
    } catch (const Error& error) {
      for (const Problem& found : error.problems())
        if (problems_.size() < most_listed) problems_.push_back(found);
    }
  }

  const std::string& path_;
  const FileReader& read_;
  CloudSequence sequence_;
  double scale_ = 1;
  std::vector<Problem> problems_;
};

}  // namespace

CloudSequence read_clouds(const std::string& index_path, const FileReader& read) {
  return CloudIndexReader(index_path, read).read();
}

}  // namespace dashpot::learn
