// .ply [Turk1994], ASCII and binary of both byte orders. Elements vertex (x y z), face (list of vertices), edge
// (vertex1 vertex2); other elements and properties are passed over.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<PlyType> ply_type(std::string_view word) {
  static constexpr std::pair<std::string_view, PlyType> names[] = {
      {"char", PlyType::i8},   {"int8", PlyType::i8},     {"uchar", PlyType::u8},   {"uint8", PlyType::u8},
      {"short", PlyType::i16}, {"int16", PlyType::i16},   {"ushort", PlyType::u16}, {"uint16", PlyType::u16},
      {"int", PlyType::i32},   {"int32", PlyType::i32},   {"uint", PlyType::u32},   {"uint32", PlyType::u32},
      {"float", PlyType::f32}, {"float32", PlyType::f32}, {"double", PlyType::f64}, {"float64", PlyType::f64}};
  for (const auto& [name, type] : names)
    if (name == word) return type;
  return std::nullopt;
}

std::size_t size_of(PlyType type) {
  static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::f32;
  std::optional<PlyType> count_type;  ///< of a list
};

struct PlyElement {
  std::string name;
  std::int64_t claim = 0;
  RawMesh::Place place = 0;
  std::vector<PlyProperty> properties;
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, RawMesh& raw) : scanner_(bytes), raw_(raw) {}

  void read() {
    read_header();
    raw_.places_are_bytes = is_binary_;
    for (const PlyElement& element : elements_) read_element(element);
  }

 private:
  RawMesh::Place place() const { return is_binary_ && header_done_ ? scanner_.position() : scanner_.word_line(); }

  void read_header() {
    if (trimmed(scanner_.line()) != "ply") raw_.fail(1, "the file does not begin with 'ply'", "a .ply file");
    bool has_format = false;
    while (true) {
      if (scanner_.at_end()) raw_.fail(place(), "the header does not end", "end_header");
      Words words(scanner_.line());
      const std::string_view keyword = words.next();
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format(words.next());
        has_format = true;
      } else if (keyword == "element") {
        const std::string name(words.next());
        const auto count = parse_integer(words.next());
        if (!count) raw_.fail(place(), "an element without count", "element NAME COUNT");
        elements_.push_back({name, *count, place(), {}});
      } else if (keyword == "property") {
        read_property(words);
      } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
        raw_.fail(place(), in_quotes(keyword), "format, element, property, comment or end_header");
      }
    }
    if (!has_format)
      raw_.fail(place(), "a header without format", "format ascii 1.0, or binary_little_endian, or binary_big_endian");
    header_done_ = true;
  }

  void read_format(std::string_view word) {
    is_binary_ = word != "ascii";
    if (is_binary_ && word != "binary_little_endian" && word != "binary_big_endian")
      raw_.fail(place(), in_quotes(word), "ascii, binary_little_endian or binary_big_endian");
    swap_ = is_binary_ && (word == "binary_big_endian") == (std::endian::native == std::endian::little);
    raw_.format = ".ply, " + std::string(word);
  }

  void read_property(Words& words) {
    if (elements_.empty()) raw_.fail(place(), "a property before any element", "element first");
    PlyProperty property;
    std::string_view word = words.next();
    if (word == "list") {
      property.count_type = ply_type(words.next());
      if (!property.count_type || *property.count_type >= PlyType::f32)
        raw_.fail(place(), "a list without count type", "list uchar int NAME");
      word = words.next();
    }
    const auto type = ply_type(word);
    if (!type)
      raw_.fail(place(), "property of type " + in_quotes(word),
                "char, uchar, short, ushort, int, uint, float or double");
    property.type = *type;
    property.name = std::string(words.next());
    elements_.back().properties.push_back(std::move(property));
  }

  double number(PlyType type) {
    if (is_binary_) return binary_number(type);
    const std::string_view word = scanner_.word();
    if (const auto value = parse_double(word)) return *value;
    raw_.fail(place(), word.empty() ? "the file ends here" : in_quotes(word), "a number");
  }

  template <class T>
  double take() {
    if (scanner_.remaining() < sizeof(T))
      raw_.fail(place(), "the file ends here", "more data", "the file is cut off; export it again");
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), scanner_.text().data() + scanner_.position(), sizeof(T));
    scanner_.seek(scanner_.position() + sizeof(T));
    if (swap_) std::reverse(bytes.begin(), bytes.end());
    return static_cast<double>(std::bit_cast<T>(bytes));
  }

  double binary_number(PlyType type) {
    switch (type) {
      case PlyType::i8:
        return take<std::int8_t>();
      case PlyType::u8:
        return take<std::uint8_t>();
      case PlyType::i16:
        return take<std::int16_t>();
      case PlyType::u16:
        return take<std::uint16_t>();
      case PlyType::i32:
        return take<std::int32_t>();
      case PlyType::u32:
        return take<std::uint32_t>();
      case PlyType::f32:
        return take<float>();
      case PlyType::f64:
        return take<double>();
    }
    return 0;
  }

  /// Length of a list, refused when the rest of the file cannot hold it.
  std::size_t list_length(const PlyProperty& property) {
    const double count = number(*property.count_type);
    if (!(count >= 0) || count > 2e9) raw_.fail(place(), fmt::format("a list of {} entries", count), "0 or more");
    return raw_.claimed(static_cast<std::int64_t>(count), is_binary_ ? size_of(property.type) : 2, scanner_.remaining(),
                        place(), "list entries");
  }

  std::size_t least_bytes(const PlyElement& element) const {
    std::size_t bytes = 0;
    for (const PlyProperty& property : element.properties)
      bytes += is_binary_ ? size_of(property.count_type.value_or(property.type)) : 2;
    return bytes;
  }

  void read_element(const PlyElement& element) {
    if (element.properties.empty()) {
      if (element.claim > 0)
        raw_.fail(place(), "element " + in_quotes(element.name) + " without properties", "properties");
      return;
    }
    const std::size_t count = raw_.claimed(element.claim, least_bytes(element), scanner_.remaining(), place(),
                                           "of " + in_quotes(element.name));
    if (element.name == "vertex") require_coordinates(element);
    for (std::size_t i = 0; i < count; ++i) {
      if (element.name == "vertex")
        read_vertex(element);
      else
        read_other(element);
    }
  }

  void require_coordinates(const PlyElement& element) {
    for (const char* axis : {"x", "y", "z"})
      if (std::none_of(element.properties.begin(), element.properties.end(),
                       [&](const PlyProperty& p) { return p.name == axis && !p.count_type; }))
        raw_.fail(element.place, std::string("vertices without property ") + axis, "x, y and z");
  }

  void read_vertex(const PlyElement& element) {
    Vec3 x = Vec3::Zero();
    RawMesh::Place begin = place();
    for (const PlyProperty& property : element.properties) {
      if (property.count_type) {
        for (std::size_t left = list_length(property); left > 0; --left) number(property.type);
        continue;
      }
      const double value = number(property.type);
      if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
        x[property.name[0] - 'x'] = value;
    }
    if (!is_binary_) begin = place();
    raw_.add_node(x, begin);
  }

  /// Faces and edges; anything else is read over.
  void read_other(const PlyElement& element) {
    std::array<std::int64_t, 2> edge{-1, -1};
    for (const PlyProperty& property : element.properties) {
      if (property.count_type) {
        polygon_.clear();
        for (std::size_t left = list_length(property); left > 0; --left)
          polygon_.push_back(as_index(number(property.type)));
        const bool is_face =
            element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index");
        if (is_face && polygon_.size() < 3)
          raw_.problem(place(), fmt::format("a face of {} vertices", polygon_.size()), "at least 3");
        if (is_face) raw_.add_polygon(polygon_, 0, place());
      } else {
        const std::int64_t value = as_index(number(property.type));
        if (property.name == "vertex1") edge[0] = value;
        if (property.name == "vertex2") edge[1] = value;
      }
    }
    if (element.name == "edge") raw_.add_element(ElementKind::edge, edge.data(), 0, place());
  }

  static std::int64_t as_index(double value) {
    return value >= 0 && value < 4e9 ? static_cast<std::int64_t>(value) : -1;
  }

  TextScanner scanner_;
  RawMesh& raw_;
  bool is_binary_ = false, swap_ = false, header_done_ = false;
  std::vector<PlyElement> elements_;
  std::vector<std::int64_t> polygon_;
};

}  // namespace

Mesh read_ply(std::string_view bytes, const std::string& name, MeshReport* report, const ReadOptions& options) {
  RawMesh raw(name, ".ply");
  raw.empty_is_point_cloud = true;
  PlyReader(bytes, raw).read();
  return raw.finish(options, report);
}

}  // namespace dashpot
