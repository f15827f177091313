// TetGen .node and .ele [Si2015]. '#' begins a comment; the first node's number says whether the files count from 0
// or 1.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

/// Lines of one of the two files.
class TetgenLines {
 public:
  TetgenLines(std::string_view bytes, std::size_t file) : scanner_(bytes), file_(file) {}
  std::optional<std::string_view> next() {
    while (!scanner_.at_end()) {
      std::string_view line = scanner_.line();
      line = trimmed(line.substr(0, line.find('#')));
      if (!line.empty()) return line;
    }
    return std::nullopt;
  }
  RawMesh::Place place() const { return RawMesh::in_file(file_, scanner_.word_line()); }
  std::size_t remaining() const { return scanner_.remaining(); }

 private:
  TextScanner scanner_;
  std::size_t file_;
};

/// The integers of a header line; what is missing is zero.
std::array<std::int64_t, 4> read_header(TetgenLines& lines, RawMesh& raw, const char* expected) {
  const auto line = lines.next();
  if (!line) raw.fail(lines.place(), "the file ends here", expected);
  std::array<std::int64_t, 4> header{};
  Words words(*line);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string_view word = words.next();
    if (word.empty() && i > 0) break;
    const auto value = parse_integer(word);
    if (!value) raw.fail(lines.place(), in_quotes(word), expected);
    header[i] = *value;
  }
  return header;
}

Words require_entry(TetgenLines& lines, RawMesh& raw, std::size_t i, std::int64_t& base, bool sets_base,
                    const char* what) {
  const auto line = lines.next();
  if (!line)
    raw.fail(lines.place(), fmt::format("the file ends before {} {}", what, base + static_cast<std::int64_t>(i)),
             "more lines");
  Words words(*line);
  const std::string_view word = words.next();
  const auto number = parse_integer(word);
  if (!number) raw.fail(lines.place(), in_quotes(word), fmt::format("the number of a {}", what));
  if (i == 0 && sets_base) {
    base = *number;
    if (base != 0 && base != 1) raw.fail(lines.place(), fmt::format("the first {} is number {}", what, base), "0 or 1");
  }
  if (*number != base + static_cast<std::int64_t>(i))
    raw.problem(lines.place(), fmt::format("{} number {}", what, *number),
                fmt::format("{}: they are numbered in order", base + static_cast<std::int64_t>(i)));
  return words;
}

double require_number(Words& words, TetgenLines& lines, RawMesh& raw, const char* expected) {
  const std::string_view word = words.next();
  if (const auto value = parse_double(word)) return *value;
  raw.fail(lines.place(), word.empty() ? "too few numbers" : in_quotes(word), expected);
}

std::int64_t read_nodes(TetgenLines& lines, RawMesh& raw) {
  constexpr const char* expected = "number of points, 3, attributes, markers";
  const auto [claim, dimension, num_attributes, has_marker] = read_header(lines, raw, expected);
  if (dimension != 3) raw.fail(lines.place(), fmt::format("points of dimension {}", dimension), "3");
  if (num_attributes < 0 || num_attributes > 1000 || has_marker < 0 || has_marker > 1)
    raw.fail(lines.place(), fmt::format("{} attributes, {} markers", num_attributes, has_marker), expected);
  const std::size_t count = raw.claimed(claim, 8, lines.remaining(), lines.place(), "points");
  std::int64_t base = 1;
  std::map<std::int64_t, std::vector<int>> marked;
  for (std::size_t i = 0; i < count; ++i) {
    Words words = require_entry(lines, raw, i, base, true, "point");
    Vec3 x;
    for (int c = 0; c < 3; ++c) x[c] = require_number(words, lines, raw, "number, x, y, z");
    for (std::int64_t a = 0; a < num_attributes; ++a) require_number(words, lines, raw, "an attribute");
    if (has_marker == 1) {
      const auto marker = parse_integer(words.next());
      if (!marker) raw.problem(lines.place(), "no boundary marker", "an integer at the end of the line");
      if (marker.value_or(0) != 0) marked[*marker].push_back(static_cast<int>(i));
    }
    raw.add_node(x, lines.place());
  }
  for (auto& [marker, nodes] : marked)
    raw.mesh.node_sets.emplace_back(fmt::format("marker {}", marker), std::move(nodes));
  return base;
}

/// TetGen's order of middle nodes is not Gmsh's: each goes to the edge whose midpoint it is nearest to.
bool sort_middle_nodes(std::array<std::int64_t, 10>& tet, const std::vector<Vec3>& nodes) {
  for (const std::int64_t n : tet)
    if (n < 0 || n >= static_cast<std::int64_t>(nodes.size())) return true;  // reported with all other indices
  const std::array<std::int64_t, 10> given = tet;
  const auto X = [&](std::size_t a) { return nodes[static_cast<std::size_t>(given[a])]; };
  std::array<bool, 6> taken{};
  for (std::size_t m = 4; m < 10; ++m) {
    std::size_t best = 0;
    double smallest = -1;
    for (std::size_t edge = 0; edge < 6; ++edge) {
      const Vec3 middle =
          0.5 * (X(static_cast<std::size_t>(tet_edges[edge][0])) + X(static_cast<std::size_t>(tet_edges[edge][1])));
      const double distance = (X(m) - middle).squaredNorm();
      if (smallest < 0 || distance < smallest) {
        smallest = distance;
        best = edge;
      }
    }
    if (taken[best]) return false;
    taken[best] = true;
    tet[4 + best] = given[m];
  }
  return true;
}

void read_elements(TetgenLines& lines, RawMesh& raw, std::int64_t base) {
  constexpr const char* expected = "number of tets, 4 or 10, 0 or 1";
  const auto [claim, nodes_each, has_attribute, unused] = read_header(lines, raw, expected);
  if (nodes_each != 4 && nodes_each != 10)
    raw.fail(lines.place(), fmt::format("elements of {} nodes", nodes_each), "4 or 10");
  if (has_attribute != 0 && has_attribute != 1)
    raw.fail(lines.place(), fmt::format("{} attributes", has_attribute), expected);
  const std::size_t count =
      raw.claimed(claim, static_cast<std::size_t>(2 + 2 * nodes_each), lines.remaining(), lines.place(), "tets");
  for (std::size_t i = 0; i < count; ++i) {
    Words words = require_entry(lines, raw, i, base, false, "tet");
    std::array<std::int64_t, 10> tet{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(nodes_each); ++a) {
      const std::string_view word = words.next();
      const auto node = parse_integer(word);
      if (!node) raw.fail(lines.place(), word.empty() ? "too few nodes" : in_quotes(word), "number and nodes of a tet");
      tet[a] = *node - base;
    }
    int region = 0;
    if (has_attribute == 1) {
      const std::string attribute(words.next().substr(0, 64));
      if (attribute.empty()) raw.problem(lines.place(), "no region attribute", "a number at the end of the line");
      region = raw.region(attribute);
    }
    if (nodes_each == 10 && !sort_middle_nodes(tet, raw.mesh.nodes))
      raw.problem(lines.place(), "two middle nodes belong to one edge", "a middle node near the middle of every edge");
    raw.add_element(nodes_each == 4 ? ElementKind::tet4 : ElementKind::tet10, tet.data(), region, lines.place());
  }
}

}  // namespace

Mesh read_tetgen(std::string_view node_bytes, std::string_view ele_bytes, const std::string& base, MeshReport* report,
                 const ReadOptions& options) {
  RawMesh raw(base + ".node", "TetGen");
  TetgenLines node_lines(node_bytes, 0);
  const std::int64_t first = read_nodes(node_lines, raw);
  raw.index_base = static_cast<int>(first);
  raw.empty_is_point_cloud = ele_bytes.data() == nullptr;
  if (!raw.empty_is_point_cloud) {
    TetgenLines ele_lines(ele_bytes, raw.add_file(base + ".ele"));
    read_elements(ele_lines, raw, first);
  }
  return raw.finish(options, report);
}

}  // namespace dashpot
