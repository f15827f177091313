#pragma once
// Where to put radial functions: the centers of clusters of the stretches that a motion visits [WangEtAl2020, sec. 6],
// by Lloyd's iterations from seeds that are spread out ([ArthurVassilvitskii2007]). Sorted stretches, so that the six
// orders count as one.

#include <array>
#include <string>
#include <vector>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/read_scene.hpp"

namespace dashpot::learn {

/// Principal stretches of all tets of a body at these positions of the points of the System, in descending order.
std::vector<std::array<double, 3>> stretches_of(const CompiledBody& body,
                                                const std::vector<std::vector<Vec3>>& positions);

/// At most `count` centers, fewer where there are not as many different stretches. The same seed, the same centers.
std::vector<std::array<double, 3>> cluster_centers(const std::vector<std::array<double, 3>>& stretches, int count,
                                                   unsigned seed = 1);

/// Changes that give the `learned` material of a body energy kernels at these centers, with weights of zero.
std::vector<SceneOverride> kernel_overrides(int body, const std::vector<std::array<double, 3>>& centers, double width);

}  // namespace dashpot::learn
