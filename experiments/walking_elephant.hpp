#pragma once
// The walking elephant of paper A, fig. 11: torso, head and legs follow a keyframed skeleton; trunk, ears and tail are
// left to the simulation, damped along four examples.
#include <optional>
#include <string>
#include <vector>

#include "dashpot/dissipation/example_based.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::cli {

/// A skeleton file: a walk along +z with 12 cm/s, strides of 1.2 s. The head turns quickly to the left and then down in
/// one stride, and to the right and then up in the next: what makes the trunk swing to the side, and fore and aft.
std::string elephant_skeleton();

struct ElephantGains {
  double trunk_side = 1, trunk_fore_aft = 1, ears = 1;
};

struct ElephantSize {
  int tets = 6000;
  double dt = 0.01, end = 4.8;  ///< [s]
};

/// St. Venant-Kirchhoff; Rayleigh damping of 6 % at 2 and 6 Hz, changed by gains along the examples "trunk_side" (0),
/// "trunk_fore_aft" (1), "ear_left" (2) and "ear_right" (3), pulls by the tip of the trunk and the ears that balance
/// without gravity; without gains Rayleigh damping alone. Probes: trunk tip (0),
/// left ear (1), three driven points of the head, top, left and right (2, 3, 4). `skeleton` is a file, relative to the
/// scene.
std::string walking_elephant(const ElephantSize& size, const std::optional<ElephantGains>& gains,
                             const std::string& skeleton);

/// The examples of such a scene with gains.
const ExampleBased& elephant_examples(const CompiledScene& scene);

}  // namespace dashpot::cli
