#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {
namespace {

constexpr int line3 = 8, triangle6 = 9;

bool is_mesh_element(int type) { return type != line3 && type != triangle6; }

}  // namespace

const MshElementType* msh_element_type(std::int64_t type) {
  static constexpr MshElementType types[] = {{1, 1, 2, "edge"},
                                             {2, 2, 3, "triangle"},
                                             {3, 2, 4, "quadrangle"},
                                             {4, 3, 4, "tet"},
                                             {5, 3, 8, "hexahedron"},
                                             {6, 3, 6, "prism"},
                                             {7, 3, 5, "pyramid"},
                                             {8, 1, 3, "3-node edge"},
                                             {9, 2, 6, "6-node triangle"},
                                             {10, 2, 9, "9-node quadrangle"},
                                             {11, 3, 10, "10-node tet"},
                                             {12, 3, 27, "27-node hexahedron"},
                                             {15, 0, 1, "point"},
                                             {16, 2, 8, "8-node quadrangle"},
                                             {17, 3, 20, "20-node hexahedron"},
                                             {21, 2, 10, "10-node triangle"},
                                             {26, 1, 4, "4-node edge"},
                                             {29, 3, 20, "20-node tet"}};
  const auto* found =
      std::find_if(std::begin(types), std::end(types), [&](const MshElementType& t) { return t.type == type; });
  return found == std::end(types) ? nullptr : found;
}

ElementKind msh_element_kind(int type) {
  switch (type) {
    case 1:
      return ElementKind::edge;
    case 2:
      return ElementKind::triangle;
    case 4:
      return ElementKind::tet4;
    case 11:
      return ElementKind::tet10;
    default:
      return ElementKind::point;
  }
}

void MshBuilder::add_node(std::int64_t tag, const Vec3& x, RawMesh::Place place) {
  if (tag < 1) raw_.problem(place, fmt::format("node number {}", tag), "a positive number");
  tags_.push_back(tag);
  raw_.add_node(x, place);
}

void MshBuilder::nodes_complete() {
  nodes_are_complete_ = true;
  std::int64_t largest = 0;
  for (const std::int64_t tag : tags_) largest = std::max(largest, tag);
  const auto count = static_cast<std::int64_t>(tags_.size());
  const auto repeated = [&](std::int64_t tag) {
    raw_.problem(0, fmt::format("node number {} occurs twice", tag), "each number once");
  };
  if (largest <= 4 * count + 1000) {
    dense_.assign(static_cast<std::size_t>(largest) + 1, -1);
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] < 1) continue;
      int& slot = dense_[static_cast<std::size_t>(tags_[i])];
      if (slot >= 0) repeated(tags_[i]);
      slot = static_cast<int>(i);
    }
    return;
  }
  for (std::size_t i = 0; i < tags_.size(); ++i) sorted_.emplace_back(tags_[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < sorted_.size(); ++i)
    if (sorted_[i].first == sorted_[i - 1].first) repeated(sorted_[i].first);
}

std::int64_t MshBuilder::index_of(std::int64_t tag) const {
  if (!dense_.empty())
    return tag >= 0 && tag < static_cast<std::int64_t>(dense_.size()) ? dense_[static_cast<std::size_t>(tag)] : -1;
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<std::int64_t, int>(tag, 0));
  return found != sorted_.end() && found->first == tag ? found->second : -1;
}

int MshBuilder::physical_list(const std::vector<int>& tags) {
  const auto [found, is_new] = list_numbers_.try_emplace(tags, static_cast<int>(lists_.size()));
  if (is_new) lists_.push_back(tags);
  return found->second;
}

const MshElementType& MshBuilder::require_type(std::int64_t type, RawMesh::Place place) {
  const MshElementType* known = msh_element_type(type);
  const bool ours = known != nullptr && (known->type == 1 || known->type == 2 || known->type == 4 || known->type == 8 ||
                                         known->type == 9 || known->type == 11 || known->type == 15);
  if (ours) return *known;
  raw_.fail(place,
            fmt::format("element of Gmsh type {}{}", type, known != nullptr ? fmt::format(" ({})", known->name) : ""),
            "points, edges, triangles, tets with 4 or 10 nodes",
            "mesh with tets of order 1 or 2 (in Gmsh: no recombination, Mesh.ElementOrder = 1)");
}

void MshBuilder::add_element(const MshElementType& type, std::int64_t tag, const std::int64_t* node_tags,
                             int physical_list, RawMesh::Place place) {
  Block& block = blocks_[type.type];
  for (int a = 0; a < type.num_nodes; ++a) {
    const std::int64_t node = index_of(node_tags[a]);
    if (node < 0)
      raw_.problem(place, fmt::format("element names node {}, which the file does not define", node_tags[a]),
                   "a node of $Nodes");
    block.nodes.push_back(node);
  }
  // Gmsh's order is ours: its manual numbers the last two middle nodes of a 10-node tet as edges 32 and 31.
  block.lists.push_back(physical_list);
  block.tags.push_back(tag);
  block.places.push_back(place);
}

std::string MshBuilder::group_name(int dimension, int tag, bool is_region) const {
  if (const auto found = names_.find({dimension, tag}); found != names_.end()) return found->second;
  static constexpr const char* kinds[] = {"point ", "curve ", "surface ", "volume "};
  return (is_region ? "" : kinds[dimension]) + std::to_string(tag);
}

void MshBuilder::add_to_sets(const MshElementType& type, const Block& block, std::size_t first_tag,
                             std::map<std::string, std::vector<int>>& sets) const {
  const auto n = static_cast<std::size_t>(type.num_nodes);
  for (std::size_t e = 0; e < block.lists.size(); ++e) {
    const std::vector<int>& tags = lists_[static_cast<std::size_t>(block.lists[e])];
    for (std::size_t t = first_tag; t < tags.size(); ++t) {
      std::vector<int>& set = sets[group_name(type.dimension, tags[t], false)];
      for (std::size_t a = 0; a < n; ++a) set.push_back(static_cast<int>(block.nodes[e * n + a]));
    }
  }
}

void MshBuilder::build(const ReadOptions& options) {
  int top = 0;
  for (const auto& [number, block] : blocks_)
    if (is_mesh_element(number)) top = std::max(top, msh_element_type(number)->dimension);
  std::map<std::string, std::vector<int>> sets;
  for (auto& [number, block] : blocks_) {
    const MshElementType& type = *msh_element_type(number);
    const auto n = static_cast<std::size_t>(type.num_nodes);
    if (type.dimension >= top && !is_mesh_element(number))
      raw_.fail(block.places[0], fmt::format("a mesh of {}s", type.name), "edges, triangles, tets with 4 or 10 nodes",
                "mesh with Mesh.ElementOrder = 1");
    const bool keep = block.is_kept =
        type.dimension == top || (options.keep_lower_dimensions && type.dimension > 0 && is_mesh_element(number));
    // Further physical tags of a kept element, and all tags of the others, name sets of nodes.
    add_to_sets(type, block, keep ? 1 : 0, sets);
    if (!keep) raw_.num_boundary_elements += static_cast<int>(block.lists.size());
    for (std::size_t e = 0; keep && e < block.lists.size(); ++e) {
      const std::vector<int>& tags = lists_[static_cast<std::size_t>(block.lists[e])];
      const int region =
          raw_.region(tags.empty() ? std::string("untagged") : group_name(type.dimension, tags[0], true));
      raw_.add_element(msh_element_kind(number), block.nodes.data() + e * n, region, block.places[e]);
    }
  }
  paint();
  if (raw_.mesh.regions.size() == 1 && raw_.mesh.regions[0] == "untagged") raw_.mesh.regions.clear();
  for (auto& [name, set] : sets) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    raw_.mesh.node_sets.emplace_back(name, std::move(set));
  }
}

}  // namespace dashpot
