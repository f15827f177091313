#pragma once
// Which elements of a mesh a material fills: tets, triangles (sheets, which have a thickness) or edges (strands, which
// have a diameter); and what they weigh.

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

/// 3: tets, 2: triangles, 1: edges.
int dimension_of(const ModelSpec& material);
/// The elements a material fills, or nullptr where the mesh has none of them.
const ElementGroup* elements_of(const ModelSpec& material, const Mesh& mesh);
/// Mass per volume of a solid, per area of a sheet, per length of a strand [kg/m^dimension].
double density_of(const Settings& material);

}  // namespace dashpot
