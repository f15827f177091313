// Wavefront .obj: v, f, l, p, and g/o as region names. Texture and normal indices, materials and smoothing are passed
// over.
#include <fmt/format.h>

#include <algorithm>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

/// Keywords that say nothing about the shape.
bool is_ignored(std::string_view word) {
  static constexpr std::string_view ignored[] = {"vt",     "vn",       "vp",       "s",      "mg",         "usemtl",
                                                 "mtllib", "usemap",   "maplib",   "lod",    "shadow_obj", "trace_obj",
                                                 "bevel",  "c_interp", "d_interp", "cstype", "deg"};
  return std::find(std::begin(ignored), std::end(ignored), word) != std::end(ignored);
}

class ObjReader {
 public:
  ObjReader(std::string_view bytes, RawMesh& raw) : scanner_(bytes), raw_(raw) {}

  void read() {
    while (!scanner_.at_end()) {
      std::string_view line = scanner_.line();
      line = line.substr(0, line.find('#'));
      Words words(line);
      const std::string_view keyword = words.next();
      if (keyword == "v")
        read_vertex(words);
      else if (keyword == "f" || keyword == "l" || keyword == "p")
        read_element(keyword.front(), words);
      else if (keyword == "g" || keyword == "o")
        region_ = raw_.region(std::string(trimmed(words.rest()).substr(0, 256)));
      else if (!keyword.empty() && !is_ignored(keyword))
        raw_.problem(scanner_.word_line(), in_quotes(keyword), "v, f, l, p, g, o or another word of .obj");
    }
  }

 private:
  void read_vertex(Words& words) {
    Vec3 x = Vec3::Zero();
    for (int c = 0; c < 3; ++c) {
      const std::string_view word = words.next();
      const auto value = parse_double(word);
      if (!value)
        raw_.problem(scanner_.word_line(), word.empty() ? "a vertex with too few numbers" : in_quotes(word), "v x y z");
      x[c] = value.value_or(0);
    }
    raw_.add_node(x, scanner_.word_line());
  }

  void read_element(char keyword, Words& words) {
    polygon_.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const auto index = parse_integer(word.substr(0, word.find('/')));
      if (!index || *index == 0) {
        raw_.problem(scanner_.word_line(), in_quotes(word), "the number of a vertex, from 1, or from -1 backwards");
        return;
      }
      // Negative numbers count back from the last vertex so far.
      polygon_.push_back(*index > 0 ? *index - 1 : static_cast<std::int64_t>(raw_.mesh.nodes.size()) + *index);
    }
    const std::size_t least = keyword == 'f' ? 3 : keyword == 'l' ? 2 : 1;
    if (polygon_.size() < least) {
      raw_.problem(scanner_.word_line(), fmt::format("'{}' with {} vertices", keyword, polygon_.size()),
                   fmt::format("at least {}", least));
      return;
    }
    if (keyword == 'f') raw_.add_polygon(polygon_, region_, scanner_.word_line());
    for (std::size_t i = 1; keyword == 'l' && i < polygon_.size(); ++i)
      raw_.add_element(ElementKind::edge, &polygon_[i - 1], region_, scanner_.word_line());
    for (std::size_t i = 0; keyword == 'p' && i < polygon_.size(); ++i)
      raw_.add_element(ElementKind::point, &polygon_[i], region_, scanner_.word_line());
  }

  TextScanner scanner_;
  RawMesh& raw_;
  int region_ = 0;
  std::vector<std::int64_t> polygon_;
};

}  // namespace

Mesh read_obj(std::string_view bytes, const std::string& name, MeshReport* report, const ReadOptions& options) {
  RawMesh raw(name, "Wavefront .obj");
  raw.index_base = 1;
  raw.empty_is_point_cloud = true;
  ObjReader(bytes, raw).read();
  return raw.finish(options, report);
}

}  // namespace dashpot
