#include "dashpot/record/recording.hpp"

#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {

JsonValue to_json(const Vec3& x) {
  JsonValue list = JsonValue::array();
  for (int c = 0; c < 3; ++c) list.push(JsonValue::of(x[c]));
  return list;
}

JsonValue to_json(const ShapeSource& shape) {
  JsonValue entry = JsonValue::object();
  entry.add("height", JsonValue::of(shape.height));
  entry.add("scale", JsonValue::of(shape.scale));
  JsonValue& rows = entry.add("rotation", JsonValue::array());
  for (int r = 0; r < 3; ++r) rows.push(to_json(Vec3(shape.rotation.row(r))));
  entry.add("translation", to_json(shape.translation));
  entry.add("text", JsonValue::of(shape.text));
  return entry;
}

/// A cloud of points needs elements to be written.
Mesh with_elements(Mesh mesh) {
  if (mesh.num_elements() > 0 || mesh.nodes.empty()) return mesh;
  std::vector<int>& nodes = mesh.group_or_new(ElementKind::point).nodes;
  nodes.resize(mesh.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return mesh;
}

JsonValue write_part(const std::string& folder, const std::string& file, const std::string& name, const Mesh& mesh,
                     int first_point) {
  write_mesh(folder + "/" + file, with_elements(mesh));
  JsonValue entry = JsonValue::object();
  entry.add("name", JsonValue::of(name));
  entry.add("mesh", JsonValue::of(file));
  entry.add("first_point", JsonValue::of(static_cast<double>(first_point)));
  return entry;
}

/// Reads recording.json member by member; whatever does not fit makes the whole file unusable.
class IndexReader {
 public:
  IndexReader(const std::string& folder, const FileReader& read)
      : folder_(folder), path_(folder + "/recording.json"), read_(read) {
    ParsedJson parsed = parse_json(read_(path_), path_);
    if (!parsed.problems.empty()) throw Error(parsed.problems);
    root_ = std::move(parsed.value);
  }

  const JsonValue& root() const { return root_; }

  const JsonValue& member(const JsonValue& object, const char* key, JsonValue::Kind kind) const {
    const JsonValue* value = object.find(key);
    if (!value || !value->is(kind)) fail(fmt::format("\"{}\" is missing or not {}", key, describe(kind)));
    return *value;
  }
  Vec3 vector(const JsonValue& object, const char* key) const {
    return components(member(object, key, JsonValue::Kind::array), key);
  }
  Vec3 components(const JsonValue& list, const char* key) const {
    if (list.items.size() != 3) fail(fmt::format("\"{}\" has {} entries instead of 3", key, list.items.size()));
    Vec3 x;
    for (int c = 0; c < 3; ++c) x[c] = list.items[static_cast<std::size_t>(c)].number;
    return x;
  }
  /// A body or a piece of scenery.
  template <class Part>
  Part part(const JsonValue& entry) const {
    Part part;
    part.name = member(entry, "name", JsonValue::Kind::string).text;
    ReadOptions options;
    options.keep_lower_dimensions = true;
    options.read = read_;
    Mesh mesh = read_mesh(folder_ + "/" + member(entry, "mesh", JsonValue::Kind::string).text, nullptr, options);
    part.first_point = static_cast<int>(member(entry, "first_point", JsonValue::Kind::number).number);
    mesh_of(part) = std::move(mesh);
    return part;
  }
  ShapeSource shape(const JsonValue& entry) const {
    ShapeSource shape;
    shape.text = member(entry, "text", JsonValue::Kind::string).text;
    shape.height = member(entry, "height", JsonValue::Kind::number).number;
    shape.scale = member(entry, "scale", JsonValue::Kind::number).number;
    shape.translation = vector(entry, "translation");
    const JsonValue& rows = member(entry, "rotation", JsonValue::Kind::array);
    if (rows.items.size() != 3) fail("\"rotation\" is not a 3 x 3 matrix");
    for (int r = 0; r < 3; ++r) shape.rotation.row(r) = components(rows.items[static_cast<std::size_t>(r)], "rotation");
    return shape;
  }
  [[noreturn]] void fail(const std::string& found) const {
    throw Error(Problem{path_, found, "the index that dashpot run wrote", "run the scene again"});
  }

 private:
  static Mesh& mesh_of(RecordedBody& body) { return body.mesh; }
  static Mesh& mesh_of(RecordedScenery& scenery) { return scenery.surface; }

  std::string folder_, path_;
  const FileReader& read_;
  JsonValue root_;
};

void check_points(const IndexReader& index, const std::string& name, int first_point, int count, std::size_t points) {
  if (first_point < 0 || static_cast<std::size_t>(first_point) + static_cast<std::size_t>(count) > points)
    index.fail(fmt::format("\"{}\" has points {} to {}, but the frames hold {}", name, first_point,
                           first_point + count - 1, points));
}

}  // namespace

void write_recording_index(const std::string& folder, const Recording& recording) {
  create_folder(folder + "/meshes");
  JsonValue root = JsonValue::object();
  root.add("dashpot_recording", JsonValue::of(1.0));
  root.add("title", JsonValue::of(recording.title));
  root.add("gravity", to_json(recording.gravity));
  JsonValue& bodies = root.add("bodies", JsonValue::array());
  for (const RecordedBody& body : recording.bodies) {
    bodies.push(write_part(folder, fmt::format("meshes/body{}.msh", bodies.items.size()), body.name, body.mesh,
                           body.first_point));
    if (body.shape) bodies.items.back().add("shape", to_json(*body.shape));
  }
  JsonValue& scenery = root.add("scenery", JsonValue::array());
  for (const RecordedScenery& piece : recording.scenery)
    scenery.push(write_part(folder, fmt::format("meshes/scenery{}.msh", scenery.items.size()), piece.name,
                            piece.surface, piece.first_point));
  JsonValue& grounds = root.add("grounds", JsonValue::array());
  for (const Ground& ground : recording.grounds) {
    JsonValue entry = JsonValue::object();
    entry.add("point", to_json(ground.point));
    entry.add("normal", to_json(ground.normal));
    grounds.push(std::move(entry));
  }
  write_file_atomically(folder + "/recording.json", write_json(root) + "\n");
}

Recording read_recording(const std::string& folder, const FileReader& read) {
  if (!std::filesystem::exists(folder + "/recording.json"))
    throw Error(Problem{folder, "no recording.json in it", "the folder of a run (dashpot run SCENE --out DIR)",
                        "give the folder that was named by --out"});
  const IndexReader index(folder, read);
  Recording recording;
  recording.title = index.member(index.root(), "title", JsonValue::Kind::string).text;
  recording.gravity = index.vector(index.root(), "gravity");
  for (const JsonValue& entry : index.member(index.root(), "bodies", JsonValue::Kind::array).items) {
    recording.bodies.push_back(index.part<RecordedBody>(entry));
    if (const JsonValue* shape = entry.find("shape")) recording.bodies.back().shape = index.shape(*shape);
  }
  for (const JsonValue& entry : index.member(index.root(), "scenery", JsonValue::Kind::array).items)
    recording.scenery.push_back(index.part<RecordedScenery>(entry));
  for (const JsonValue& entry : index.member(index.root(), "grounds", JsonValue::Kind::array).items)
    recording.grounds.push_back({index.vector(entry, "point"), index.vector(entry, "normal")});
  const std::string frames = folder + "/frames.dpf";
  recording.frames = read_frames(std::filesystem::exists(frames) ? frames : frames + ".partial", read);
  if (recording.frames.empty()) index.fail("the run recorded no frames");
  const std::size_t points = recording.frames.front().points.size();
  for (const RecordedBody& body : recording.bodies)
    check_points(index, body.name, body.first_point, body.mesh.num_nodes(), points);
  for (const RecordedScenery& piece : recording.scenery)
    check_points(index, piece.name, piece.first_point, piece.surface.num_nodes(), points);
  return recording;
}

}  // namespace dashpot
