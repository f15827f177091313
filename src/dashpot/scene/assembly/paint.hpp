#pragma once
// Amounts of damping painted in the mesh file: where a model names a field of the mesh as "painted", its coefficients
// are multiplied, element by element, by the field's values. They are data of the mesh, no parameters: turning a
// coefficient turns it in all elements, in proportion.

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class BodyAssembly;
class ElementBatch;

struct Paint {
  std::vector<double> of_element;  ///< factor >= 0 of each element that the material fills; empty: nothing is painted

  /// For terms of so many elements, the material's first: 1 beyond them. Empty where nothing is painted.
  std::vector<double> factors(int num_elements) const;
  /// Of the hinges of a sheet, in the order of the mesh: the mean of the triangles that each joins.
  std::vector<double> hinge_factors(const ElementBatch& hinges, const BodyAssembly& body) const;
};

/// What the model's "painted" names. dashpot::Error, with the file and its fields, where there is none such or where it
/// is negative or not finite.
Paint paint_of(const Settings& model, const BodyAssembly& body);
/// The same for models that can be painted on solids only.
Paint paint_of_solid(const Settings& model, const BodyAssembly& body);
/// ", times the field 'wetness' (0 to 3)" for notes; empty: nothing is painted.
std::string describe(const Paint& paint, const Settings& model);

/// The parameter "painted"; `what`: "the viscosities".
Parameter painted_parameter(const std::string& what);

}  // namespace dashpot
