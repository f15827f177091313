// .off (Object File Format): OFF, [comments], "vertices faces edges", vertices, faces. Colors and normals are passed
// over.
#include <fmt/format.h>

#include <optional>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

class OffReader {
 public:
  OffReader(std::string_view bytes, RawMesh& raw) : scanner_(bytes), raw_(raw) {}

  void read() {
    std::string_view counts = read_magic();
    if (counts.empty()) counts = require_line("number of vertices, faces, edges");
    Words words(counts);
    const auto num_vertices = parse_integer(words.next()), num_faces = parse_integer(words.next());
    if (!num_vertices || !num_faces) raw_.fail(place(), in_quotes(counts), "number of vertices, faces, edges");
    const std::size_t vertices = raw_.claimed(*num_vertices, 6, scanner_.remaining(), place(), "vertices");
    const std::size_t faces = raw_.claimed(*num_faces, 6, scanner_.remaining(), place(), "faces");
    for (std::size_t i = 0; i < vertices; ++i) read_vertex();
    for (std::size_t i = 0; i < faces; ++i) read_face();
  }

 private:
  RawMesh::Place place() const { return scanner_.word_line(); }

  /// The word OFF with its prefixes; what follows it on the line.
  std::string_view read_magic() {
    Words words(require_line("OFF"));
    const std::string_view magic = words.next();
    if (!magic.ends_with("OFF") || magic.size() > 6) raw_.fail(place(), in_quotes(magic), "OFF");
    if (magic.find_first_of("4n") != std::string_view::npos)
      raw_.fail(place(), in_quotes(magic), "OFF in three dimensions");
    if (begins_with_ignoring_case(trimmed(words.rest()), "BINARY"))
      raw_.fail(place(), "a binary .off file", "ASCII", "convert it to .ply");
    return trimmed(words.rest());
  }

  std::string_view require_line(const char* expected) {
    while (!scanner_.at_end()) {
      std::string_view line = scanner_.line();
      line = trimmed(line.substr(0, line.find('#')));
      if (!line.empty()) return line;
    }
    raw_.fail(place(), "the file ends here", expected);
  }

  void read_vertex() {
    Words words(require_line("a vertex: x y z"));
    Vec3 x = Vec3::Zero();
    for (int c = 0; c < 3; ++c) {
      const std::string_view word = words.next();
      const auto value = parse_double(word);
      if (!value) raw_.problem(place(), word.empty() ? "a vertex with too few numbers" : in_quotes(word), "x y z");
      x[c] = value.value_or(0);
    }
    raw_.add_node(x, place());
  }

  void read_face() {
    const std::string_view line = require_line("a face: count and vertices");
    Words words(line);
    const auto count = parse_integer(words.next());
    if (!count || *count < 2 || *count > static_cast<std::int64_t>(line.size())) {
      raw_.problem(place(), in_quotes(line), "the number of corners, then that many vertices");
      return;
    }
    polygon_.clear();
    for (std::int64_t i = 0; i < *count; ++i) {
      const std::string_view word = words.next();
      const auto index = parse_integer(word);
      if (!index) {
        raw_.problem(place(), word.empty() ? "a face with too few vertices" : in_quotes(word),
                     fmt::format("{} vertices", *count));
        return;
      }
      polygon_.push_back(*index);
    }
    if (*count == 2)
      raw_.add_element(ElementKind::edge, polygon_.data(), 0, place());
    else
      raw_.add_polygon(polygon_, 0, place());
  }

  TextScanner scanner_;
  RawMesh& raw_;
  std::vector<std::int64_t> polygon_;
};

}  // namespace

Mesh read_off(std::string_view bytes, const std::string& name, MeshReport* report, const ReadOptions& options) {
  RawMesh raw(name, ".off");
  raw.empty_is_point_cloud = true;
  OffReader(bytes, raw).read();
  return raw.finish(options, report);
}

}  // namespace dashpot
