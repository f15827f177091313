#include "dashpot/shape/solid_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/shape/spacing_search.hpp"

namespace dashpot {

SolidMesher::SolidMesher(const Shape& shape) : shape_(shape), bounds_(shape.field.bounds(shape.root)) {
  limits_.max_evaluations = 4e9 / std::max(1.0, shape.field.cost(shape.root));  // about a minute
}

Mesh SolidMesher::at(double a, CutSearch search) const {
  const auto f = [this](const Vec3& x) { return shape_.field.value(shape_.root, x); };
  const Lattice lattice(f, bounds_.low, bounds_.high, a, limits_);
  return stuff(f, lattice, search);
}

ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options) {
  const SolidMesher mesher(shape);
  ShapeMesh result;
  // Interpolated cuts are near enough to count many tets, and save the search for roots.
  const CutSearch search = options.elements > 20000 ? CutSearch::linear : CutSearch::exact;
  const auto count = [&](double a) { return static_cast<double>(mesher.at(a, search).groups.front().size()); };
  result.spacing = options.spacing > 0 ? options.spacing : find_spacing(count, mesher.width(), options.elements, 3);
  result.mesh = mesher.at(result.spacing, CutSearch::exact);
  if (result.mesh.nodes.empty())
    throw Error(Problem{"", fmt::format("no tet of spacing {:.3g} m fits into '{}'", result.spacing, shape.name),
                        "a body that holds at least one lattice point", "use a smaller spacing or a thicker body"});
  warn_about_thin_parts(shape, result);
  return result;
}

}  // namespace dashpot
