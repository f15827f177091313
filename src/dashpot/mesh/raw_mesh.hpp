#pragma once
// A mesh on its way in: elements with the place they were read at, problems collected so far. Internal to the readers.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {

class RawMesh {
 public:
  /// A place: line number or byte offset, with the number of the file (for includes) in the upper bits.
  using Place = std::uint64_t;
  static Place in_file(std::size_t file, Place place) { return static_cast<Place>(file) << 48U | place; }

  RawMesh(std::string name, std::string format);

  Mesh mesh;
  std::string format;
  bool places_are_bytes = false;
  bool empty_is_point_cloud = false;  ///< nodes without elements are points instead of an error
  int index_base = 0;                 ///< first index in the file, for messages
  int num_boundary_elements = 0;

  std::size_t add_file(std::string name);
  std::string text_of(Place place) const;

  void add_node(const Vec3& x, Place place);
  /// nodes: 0-based; range is checked in finish(), when all nodes are known.
  void add_element(ElementKind kind, const std::int64_t* nodes, int region, Place place);
  /// Triangle fan over a polygon of at least three nodes.
  void add_polygon(const std::vector<std::int64_t>& nodes, int region, Place place);
  /// Index of a region by name, appended when new.
  int region(const std::string& name);

  void problem(Place place, std::string found, std::string expected = {}, std::string remedy = {});
  /// Reports this and all problems before it.
  [[noreturn]] void fail(Place place, std::string found, std::string expected = {}, std::string remedy = {});
  /// Refuses a count that the rest of the file cannot hold, before anything is allocated for it.
  std::size_t claimed(std::int64_t count, std::size_t least_bytes_each, std::size_t bytes_left, Place place,
                      std::string_view what);
  void warn(std::string found, std::string remedy);

  /// Checks coordinates, indices and shapes, turns inverted tets, fills the report; throws when there are problems.
  Mesh finish(const ReadOptions& options, MeshReport* report);

 private:
  void throw_if_any();
  void drop_missing_points();
  void check_nodes();
  void check_indices();
  void check_tets(MeshReport& report);
  void check_surface(const ReadOptions& options, MeshReport& report);
  void describe(MeshReport& report) const;
  std::string element_text(const ElementGroup& group, int e) const;
  Place element_place(ElementKind kind, int e) const;

  std::vector<std::string> files_;
  std::vector<Problem> problems_, warnings_;
  std::size_t num_suppressed_ = 0;
  std::vector<Place> node_places_;
  std::array<std::vector<Place>, 5> element_places_;
  std::unordered_map<std::string, int> region_index_;
};

/// A word of the file for a message: cut at 24 characters, without control characters.
std::string in_quotes(std::string_view word);

}  // namespace dashpot
