// VegaFEM .veg [SinSchroederBarbic2013]: *VERTICES, *ELEMENTS (TET), *MATERIAL, *SET (of elements), *REGION, *INCLUDE.
// Comments begin with '#'; blanks and commas separate; vertices and elements count from 0 or 1 each, as their first
// entry says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/mesh/veg_lines.hpp"
#include "dashpot/mesh/veg_regions.hpp"

namespace dashpot {
namespace {

class VegReader {
 public:
  VegReader(std::string_view bytes, RawMesh& raw, const IncludeLoader& include)
      : raw_(raw), lines_(bytes, raw, include) {}

  VegaProperties properties;

  void read() {
    while (const auto line = lines_.next()) {
      const auto is = [&](std::string_view keyword) { return begins_with_ignoring_case(*line, keyword); };
      if (is("*VERTICES"))
        read_vertices();
      else if (is("*ELEMENTS"))
        read_elements();
      else if (is("*MATERIAL"))
        read_material(trimmed(line->substr(9)));
      else if (is("*REGION"))
        read_region();
      else if (is("*SET"))
        read_set(trimmed(line->substr(4)));
      else
        unknown(*line);
    }
    regions_.assign(properties, element_base_, num_elements_, raw_);
  }

 private:
  std::string_view require_line(const char* expected) {
    if (const auto line = lines_.next()) return *line;
    raw_.fail(lines_.place(), "the file ends here", expected);
  }

  [[noreturn]] void unknown(std::string_view line) {
    const std::string word(line.substr(0, std::min<std::size_t>(line.find_first_of(" \t"), 24)));
    const std::string near = nearest_name(word, {"*VERTICES", "*ELEMENTS", "*MATERIAL", "*REGION", "*SET", "*INCLUDE"});
    raw_.fail(lines_.place(), in_quotes(line), "*VERTICES, *ELEMENTS, *MATERIAL, *REGION, *SET or *INCLUDE",
              near.empty() ? "" : "did you mean " + near + "?");
  }

  /// The first integers of a header line.
  std::array<std::int64_t, 2> read_counts(const char* expected) {
    Words words(require_line(expected), true);
    const auto first = parse_integer(words.next()), second = parse_integer(words.next());
    if (!first || !second) raw_.fail(lines_.place(), "no counts here", expected);
    return {*first, *second};
  }

  /// The entry number at the start of a line; the first one says from where the file counts.
  void check_number(std::string_view word, std::size_t i, std::int64_t& base, const char* what) {
    const auto number = parse_integer(word);
    if (!number) raw_.fail(lines_.place(), in_quotes(word), fmt::format("the number of a {}", what));
    if (i == 0) base = *number;
    if (base != 0 && base != 1)
      raw_.fail(lines_.place(), fmt::format("the first {} is number {}", what, *number), "0 or 1");
    if (*number != base + static_cast<std::int64_t>(i))
      raw_.problem(lines_.place(), fmt::format("{} number {}", what, *number),
                   fmt::format("{}: they are numbered in order", base + static_cast<std::int64_t>(i)));
  }

  void read_vertices() {
    const auto [claim, dimension] = read_counts("number of vertices, 3, 0, 0");
    if (dimension != 3) raw_.fail(lines_.place(), fmt::format("vertices of dimension {}", dimension), "3");
    const std::size_t count = raw_.claimed(claim, 8, lines_.remaining(), lines_.place(), "vertices");
    if (!raw_.mesh.nodes.empty()) raw_.fail(lines_.place(), "a second *VERTICES section", "one");
    for (std::size_t i = 0; i < count; ++i) {
      Words words(require_line("a vertex: number, x, y, z"), true);
      check_number(words.next(), i, vertex_base_, "vertex");
      Vec3 x;
      for (int c = 0; c < 3; ++c) {
        const std::string_view word = words.next();
        const auto value = parse_double(word);
        if (!value) raw_.fail(lines_.place(), word.empty() ? "too few numbers" : in_quotes(word), "number, x, y, z");
        x[c] = *value;
      }
      raw_.add_node(x, lines_.place());
    }
    raw_.index_base = static_cast<int>(vertex_base_);
  }

  void read_elements() {
    const std::string_view type = require_line("TET");
    if (begins_with_ignoring_case(type, "CUBIC") || begins_with_ignoring_case(type, "HEX"))
      raw_.fail(lines_.place(), "cubic (8-node) elements", "TET", "divide the cubes into tets");
    if (!begins_with_ignoring_case(type, "TET")) raw_.fail(lines_.place(), in_quotes(type), "TET");
    const auto [claim, nodes_each] = read_counts("number of elements, 4, 0");
    if (nodes_each != 4) raw_.fail(lines_.place(), fmt::format("elements of {} vertices", nodes_each), "4");
    const std::size_t count = raw_.claimed(claim, 10, lines_.remaining(), lines_.place(), "elements");
    if (num_elements_ > 0) raw_.fail(lines_.place(), "a second *ELEMENTS section", "one");
    for (std::size_t i = 0; i < count; ++i) {
      Words words(require_line("an element: number and four vertices"), true);
      check_number(words.next(), i, element_base_, "element");
      std::array<std::int64_t, 4> tet{};
      for (std::int64_t& node : tet) {
        const std::string_view word = words.next();
        const auto value = parse_integer(word);
        if (!value)
          raw_.fail(lines_.place(), word.empty() ? "too few vertices" : in_quotes(word), "number and four vertices");
        node = *value - vertex_base_;
      }
      raw_.add_element(ElementKind::tet4, tet.data(), 0, lines_.place());
    }
    num_elements_ = count;
  }

  void read_material(std::string_view name) {
    VegaMaterial material;
    material.name = std::string(name);
    Words words(require_line("ENU, density, E, nu"), true);
    material.model = std::string(words.next());
    const auto density = parse_double(words.next());
    std::vector<double>& numbers = material.parameters;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const auto value = parse_double(word);
      if (!value || !std::isfinite(*value)) raw_.problem(lines_.place(), in_quotes(word), "a number");
      numbers.push_back(value.value_or(0));
    }
    if (!density || !std::isfinite(*density) || *density <= 0)
      raw_.problem(lines_.place(), "material '" + material.name + "' has no positive density",
                   "MODEL, density, parameters");
    material.density = density.value_or(0);
    if (begins_with_ignoring_case(material.model, "ENU")) {
      if (numbers.size() != 2 || !(numbers[0] > 0) || !(numbers[1] > -1) || !(numbers[1] < 0.5))
        raw_.problem(lines_.place(), "material '" + material.name + "' has no valid E and nu",
                     "ENU, density, E > 0, -1 < nu < 0.5");
      numbers.resize(2);
      material.young = numbers[0];
      material.poisson = numbers[1];
    }
    properties.materials.push_back(std::move(material));
  }

  void read_region() {
    Words words(require_line("set, material"), true);
    VegaRegion region;
    region.set = std::string(words.next());
    region.material = std::string(words.next());
    if (region.material.empty()) raw_.problem(lines_.place(), "a region without material", "set, material");
    properties.regions.push_back(std::move(region));
    regions_.region_places.push_back(lines_.place());
  }

  void read_set(std::string_view name) {
    regions_.sets.push_back({std::string(name), {}, lines_.place(), false});
    while (const auto line = lines_.next()) {
      if (line->front() == '*') return lines_.put_back();
      Words words(*line, true);
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto element = parse_integer(word);
        if (!element) raw_.fail(lines_.place(), in_quotes(word), "the number of an element");
        regions_.sets.back().elements.push_back(*element);
      }
    }
  }

  RawMesh& raw_;
  VegLines lines_;
  std::int64_t vertex_base_ = 1, element_base_ = 1;
  std::size_t num_elements_ = 0;
  VegRegions regions_;
};

}  // namespace

Mesh read_veg(std::string_view bytes, const std::string& name, VegaProperties* properties, MeshReport* report,
              const ReadOptions& options, const IncludeLoader& include) {
  RawMesh raw(name, "VegaFEM .veg");
  VegReader reader(bytes, raw, include);
  reader.read();
  Mesh mesh = raw.finish(options, report);
  if (properties != nullptr) *properties = std::move(reader.properties);
  return mesh;
}

}  // namespace dashpot
