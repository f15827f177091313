#pragma once
// Where the search of identify.hpp begins: the modulus with which the scenes ring as fast as was measured; and whether
// they are the captured ones at all.

#include "dashpot/learn/identify_run.hpp"

namespace dashpot::learn {

/// Changes that give a body its modulus [Pa], density [kg/m^3] (0: the scene's own) and damping (JSON).
std::vector<SceneOverride> body_overrides(int body, const IdentifyOptions& options, double young, double density,
                                          const std::string& damping);

struct StartingModulus {
  double young = nan;             ///< [Pa]
  std::vector<PreparedRun> runs;  ///< fewer where it was stopped
  std::vector<std::string> warnings;
  int num_simulations = 0;
};
/// `young`: the scene's. dashpot::Error where a scene does not run or ring, or where units contradict.
StartingModulus starting_modulus(const std::vector<RingRun>& runs, const std::vector<MeasuredRing>& measured, int body,
                                 double young, const IdentifyOptions& options);

}  // namespace dashpot::learn
