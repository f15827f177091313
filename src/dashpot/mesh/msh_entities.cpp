#include "dashpot/mesh/msh_entities.hpp"

#include <algorithm>

#include "dashpot/core/types.hpp"

namespace dashpot {

std::vector<MshEntity> msh_entities_of(const Mesh& mesh) {
  std::vector<MshEntity> entities;
  const int num_regions = std::max<int>(1, static_cast<int>(mesh.regions.size()));
  for (const ElementGroup& group : mesh.groups) {
    const auto n = at(nodes_per_element(group.kind));
    std::vector<MshEntity> by_region(at(num_regions));
    for (int e = 0; e < group.size(); ++e) {
      MshEntity& entity = by_region[at(group.region_of(e))];
      entity.nodes.insert(entity.nodes.end(), group.element(e), group.element(e) + n);
      entity.elements.push_back(e);
    }
    for (int r = 0; r < num_regions; ++r) {
      if (by_region[at(r)].nodes.empty()) continue;
      by_region[at(r)].kind = group.kind;
      by_region[at(r)].group = &group;
      by_region[at(r)].tag = r + 1;
      by_region[at(r)].name = mesh.regions.empty() ? "" : mesh.regions[at(r)];
      entities.push_back(std::move(by_region[at(r)]));
    }
  }
  int tag = num_regions;
  for (const auto& [name, set] : mesh.node_sets)
    if (!set.empty()) entities.push_back({ElementKind::point, ++tag, name, set, nullptr, {}});
  return entities;
}

}  // namespace dashpot
