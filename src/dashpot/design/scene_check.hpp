#pragma once
// A design is searched on a bench: the body alone, without gravity and loads. Here each release is repeated in the
// scene itself, with the gains found: from its equilibrium under the scene's loads, to which the example is added,
// among the other bodies and colliders. What is left then is what the user of the scene gets.

#include <string>
#include <vector>

#include "dashpot/design/scene_design.hpp"

namespace dashpot::design {

struct SceneCheck {
  std::string example, quantity;  ///< "left after one cycle", "rms error of the envelope", "settled after [s]"
  double amplitude = 1;           ///< of the release, in units of the example
  double bench = 0, scene = 0;    ///< the quantity on the bench and in the scene; NaN: there is none
  double least = 0;               ///< differences are judged against at least this
  std::string obstacle;           ///< why it could not be tried; empty: it was
};

/// One for each target. Empty where the scene has nothing that the bench has not: no gravity, loads, other bodies,
/// colliders or moving pins.
std::vector<SceneCheck> check_in_scene(const SceneSpec& spec, const DesignTask& task, const DesignOutcome& outcome);

}  // namespace dashpot::design
