#pragma once
// The two ways a scene says how much a velocity filter removes: "rate" [1/s], or "gamma_per_step".

#include <string>
#include <vector>

#include "dashpot/dissipation/filter_gain.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

/// Both parameters; `what` decays: "velocity", "motion relative to ...".
std::vector<Parameter> filter_gain_parameters(const std::string& what);
/// Exactly one of the two must be given.
void check_filter_gain(const Settings& settings, std::vector<Problem>& problems);
FilterGain filter_gain(const Settings& settings);
/// "rate 3 /s", or "10 % of the velocity per step".
std::string describe_filter_gain(const Settings& settings, const std::string& what);

}  // namespace dashpot
