#pragma once
// Vibration modes of a System, linearized at a state: K is the sum of the energies' exact Hessians at state.q, M the
// mass there. Dampings and loads play no part. See vibration_modes.hpp for conventions and limits.
#include "dashpot/model/system.hpp"
#include "dashpot/modes/vibration_modes.hpp"

namespace dashpot {

ModesResult system_modes(const System& system, const State& state, const ModesOptions& options);

}  // namespace dashpot
