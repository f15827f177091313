#include "dashpot/scene/assembly/material_elements.hpp"

#include <numbers>

namespace dashpot {

int dimension_of(const ModelSpec& material) {
  return material.settings.has("thickness") ? 2 : material.settings.has("diameter") ? 1 : 3;
}

const ElementGroup* elements_of(const ModelSpec& material, const Mesh& mesh) {
  const int dimension = dimension_of(material);
  const ElementGroup* group = dimension == 3   ? mesh.tets()
                              : dimension == 2 ? mesh.group(ElementKind::triangle)
                                               : mesh.group(ElementKind::edge);
  return group != nullptr && group->size() > 0 ? group : nullptr;
}

double density_of(const Settings& material) {
  const double rho = material.number("density");
  if (material.has("thickness")) return rho * material.number("thickness");
  if (!material.has("diameter")) return rho;
  const double d = material.number("diameter");
  return rho * std::numbers::pi / 4 * d * d;
}

}  // namespace dashpot
