// Reads skeletons and their tracks from JSON, with every problem at once and the place of each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/math/rotation.hpp"

namespace dashpot {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr std::size_t max_joints = 1000;  // poses are found one after another at every stage of a step

using Kind = JsonValue::Kind;

class SkeletonReader {
 public:
  SkeletonReader(std::string file, std::string folder, const FileReader& read)
      : file_(std::move(file)), folder_(std::move(folder)), read_(read) {}

  std::vector<Joint> run(std::string_view text) {
    ParsedJson parsed = parse_json(text, file_);
    problems_ = std::move(parsed.problems);
    if (problems_.empty() && read_root(parsed.value, "dashpot_skeleton", {"joints", "skeleton", "ends", "tracks"}))
      read(parsed.value);
    if (!problems_.empty()) throw Error(std::move(problems_));
    return std::move(joints_);
  }

 private:
  void report(const JsonValue& where, std::string found, std::string expected, std::string remedy = {}) {
    if (problems_.size() < 50)
      problems_.push_back(
          {place_text(file_, where.line, where.column), std::move(found), std::move(expected), std::move(remedy)});
  }
  bool expect(const JsonValue& value, Kind kind, const std::string& what) {
    if (value.is(kind)) return true;
    report(value, fmt::format("{} is {}", what, describe(value.kind)), describe(kind));
    return false;
  }
  void check_keys(const JsonValue& object, const std::vector<std::string>& known) {
    for (const JsonMember& member : object.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        report(member.value, fmt::format("\"{}\"", member.key), fmt::format("one of: {}", fmt::join(known, ", ")));
  }
  bool read_root(const JsonValue& root, const char* mark, std::vector<std::string> known) {
    if (!expect(root, Kind::object, "the file")) return false;
    known.push_back(mark);
    check_keys(root, known);
    const JsonValue* version = root.find(mark);
    if (version == nullptr || !version->is(Kind::number) || version->number != 1)
      report(version != nullptr ? *version : root, fmt::format("no \"{}\": 1", mark),
             fmt::format("\"{}\": 1, which says what this file is", mark));
    return problems_.empty();
  }

  const std::string* read_text(const JsonValue& object, const char* key, bool required) {
    const JsonValue* value = object.find(key);
    if (value == nullptr) {
      if (required) report(object, fmt::format("no \"{}\"", key), fmt::format("\"{}\": \"...\"", key));
      return nullptr;
    }
    return expect(*value, Kind::string, key) ? &value->text : nullptr;
  }
  /// A list of `size` finite numbers; 0: of any length.
  std::vector<double> read_numbers(const JsonValue& value, std::size_t size, const std::string& what) {
    std::vector<double> numbers;
    if (!expect(value, Kind::array, what)) return {};
    for (const JsonValue& item : value.items) {
      if (!expect(item, Kind::number, what)) return {};
      if (!std::isfinite(item.number)) report(item, fmt::format("{} is not finite", what), "a finite number");
      numbers.push_back(item.number);
    }
    if (size == 0 || numbers.size() == size) return numbers;
    report(value, fmt::format("{} has {} numbers", what, numbers.size()), fmt::format("{}", size));
    return {};
  }
  Vec3 read_point(const JsonValue& object, const char* key) {
    const std::vector<double> x = read_numbers(*object.find(key), 3, key);
    return x.empty() ? Vec3::Zero().eval() : Vec3(x.data());
  }

  void read(const JsonValue& root) {
    if (const std::string* other = read_text(root, "skeleton", false))
      read_joints_from(root, *other);
    else if (const JsonValue* joints = root.find("joints"))
      read_joints(*joints);
    else
      report(root, "neither \"joints\" nor \"skeleton\"", "the joints, or the file that has them");
    if (!problems_.empty()) return;
    const std::string* ends = read_text(root, "ends", false);
    if (ends == nullptr || *ends == "rest")
      ends_ = math::Spline::Ends::rest;
    else if (*ends == "straight")
      ends_ = math::Spline::Ends::straight;
    else if (*ends == "cyclic")
      ends_ = math::Spline::Ends::cyclic;
    else
      report(*root.find("ends"), fmt::format("ends = \"{}\"", *ends), "rest, straight or cyclic");
    const JsonValue* tracks = root.find("tracks");
    if (tracks == nullptr || !expect(*tracks, Kind::array, "tracks")) return;
    for (const JsonValue& track : tracks->items) read_track(track);
  }

  void read_joints_from(const JsonValue& root, const std::string& other) {
    const std::filesystem::path path = std::filesystem::path(folder_) / other;
    if (root.find("joints") != nullptr) report(root, "\"joints\" and \"skeleton\"", "one of the two");
    try {
      SkeletonReader reader(path.string(), path.parent_path().string(), read_);
      ParsedJson parsed = parse_json(read_(path.string()), path.string());
      reader.problems_ = std::move(parsed.problems);
      if (reader.problems_.empty() &&
          reader.read_root(parsed.value, "dashpot_skeleton", {"joints", "ends", "tracks"})) {
        const JsonValue* joints = parsed.value.find("joints");
        if (joints == nullptr)
          reader.report(parsed.value, "no \"joints\"", "a list of joints");
        else
          reader.read_joints(*joints);
      }
      problems_.insert(problems_.end(), reader.problems_.begin(), reader.problems_.end());
      joints_ = std::move(reader.joints_);
    } catch (const Error& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }

  void read_joints(const JsonValue& list) {
    if (!expect(list, Kind::array, "joints")) return;
    if (list.items.empty() || list.items.size() > max_joints)
      return report(list, fmt::format("{} joints", list.items.size()), fmt::format("1 to {}", max_joints));
    std::vector<std::string> parents;
    for (const JsonValue& item : list.items) {
      if (!expect(item, Kind::object, "a joint")) continue;
      check_keys(item, {"name", "parent", "at", "tail", "weights"});
      Joint joint;
      if (const std::string* name = read_text(item, "name", true)) joint.name = *name;
      for (const Joint& other : joints_)
        if (other.name == joint.name)
          report(item, fmt::format("the joint \"{}\" a second time", joint.name), "different names");
      const std::string* parent = read_text(item, "parent", false);
      parents.push_back(parent != nullptr ? *parent : "");
      if (item.find("at") == nullptr)
        report(item, fmt::format("joint \"{}\" has no \"at\"", joint.name), "its rest position, [x, y, z] in meters");
      else
        joint.at = read_point(item, "at");
      if (item.find("tail") != nullptr) joint.bones.push_back({joint.at, read_point(item, "tail")});
      if (const JsonValue* weights = item.find("weights")) read_weights(*weights, joint);
      joints_.push_back(std::move(joint));
    }
    if (problems_.empty()) order_joints(list, parents);
  }

  void read_weights(const JsonValue& value, Joint& joint) {
    joint.weights = read_numbers(value, 0, "weights");
    for (const double weight : joint.weights)
      if (weight < 0) return report(value, fmt::format("joint \"{}\" has a negative weight", joint.name), "0 or more");
  }

  /// Parents before children; each parent gets the bone to its child.
  void order_joints(const JsonValue& list, const std::vector<std::string>& parents) {
    const std::size_t n = joints_.size();
    std::vector<int> parent_of(n, -1), position(n, -1);
    for (std::size_t j = 0; j < n; ++j) {
      if (parents[j].empty()) continue;
      for (std::size_t k = 0; k < n; ++k)
        if (joints_[k].name == parents[j]) parent_of[j] = static_cast<int>(k);
      if (parent_of[j] < 0)
        report(list.items[j], fmt::format("parent \"{}\" of joint \"{}\"", parents[j], joints_[j].name),
               "the name of a joint");
    }
    if (!problems_.empty()) return;
    std::vector<Joint> ordered;
    for (bool progress = true; progress && ordered.size() < n;) {
      progress = false;
      for (std::size_t j = 0; j < n; ++j) {
        const int parent = parent_of[j];
        if (position[j] >= 0 || (parent >= 0 && position[static_cast<std::size_t>(parent)] < 0)) continue;
        position[j] = static_cast<int>(ordered.size());
        ordered.push_back(std::move(joints_[j]));
        if (parent >= 0) {
          ordered.back().parent = position[static_cast<std::size_t>(parent)];
          Joint& above = ordered[static_cast<std::size_t>(ordered.back().parent)];
          above.bones.push_back({above.at, ordered.back().at});
        }
        progress = true;
      }
    }
    for (std::size_t j = 0; j < n; ++j)
      if (position[j] < 0)
        return report(list.items[j], fmt::format("joint \"{}\" is its own ancestor", joints_[j].name),
                      "parents that end at a joint without one");
    for (Joint& joint : ordered)
      if (joint.bones.empty()) joint.bones.push_back({joint.at, joint.at});
    joints_ = std::move(ordered);
  }

  /// One row of `size` numbers per time, as columns.
  Matrix read_rows(const JsonValue& track, const char* key, Eigen::Index size, std::size_t count) {
    Matrix rows(size, 0);
    const JsonValue& list = *track.find(key);
    if (!expect(list, Kind::array, key)) return rows;
    if (list.items.size() != count) {
      report(list, fmt::format("{} values of \"{}\" for {} times", list.items.size(), key, count), "one for each time");
      return rows;
    }
    rows.resize(size, static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double> row = read_numbers(list.items[i], static_cast<std::size_t>(size), key);
      if (row.empty()) return Matrix(size, 0);
      rows.col(static_cast<Eigen::Index>(i)) = Eigen::Map<const Vector>(row.data(), size);
    }
    return rows;
  }

  /// Unit quaternions, each with the sign that is nearer to the one before.
  Matrix aligned(const JsonValue& where, Matrix quaternions) {
    for (Eigen::Index i = 0; i < quaternions.cols(); ++i) {
      const double norm = quaternions.col(i).norm();
      if (!(std::abs(norm - 1) < 1e-3)) {
        report(where, fmt::format("quaternion {} has length {:.4g}", i, norm), "unit quaternions w, x, y, z");
        return Matrix(4, 0);
      }
      quaternions.col(i) /= i > 0 && quaternions.col(i).dot(quaternions.col(i - 1)) < 0 ? -norm : norm;
    }
    return quaternions;
  }

  /// Rotation vectors of quaternions, each by the nearest whole turn to the one before.
  static Matrix unwound(const Matrix& quaternions) {
    Matrix phi(3, quaternions.cols());
    Vec3 last = Vec3::Zero();
    for (Eigen::Index i = 0; i < quaternions.cols(); ++i) {
      last = math::rotation_vector(quaternions(0, i), quaternions.col(i).tail<3>(), last);
      phi.block<3, 1>(0, i) = last;
    }
    return phi;
  }

  /// Keys of a rotation and how they are joined.
  std::pair<Joint::Rotation, Matrix> read_rotation(const JsonValue& track, const std::string& key, std::size_t count) {
    if (key != "quaternion")
      return {key == "euler" ? Joint::Rotation::euler : Joint::Rotation::vector,
              degree * read_rows(track, key.c_str(), 3, count)};
    const Matrix keys = aligned(*track.find(key), read_rows(track, key.c_str(), 4, count));
    const bool comes_back = keys.cols() == 0 || (keys.rightCols<1>() - keys.leftCols<1>()).norm() < 1e-6;
    if (ends_ == math::Spline::Ends::cyclic && !comes_back) return {Joint::Rotation::vector, unwound(keys)};
    return {Joint::Rotation::quaternion, keys};
  }

  void read_track(const JsonValue& track) {
    if (!expect(track, Kind::object, "a track")) return;
    check_keys(track, {"joint", "times", "euler", "vector", "quaternion", "translate"});
    const std::string* name = read_text(track, "joint", true);
    const JsonValue* times_value = track.find("times");
    if (times_value == nullptr) report(track, "a track without \"times\"", "\"times\": [0, ...] in seconds");
    if (name == nullptr || times_value == nullptr) return;
    const auto found =
        std::find_if(joints_.begin(), joints_.end(), [&](const Joint& joint) { return joint.name == *name; });
    if (found == joints_.end()) {
      std::vector<std::string> names;
      for (const Joint& joint : joints_) names.push_back(joint.name);
      const std::string near = nearest_name(*name, names);
      return report(*track.find("joint"), fmt::format("no joint \"{}\"", *name), "the name of a joint",
                    near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
    }
    const std::vector<double> times = read_numbers(*times_value, 0, "times");
    const auto spline = [&](const JsonValue& where, const Matrix& values) {
      try {
        if (values.cols() > 0) return math::Spline(times, values, ends_);
      } catch (const Error& error) {
        for (const Problem& problem : error.problems()) report(where, problem.found, problem.expected, problem.remedy);
      }
      return math::Spline();
    };
    for (const char* key : {"euler", "vector", "quaternion"}) {
      const JsonValue* value = track.find(key);
      if (value == nullptr) continue;
      if (found->rotation_kind != Joint::Rotation::none) {
        report(*value, fmt::format("joint \"{}\" turns by two tracks", *name), "one rotation a joint");
        continue;
      }
      const auto [kind, keys] = read_rotation(track, key, times.size());
      found->rotation_kind = kind;
      found->rotation = spline(*times_value, keys);
    }
    if (const JsonValue* value = track.find("translate")) {
      if (found->translation.dimension() > 0)
        return report(*value, fmt::format("joint \"{}\" shifts by two tracks", *name), "one translation a joint");
      found->translation = spline(*times_value, read_rows(track, "translate", 3, times.size()));
    }
  }

  std::string file_, folder_;
  const FileReader& read_;
  std::vector<Problem> problems_;
  std::vector<Joint> joints_;
  math::Spline::Ends ends_ = math::Spline::Ends::rest;
};

}  // namespace

Skeleton Skeleton::parse(std::string_view text, const std::string& file, const std::string& folder,
                         const FileReader& read) {
  Skeleton skeleton;
  skeleton.joints_ = SkeletonReader(file, folder, read).run(text);
  return skeleton;
}

Skeleton Skeleton::read(const std::string& path, const FileReader& read) {
  return parse(read(path), path, std::filesystem::path(path).parent_path().string(), read);
}

}  // namespace dashpot
