#pragma once
// Gmsh's .msh as one stream of integers, sizes and reals, whether ASCII or binary, and what both versions share:
// element types, node tags, physical groups. Internal to the readers. Source: Gmsh reference manual, "MSH file format"
// [GeuzaineRemacle2009].

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {

/// Reads numbers from an ASCII or binary section.
class MshCursor {
 public:
  MshCursor(std::string_view bytes, RawMesh& raw) : scanner_(bytes), raw_(raw) {}

  bool is_binary = false;
  bool swap_bytes = false;

  std::int64_t integer();       ///< 4 bytes in binary
  std::int64_t size();          ///< 8 bytes in binary
  double real();                ///< 8 bytes in binary
  std::int64_t text_integer();  ///< counts that are text in binary files too
  double text_real();
  /// Reads the binary marker 1 and finds out whether bytes must be swapped.
  void read_byte_order();
  /// The next line, skipping empty ones; empty at the end.
  std::string_view line();
  /// Skips a line end: binary data begins right after it.
  void end_line() { scanner_.line(); }
  /// Jumps behind "$End<section>"; the file must contain it.
  void skip_section(std::string_view section);
  /// Refuses anything but "$End<section>" here.
  void expect_end(std::string_view section);

  RawMesh::Place place() const { return is_binary ? scanner_.position() : scanner_.word_line(); }
  std::size_t remaining() const { return scanner_.remaining(); }
  /// Fewest bytes that so many integers, sizes and reals occupy: digit and blank in ASCII.
  std::size_t least_bytes(std::size_t integers, std::size_t sizes, std::size_t reals) const {
    return is_binary ? 4 * integers + 8 * (sizes + reals) : 2 * (integers + sizes + reals);
  }
  RawMesh& raw() { return raw_; }

 private:
  const char* take(std::size_t count);
  template <class T>
  T binary();
  TextScanner scanner_;
  RawMesh& raw_;
};

struct MshElementType {
  int type;
  int dimension;
  int num_nodes;
  const char* name;
};
/// Null for a type that Gmsh does not define here.
const MshElementType* msh_element_type(std::int64_t type);
/// What a type of ours becomes in a Mesh.
ElementKind msh_element_kind(int type);

/// A section $ElementData of one component.
struct MshField {
  std::string name;
  std::vector<std::pair<std::int64_t, double>> values;  ///< element tag and number
  RawMesh::Place place = 0;
};

/// Collects nodes by tag and elements by type; sorts out regions and node sets at the end.
class MshBuilder {
 public:
  explicit MshBuilder(RawMesh& raw) : raw_(raw) {}

  void name_group(int dimension, int tag, std::string name) { names_[{dimension, tag}] = std::move(name); }
  void add_node(std::int64_t tag, const Vec3& x, RawMesh::Place place);
  /// Sorts the tags for lookup; after all nodes.
  void nodes_complete();
  bool has_nodes() const { return nodes_are_complete_; }
  /// Number of a list of physical tags, for add_element.
  int physical_list(const std::vector<int>& tags);
  /// Checks the type once per block; throws when it is not one of ours.
  const MshElementType& require_type(std::int64_t type, RawMesh::Place place);
  void add_element(const MshElementType& type, std::int64_t tag, const std::int64_t* node_tags, int physical_list,
                   RawMesh::Place place);
  void add_field(MshField field);
  /// Moves everything into the RawMesh.
  void build(const ReadOptions& options);

 private:
  struct Block {
    std::vector<std::int64_t> nodes;  ///< 0-based
    std::vector<int> lists;
    std::vector<std::int64_t> tags;
    std::vector<RawMesh::Place> places;
    bool is_kept = false;  ///< its elements are in the mesh, in the same order
  };
  std::int64_t index_of(std::int64_t tag) const;
  std::string group_name(int dimension, int tag, bool is_region) const;
  void add_to_sets(const MshElementType& type, const Block& block, std::size_t first_tag,
                   std::map<std::string, std::vector<int>>& sets) const;
  /// Gives the elements that are kept their fields.
  void paint();

  RawMesh& raw_;
  std::map<std::pair<int, int>, std::string> names_;
  std::vector<std::int64_t> tags_;                    ///< by node index
  std::vector<int> dense_;                            ///< tag -> index, when tags are nearly consecutive
  std::vector<std::pair<std::int64_t, int>> sorted_;  ///< else
  bool nodes_are_complete_ = false;
  std::map<int, Block> blocks_;  ///< by Gmsh type
  std::map<std::vector<int>, int> list_numbers_;
  std::vector<std::vector<int>> lists_;
  std::vector<MshField> fields_;
};

void read_msh22_section(std::string_view section, MshCursor& cursor, MshBuilder& builder);
/// Entities of a 4.1 file: physical tags by (dimension, entity tag).
using MshEntities = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<int>>;
void read_msh41_section(std::string_view section, MshCursor& cursor, MshBuilder& builder, MshEntities& entities);
/// $ElementData is the same in both versions.
void read_msh_element_data(MshCursor& cursor, MshBuilder& builder);

}  // namespace dashpot
