#pragma once
// Regions of a VegaFEM .veg file: which material each element has, by sets of elements.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {

class VegRegions {
 public:
  struct Set {
    std::string name;
    std::vector<std::int64_t> elements;  ///< as in the file
    RawMesh::Place place;
    bool is_used = false;
  };

  std::vector<Set> sets;
  std::vector<RawMesh::Place> region_places;  ///< as the regions of the properties

  /// Later regions overrule earlier ones, as in VegaFEM: going backwards, each element is decided once. Sets that no
  /// region uses become node sets. Elements are counted from element_base.
  void assign(const VegaProperties& properties, std::int64_t element_base, std::size_t num_elements, RawMesh& raw);

 private:
  void check_sets(std::size_t num_elements, RawMesh& raw);
  void assign_region(const VegaRegion& region, std::size_t r, std::vector<int>& region_of, RawMesh& raw);
  void add_node_set(const Set& set, const ElementGroup& tets, RawMesh& raw) const;

  std::int64_t element_base_ = 1;
  std::set<std::string> material_names_;
  std::map<std::string, std::size_t> set_index_;
  bool all_are_decided_ = false;
};

}  // namespace dashpot
