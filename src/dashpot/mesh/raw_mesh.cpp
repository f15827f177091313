#include "dashpot/mesh/raw_mesh.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace dashpot {
namespace {

constexpr std::size_t max_mesh_problems = 20;

}  // namespace

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 24)) text += c >= ' ' && c < 127 ? c : '?';
  return text + (word.size() > 24 ? "...'" : "'");
}

RawMesh::RawMesh(std::string name, std::string format_name) : format(std::move(format_name)) {
  add_file(std::move(name));
}

std::size_t RawMesh::add_file(std::string name) {
  files_.push_back(std::move(name));
  return files_.size() - 1;
}

std::string RawMesh::text_of(Place place) const {
  const std::string& file = files_[static_cast<std::size_t>(place >> 48U)];
  const Place where = place & ((Place{1} << 48U) - 1);
  if (where == 0) return file;
  return places_are_bytes ? fmt::format("{}: byte {}", file, where) : fmt::format("{}:{}", file, where);
}

void RawMesh::add_node(const Vec3& x, Place place) {
  mesh.nodes.push_back(x);
  node_places_.push_back(place);
}

void RawMesh::add_element(ElementKind kind, const std::int64_t* nodes, int region_number, Place place) {
  ElementGroup& group = mesh.group_or_new(kind);
  for (int a = 0; a < nodes_per_element(kind); ++a) {
    // Whatever does not fit an int is out of range too; -1 keeps it so.
    const bool fits = nodes[a] >= 0 && nodes[a] < std::numeric_limits<int>::max();
    group.nodes.push_back(fits ? static_cast<int>(nodes[a]) : -1);
  }
  group.region.push_back(region_number);
  element_places_[static_cast<std::size_t>(kind)].push_back(place);
}

void RawMesh::add_polygon(const std::vector<std::int64_t>& nodes, int region_number, Place place) {
  for (std::size_t i = 2; i < nodes.size(); ++i) {
    const std::array<std::int64_t, 3> triangle{nodes[0], nodes[i - 1], nodes[i]};
    add_element(ElementKind::triangle, triangle.data(), region_number, place);
  }
}

int RawMesh::region(const std::string& name) {
  const auto [found, is_new] = region_index_.try_emplace(name, static_cast<int>(mesh.regions.size()));
  if (is_new) mesh.regions.push_back(name);
  return found->second;
}

void RawMesh::problem(Place place, std::string found, std::string expected, std::string remedy) {
  if (problems_.size() >= max_mesh_problems) {
    ++num_suppressed_;
    return;
  }
  problems_.push_back({text_of(place), std::move(found), std::move(expected), std::move(remedy)});
}

void RawMesh::fail(Place place, std::string found, std::string expected, std::string remedy) {
  // What stopped the reading must be seen, however many problems came before.
  problems_.push_back({text_of(place), std::move(found), std::move(expected), std::move(remedy)});
  throw_if_any();
  throw Error(problems_);
}

std::size_t RawMesh::claimed(std::int64_t count, std::size_t least_bytes_each, std::size_t bytes_left, Place place,
                             std::string_view what) {
  if (count < 0 || count > std::numeric_limits<int>::max() / 16)
    fail(place, fmt::format("the header claims {} {}", count, what),
         fmt::format("0 to {}", std::numeric_limits<int>::max() / 16));
  const auto number = static_cast<std::size_t>(count);
  if (number > (bytes_left + 1) / least_bytes_each)
    fail(place, fmt::format("the header claims {} {}, but only {} bytes follow", number, what, bytes_left),
         fmt::format("at least {} bytes", number * least_bytes_each), "the file may be cut off; export it again");
  return number;
}

void RawMesh::warn(std::string found, std::string remedy) {
  warnings_.push_back({files_.front(), std::move(found), "", std::move(remedy), Problem::Severity::warning});
}

void RawMesh::throw_if_any() {
  if (problems_.empty()) return;
  if (num_suppressed_ > 0)
    problems_.push_back({files_.front(), fmt::format("and {} more problems", num_suppressed_), "", ""});
  throw Error(problems_);
}

RawMesh::Place RawMesh::element_place(ElementKind kind, int e) const {
  const std::vector<Place>& places = element_places_[static_cast<std::size_t>(kind)];
  return static_cast<std::size_t>(e) < places.size() ? places[static_cast<std::size_t>(e)] : 0;
}

std::string RawMesh::element_text(const ElementGroup& group, int e) const {
  std::string text = fmt::format("{} {} (nodes", to_string(group.kind), e + index_base);
  for (int a = 0; a < nodes_per_element(group.kind); ++a) text += fmt::format(" {}", group.element(e)[a] + index_base);
  return text + ")";
}

}  // namespace dashpot
