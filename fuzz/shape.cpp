// Shape files: the reader alone, many more inputs a second than fuzz_shape_mesh, which meshes them too. Whatever is
// accepted has values and colors that are numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "accepted_shape.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  const std::optional<Shape> accepted = accepted_shape(data, size);
  if (!accepted) return 0;
  const Shape& shape = *accepted;
  const int root = meshed_node(shape);
  if (root < 0) return 0;
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.1, -0.2, 0.3), Vec3(1, 1, 1)})
    if (std::isnan(shape.node_value(root, x)) || !shape.color(x).allFinite()) std::abort();
  return 0;
}
