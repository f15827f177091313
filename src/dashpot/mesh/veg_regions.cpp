#include "dashpot/mesh/veg_regions.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {
namespace {

void name_regions(const VegaProperties& properties, std::vector<int>& region_of, RawMesh& raw) {
  std::map<std::string, int> uses;
  for (const VegaRegion& region : properties.regions) {
    const int use = ++uses[region.set];
    raw.mesh.regions.push_back(use == 1 ? region.set : fmt::format("{} ({})", region.set, use));
  }
  const auto homeless = std::count(region_of.begin(), region_of.end(), -1);
  if (homeless == 0) return;
  const int other = static_cast<int>(raw.mesh.regions.size());
  if (other > 0) {
    raw.mesh.regions.emplace_back("unassigned");
    raw.warn(fmt::format("{} elements belong to no region", homeless),
             "add a *REGION, or give region 'unassigned' a material");
  }
  std::replace(region_of.begin(), region_of.end(), -1, other);
}

}  // namespace

void VegRegions::assign(const VegaProperties& properties, std::int64_t element_base, std::size_t num_elements,
                        RawMesh& raw) {
  element_base_ = element_base;
  check_sets(num_elements, raw);
  ElementGroup* tets = raw.mesh.group(ElementKind::tet4);
  if (tets == nullptr) return;
  // The first of equal names counts.
  for (const VegaMaterial& material : properties.materials) material_names_.insert(material.name);
  for (std::size_t i = 0; i < sets.size(); ++i) set_index_.try_emplace(sets[i].name, i);
  std::vector<int> region_of(num_elements, -1);
  for (std::size_t r = properties.regions.size(); r-- > 0;) assign_region(properties.regions[r], r, region_of, raw);
  name_regions(properties, region_of, raw);
  tets->region = std::move(region_of);
  for (const Set& set : sets)
    if (!set.is_used) add_node_set(set, *tets, raw);
}

void VegRegions::check_sets(std::size_t num_elements, RawMesh& raw) {
  const std::int64_t last = element_base_ + static_cast<std::int64_t>(num_elements) - 1;
  for (Set& set : sets) {
    std::erase_if(set.elements, [&](std::int64_t e) {
      const bool outside = e < element_base_ || e > last;
      if (outside)
        raw.problem(set.place, fmt::format("set '{}' names element {}", set.name, e),
                    fmt::format("{} to {}", element_base_, last));
      return outside;
    });
  }
}

void VegRegions::assign_region(const VegaRegion& region, std::size_t r, std::vector<int>& region_of, RawMesh& raw) {
  if (!material_names_.contains(region.material)) {
    const bool few = material_names_.size() < 100;
    const std::string near = nearest_name(
        region.material.substr(0, 64),
        few ? std::vector<std::string>(material_names_.begin(), material_names_.end()) : std::vector<std::string>());
    raw.problem(region_places[r], "region of unknown material " + in_quotes(region.material),
                "a *MATERIAL of this file", near.empty() ? "" : "did you mean '" + near + "'?");
  }
  if (region.set == "allElements") {
    if (!std::exchange(all_are_decided_, true))
      std::replace(region_of.begin(), region_of.end(), -1, static_cast<int>(r));
    return;
  }
  const auto found = set_index_.find(region.set);
  if (found == set_index_.end()) {
    raw.problem(region_places[r], "region of unknown set " + in_quotes(region.set),
                "allElements or a *SET of this file");
    return;
  }
  Set& set = sets[found->second];
  if (std::exchange(set.is_used, true)) return;  // a later region has decided these
  for (const std::int64_t e : set.elements) {
    int& decided = region_of[static_cast<std::size_t>(e - element_base_)];
    if (decided < 0) decided = static_cast<int>(r);
  }
}

void VegRegions::add_node_set(const Set& set, const ElementGroup& tets, RawMesh& raw) const {
  std::vector<int> nodes;
  for (const std::int64_t e : set.elements) {
    const int* tet = tets.element(static_cast<int>(e - element_base_));
    nodes.insert(nodes.end(), tet, tet + 4);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  raw.mesh.node_sets.emplace_back(set.name, std::move(nodes));
}

}  // namespace dashpot
