#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

std::string to_string(ElementKind kind) {
  switch (kind) {
    case ElementKind::point:
      return "point";
    case ElementKind::edge:
      return "edge";
    case ElementKind::triangle:
      return "triangle";
    case ElementKind::tet4:
      return "tet4";
    case ElementKind::tet10:
      return "tet10";
  }
  return "element";
}

const ElementField* ElementGroup::field(std::string_view name) const {
  for (const ElementField& candidate : fields)
    if (candidate.name == name) return &candidate;
  return nullptr;
}

ElementGroup ElementGroup::subset(const std::vector<int>& elements) const {
  ElementGroup result{kind, {}, {}, {}};
  const int n = nodes_per_element(kind);
  result.nodes.reserve(elements.size() * static_cast<std::size_t>(n));
  for (const ElementField& all : fields) result.fields.push_back({all.name, {}});
  for (const int e : elements) {
    result.nodes.insert(result.nodes.end(), element(e), element(e) + n);
    if (!region.empty()) result.region.push_back(region_of(e));
    for (std::size_t k = 0; k < fields.size(); ++k)
      result.fields[k].values.push_back(fields[k].values[static_cast<std::size_t>(e)]);
  }
  return result;
}

const ElementGroup* Mesh::group(ElementKind kind) const {
  for (const ElementGroup& candidate : groups)
    if (candidate.kind == kind) return &candidate;
  return nullptr;
}

ElementGroup* Mesh::group(ElementKind kind) {
  return const_cast<ElementGroup*>(static_cast<const Mesh*>(this)->group(kind));
}

ElementGroup& Mesh::group_or_new(ElementKind kind) {
  if (ElementGroup* found = group(kind)) return *found;
  groups.push_back(ElementGroup{kind, {}, {}, {}});
  return groups.back();
}

const ElementGroup* Mesh::tets() const {
  const ElementGroup* linear = group(ElementKind::tet4);
  return linear != nullptr && linear->size() > 0 ? linear : group(ElementKind::tet10);
}

int Mesh::num_elements() const {
  int count = 0;
  for (const ElementGroup& candidate : groups) count += candidate.size();
  return count;
}

}  // namespace dashpot
