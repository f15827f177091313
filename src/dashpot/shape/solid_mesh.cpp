#include "dashpot/shape/solid_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/shape/body_estimate.hpp"
#include "dashpot/shape/empty_body.hpp"
#include "dashpot/shape/spacing_search.hpp"

namespace dashpot {

SolidMesher::SolidMesher(const Shape& shape)
    : shape_(shape), field_(shape.field, shape.root), bounds_(shape.field.bounds(shape.root)) {}

void SolidMesher::expect_inside() const {
  if (!find_inside(field_, bounds_).has_inside) throw Error(empty_body_problem(shape_.field, shape_.root, shape_.file));
}

Mesh SolidMesher::at(double a, CutSearch search) const {
  return stuff(Lattice(field_, bounds_.low, bounds_.high, a, limits_), search);
}

ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options) {
  const SolidMesher mesher(shape);
  mesher.expect_inside();
  ShapeMesh result;
  // Interpolated cuts are near enough to count many tets, and save the search for roots.
  const CutSearch search = options.elements > 20000 ? CutSearch::linear : CutSearch::exact;
  const auto count = [&](double a) { return static_cast<double>(mesher.at(a, search).groups.front().size()); };
  result.spacing = options.spacing > 0 ? options.spacing
                                       : find_spacing(count, mesher.width(), options.elements, 3, options.on_trial);
  result.mesh = mesher.at(result.spacing, CutSearch::exact);
  if (result.mesh.nodes.empty())
    throw Error(Problem{"", fmt::format("no tet of spacing {:.3g} m fits into '{}'", result.spacing, shape.name),
                        "a body that holds at least one lattice point", "use a smaller spacing or a thicker body"});
  mend_hinges(shape, mesher, result);
  check_completeness(shape, mesher, result);
  return result;
}

}  // namespace dashpot
