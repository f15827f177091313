// .stl, ASCII and binary (80-byte header, count, 50 bytes a triangle, little-endian). Every triangle brings its own
// corners: corners with equal coordinates become one node. Normals are passed over; the corner order says which side is
// outside.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <unordered_map>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

static_assert(std::endian::native == std::endian::little, "binary .stl is read without swapping bytes");

struct PositionHash {
  std::size_t operator()(const std::array<double, 3>& x) const {
    std::uint64_t h = 0;
    for (const double c : x) h = (h ^ std::bit_cast<std::uint64_t>(c) ^ (h >> 29U)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }
};

class StlReader {
 public:
  StlReader(std::string_view bytes, RawMesh& raw) : bytes_(bytes), raw_(raw) {}

  void read() {
    if (bytes_.empty()) raw_.fail(0, "an empty file", "an .stl mesh");
    // Some binary files begin with "solid" too; their size gives them away.
    const bool looks_ascii = begins_with_ignoring_case(trimmed(bytes_.substr(0, 80)), "solid");
    if (looks_ascii && !(bytes_.size() >= 84 && bytes_.size() == 84 + 50 * std::size_t{count()}))
      read_ascii();
    else
      read_binary();
  }

 private:
  std::uint32_t count() const {
    std::uint32_t n = 0;
    std::memcpy(&n, bytes_.data() + 80, 4);
    return n;
  }

  std::int64_t node(std::array<double, 3> x, RawMesh::Place place) {
    for (double& c : x) c = c == 0 ? 0 : c;  // -0 and 0 are one place
    const auto [found, is_new] = nodes_.try_emplace(x, raw_.mesh.num_nodes());
    if (is_new) raw_.add_node(Vec3(x[0], x[1], x[2]), place);
    return found->second;
  }

  void read_binary() {
    raw_.places_are_bytes = true;
    raw_.format = ".stl, binary";
    if (bytes_.size() < 84)
      raw_.fail(bytes_.size(), fmt::format("{} bytes", bytes_.size()), "a header of 84 bytes, or the word 'solid'");
    const std::size_t triangles = raw_.claimed(count(), 50, bytes_.size() - 84, 80, "triangles");
    for (std::size_t i = 0; i < triangles && 84 + 50 * (i + 1) <= bytes_.size(); ++i) {
      const std::size_t begin = 84 + 50 * i;
      float x[9];
      std::memcpy(x, bytes_.data() + begin + 12, sizeof x);
      std::array<std::int64_t, 3> corner{};
      for (std::size_t a = 0; a < 3; ++a) corner[a] = node({x[3 * a], x[3 * a + 1], x[3 * a + 2]}, begin);
      raw_.add_element(ElementKind::triangle, corner.data(), 0, begin);
    }
  }

  void read_ascii() {
    raw_.format = ".stl, ASCII";
    TextScanner scanner(bytes_);
    std::vector<std::int64_t> corners;
    bool ended = false;
    while (!scanner.at_end()) {
      const std::string_view line = trimmed(scanner.line());
      const RawMesh::Place place = scanner.word_line();
      const auto is = [&](std::string_view word) { return begins_with_ignoring_case(line, word); };
      if (is("vertex")) {
        corners.push_back(read_vertex(line.substr(6), place));
      } else if (is("endloop") || is("end loop")) {
        if (corners.size() != 3) raw_.problem(place, fmt::format("a facet of {} vertices", corners.size()), "3");
        if (corners.size() == 3) raw_.add_element(ElementKind::triangle, corners.data(), 0, place);
        corners.clear();
      } else if (is("endsolid") || is("end solid")) {
        ended = true;
      } else if (!line.empty() && !is("solid") && !is("facet") && !is("outer") && !is("endfacet") && !is("end facet")) {
        raw_.problem(place, in_quotes(line), "facet, outer loop, vertex, endloop, endfacet or endsolid");
      }
    }
    if (!ended)
      raw_.fail(scanner.line_number(), "the file ends without 'endsolid'", "endsolid",
                "the file is cut off; export it again");
  }

  std::int64_t read_vertex(std::string_view text, RawMesh::Place place) {
    Words words(text);
    std::array<double, 3> x{};
    for (double& c : x) {
      const std::string_view word = words.next();
      const auto value = parse_double(word);
      if (!value) raw_.problem(place, word.empty() ? "a vertex with too few numbers" : in_quotes(word), "vertex x y z");
      c = value.value_or(0);
    }
    return node(x, place);
  }

  std::string_view bytes_;
  RawMesh& raw_;
  std::unordered_map<std::array<double, 3>, int, PositionHash> nodes_;
};

}  // namespace

Mesh read_stl(std::string_view bytes, const std::string& name, MeshReport* report, const ReadOptions& options) {
  RawMesh raw(name, ".stl");
  StlReader(bytes, raw).read();
  return raw.finish(options, report);
}

}  // namespace dashpot
