// Shape files that are accepted are meshed small; the tets must be positive. A few inputs a second: the reader alone is
// fuzz_shape. A body that does not fit the lattice is
// an error, never a hang.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "accepted_shape.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/shape/mesh_shape.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  const std::optional<Shape> accepted = accepted_shape(data, size);
  if (!accepted) return 0;
  const Shape& shape = *accepted;
  const int root = meshed_node(shape);
  if (root >= 0 && shape.field.cost(root) > 200) return 0;  // honest, only slow
  try {
    const ShapeMesh result = mesh_shape(shape, {300, 0, 0});
    for (const Vec3& x : result.mesh.nodes)
      if (!x.allFinite()) std::abort();
    // A bent sheet may fold over itself when it is asked to; a solid never.
    const ElementGroup* tets = result.mesh.tets();
    for (int e = 0; tets != nullptr && !shape.sheet && e < tets->size(); ++e)
      if (!(element_measure(result.mesh, *tets, e) >= 0)) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
