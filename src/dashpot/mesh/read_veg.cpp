// VegaFEM .veg [SinSchroederBarbic2013]: *VERTICES, *ELEMENTS (TET), *MATERIAL, *SET (of elements), *REGION, *INCLUDE.
// Comments begin with '#'; blanks and commas separate; vertices and elements count from 0 or 1 each, as their first
// entry says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

constexpr std::size_t max_include_depth = 8;
constexpr std::size_t max_included_files = 64;

/// Lines with content, following *INCLUDE.
class VegLines {
 public:
  VegLines(std::string_view bytes, RawMesh& raw, const IncludeLoader& include) : raw_(raw), include_(include) {
    open_.push_back({TextScanner(bytes), 0});
  }

  /// Next line that is neither empty nor a comment; nothing at the end.
  std::optional<std::string_view> next() {
    if (kept_) return std::exchange(kept_, std::nullopt);
    while (!open_.empty()) {
      if (open_.back().scanner.at_end()) {
        open_.pop_back();
        continue;
      }
      std::string_view line = open_.back().scanner.line();
      place_ = RawMesh::in_file(open_.back().file, open_.back().scanner.word_line());
      line = trimmed(line.substr(0, line.find('#')));
      if (line.empty()) continue;
      if (!begins_with_ignoring_case(line, "*INCLUDE")) return last_ = line;
      open_include(trimmed(line.substr(8)));
    }
    return std::nullopt;
  }
  /// The last line is read again.
  void put_back() { kept_ = last_; }
  RawMesh::Place place() const { return place_; }
  /// Bytes that can still follow, in all open files.
  std::size_t remaining() const {
    std::size_t sum = 0;
    for (const Open& file : open_) sum += file.scanner.remaining();
    return sum;
  }

 private:
  struct Open {
    TextScanner scanner;
    std::size_t file;
  };
  void open_include(std::string_view name) {
    if (!include_) raw_.fail(place_, "*INCLUDE " + quoted(name), "a .veg file on disk", "paste the included file");
    if (open_.size() >= max_include_depth || contents_.size() >= max_included_files)
      raw_.fail(place_, "*INCLUDE " + quoted(name), "at most 8 files inside each other", "a file may include itself");
    try {
      contents_.push_back(include_(std::string(name)));
    } catch (const Error& error) {
      raw_.fail(place_, "*INCLUDE: " + error.problems().front().text());
    }
    open_.push_back({TextScanner(contents_.back()), raw_.add_file(std::string(name))});
  }

  RawMesh& raw_;
  const IncludeLoader& include_;
  std::vector<Open> open_;
  std::deque<std::string> contents_;
  std::optional<std::string_view> kept_;
  std::string_view last_;
  RawMesh::Place place_ = 0;
};

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
    assign_regions();
  }

 private:
  struct Set {
    std::string name;
    std::vector<std::int64_t> elements;  ///< as in the file
    RawMesh::Place place;
    bool is_used = false;
  };

  std::string_view require_line(const char* expected) {
    if (const auto line = lines_.next()) return *line;
    raw_.fail(lines_.place(), "the file ends here", expected);
  }

  [[noreturn]] void unknown(std::string_view line) {
    const std::string word(line.substr(0, std::min<std::size_t>(line.find_first_of(" \t"), 24)));
    const std::string near = nearest_name(word, {"*VERTICES", "*ELEMENTS", "*MATERIAL", "*REGION", "*SET", "*INCLUDE"});
    raw_.fail(lines_.place(), quoted(line), "*VERTICES, *ELEMENTS, *MATERIAL, *REGION, *SET or *INCLUDE",
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
    if (!number) raw_.fail(lines_.place(), quoted(word), fmt::format("the number of a {}", what));
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
        if (!value) raw_.fail(lines_.place(), word.empty() ? "too few numbers" : quoted(word), "number, x, y, z");
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
    if (!begins_with_ignoring_case(type, "TET")) raw_.fail(lines_.place(), quoted(type), "TET");
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
          raw_.fail(lines_.place(), word.empty() ? "too few vertices" : quoted(word), "number and four vertices");
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
      if (!value || !std::isfinite(*value)) raw_.problem(lines_.place(), quoted(word), "a number");
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
    region_places_.push_back(lines_.place());
  }

  void read_set(std::string_view name) {
    sets_.push_back({std::string(name), {}, lines_.place(), false});
    while (const auto line = lines_.next()) {
      if (line->front() == '*') return lines_.put_back();
      Words words(*line, true);
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto element = parse_integer(word);
        if (!element) raw_.fail(lines_.place(), quoted(word), "the number of an element");
        sets_.back().elements.push_back(*element);
      }
    }
  }

  /// Later regions overrule earlier ones, as in VegaFEM: going backwards, each element is decided once. Sets that no
  /// region uses become node sets.
  void assign_regions() {
    check_sets();
    ElementGroup* tets = raw_.mesh.group(ElementKind::tet4);
    if (tets == nullptr) return;
    std::vector<int> region_of(num_elements_, -1);
    index_names();
    for (std::size_t r = properties.regions.size(); r-- > 0;) assign_region(r, region_of);
    name_regions(region_of);
    tets->region = std::move(region_of);
    for (const Set& set : sets_)
      if (!set.is_used) add_node_set(set, *tets);
  }

  void check_sets() {
    const std::int64_t last = element_base_ + static_cast<std::int64_t>(num_elements_) - 1;
    for (Set& set : sets_) {
      std::erase_if(set.elements, [&](std::int64_t e) {
        const bool outside = e < element_base_ || e > last;
        if (outside)
          raw_.problem(set.place, fmt::format("set '{}' names element {}", set.name, e),
                       fmt::format("{} to {}", element_base_, last));
        return outside;
      });
    }
  }

  /// The first of equal names counts.
  void index_names() {
    for (const VegaMaterial& material : properties.materials) material_names_.insert(material.name);
    for (std::size_t i = 0; i < sets_.size(); ++i) set_index_.try_emplace(sets_[i].name, i);
  }

  void assign_region(std::size_t r, std::vector<int>& region_of) {
    const VegaRegion& region = properties.regions[r];
    if (!material_names_.contains(region.material)) {
      const bool few = material_names_.size() < 100;
      const std::string near = nearest_name(
          region.material.substr(0, 64),
          few ? std::vector<std::string>(material_names_.begin(), material_names_.end()) : std::vector<std::string>());
      raw_.problem(region_places_[r], "region of unknown material " + quoted(region.material),
                   "a *MATERIAL of this file", near.empty() ? "" : "did you mean '" + near + "'?");
    }
    if (region.set == "allElements") {
      if (!std::exchange(all_are_decided_, true))
        std::replace(region_of.begin(), region_of.end(), -1, static_cast<int>(r));
      return;
    }
    const auto found = set_index_.find(region.set);
    if (found == set_index_.end()) {
      raw_.problem(region_places_[r], "region of unknown set " + quoted(region.set),
                   "allElements or a *SET of this file");
      return;
    }
    Set& set = sets_[found->second];
    if (std::exchange(set.is_used, true)) return;  // a later region has decided these
    for (const std::int64_t e : set.elements) {
      int& decided = region_of[static_cast<std::size_t>(e - element_base_)];
      if (decided < 0) decided = static_cast<int>(r);
    }
  }

  void name_regions(std::vector<int>& region_of) {
    std::map<std::string, int> uses;
    for (const VegaRegion& region : properties.regions) {
      const int use = ++uses[region.set];
      raw_.mesh.regions.push_back(use == 1 ? region.set : fmt::format("{} ({})", region.set, use));
    }
    const auto homeless = std::count(region_of.begin(), region_of.end(), -1);
    if (homeless == 0) return;
    const int other = static_cast<int>(raw_.mesh.regions.size());
    if (other > 0) {
      raw_.mesh.regions.emplace_back("unassigned");
      raw_.warn(fmt::format("{} elements belong to no region", homeless),
                "add a *REGION, or give region 'unassigned' a material");
    }
    std::replace(region_of.begin(), region_of.end(), -1, other);
  }

  void add_node_set(const Set& set, const ElementGroup& tets) {
    std::vector<int> nodes;
    for (const std::int64_t e : set.elements) {
      const int* tet = tets.element(static_cast<int>(e - element_base_));
      nodes.insert(nodes.end(), tet, tet + 4);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    raw_.mesh.node_sets.emplace_back(set.name, std::move(nodes));
  }

  RawMesh& raw_;
  VegLines lines_;
  std::int64_t vertex_base_ = 1, element_base_ = 1;
  std::size_t num_elements_ = 0;
  std::vector<Set> sets_;
  std::vector<RawMesh::Place> region_places_;
  std::set<std::string> material_names_;
  std::map<std::string, std::size_t> set_index_;
  bool all_are_decided_ = false;
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
