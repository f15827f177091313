#pragma once
// Recordings of a silicone beam that is released under its own weight and under two loads, with the scene of each. They
// are not part of the project: $DASHPOT_DATA/silicone_beam, or shared/data/silicone_beam beside the source tree.

#include <string>
#include <vector>

#include "dashpot/learn/identify_data.hpp"

namespace dashpot::cli {

/// Folder of the recordings; empty: there is none.
std::string silicone_beam_folder();

struct BeamLoad {
  std::string name, file;
  double weight = 0;  ///< [N]
};
/// Own weight, 52 g, 101 g.
const std::vector<BeamLoad>& beam_loads();

struct BeamSize {
  int cells = 5;         ///< along the beam
  double dt = 0.005;     ///< [s]
  double young = 240e3;  ///< [Pa]
};
/// The capture on the clock of the scene, which begins at the release.
learn::RingRun beam_run(const BeamLoad& load, const std::string& folder, const BeamSize& size);
/// Force of the hook's dry friction over the load, as the share of its Bouc-Wen element; where it yields [1].
double hook_share(double friction_over_load);
double hook_yield_strain();

}  // namespace dashpot::cli
