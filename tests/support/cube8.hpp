#pragma once
// The reference's unit cube CUBE8: eight points of unequal mass, six Kuhn tets, noise in positions and velocities, and
// a spin of 3 /s about z.

#include <array>
#include <vector>

#include "dashpot/core/types.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing {

struct Cube8 {
  std::vector<double> mass;
  std::vector<Vec3> x, v;
  std::vector<std::array<int, 2>> edges;  ///< 19: all pairs p <= q componentwise
  std::vector<int> tets;                  ///< the six monotone paths 000 -> 111

  Cube8() {
    for (int node = 0; node < 8; ++node) {
      mass.push_back(0.125 * (1 + 0.5 * rnd(node)));
      Vec3 point(node / 4, node / 2 % 2, node % 2), velocity;
      for (int c = 0; c < 3; ++c) {
        point[c] += 0.1 * rnd(100 + 3 * node + c);
        velocity[c] = rnd(200 + 3 * node + c);
      }
      x.push_back(point);
      v.push_back(velocity + Vec3(-3 * point.y(), 3 * point.x(), 0));
    }
    for (int a = 0; a < 8; ++a)
      for (int b = a + 1; b < 8; ++b)
        if ((a & b) == a) edges.push_back({a, b});
    for (int first : {1, 2, 4})
      for (int second : {1, 2, 4})
        if (second != first) tets.insert(tets.end(), {0, first, first + second, 7});
  }
};

}  // namespace dashpot::testing
