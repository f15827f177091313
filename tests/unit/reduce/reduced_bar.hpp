#pragma once
// A small bar held at one end, for the tests of this room.
#include "dashpot/mesh/generate.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing {

inline Mesh bar_mesh(std::array<int, 3> cells = {6, 2, 2}) { return make_bar({1, 0.2, 0.25}, cells); }

inline ElasticBodyOptions held_bar() {
  ElasticBodyOptions options;
  options.material = {1e5, 0.35};
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  return options;
}

}  // namespace dashpot::testing
