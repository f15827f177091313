// Shape files: the reader alone, thousands of inputs a second (fuzz_shape_mesh also meshes them). Whatever is accepted
// has finite bounds and finite values inside them.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "dashpot/shape/shape.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  const ParsedShape parsed = parse_shape(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  for (const Problem& problem : parsed.problems)
    if (problem.severity == Problem::Severity::error) return 0;
  const Shape& shape = parsed.shape;
  const int root = shape.sheet ? shape.sheet->node : shape.root;
  if (root < 0) return 0;
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.1, -0.2, 0.3), Vec3(1, 1, 1)})
    if (std::isnan(shape.node_value(root, x)) || !shape.color(x).allFinite()) std::abort();
  return 0;
}
