#pragma once
// Prony series of a body in a scene, whatever model they come from: one for everything elastic of it, with other
// branches in regions of a solid.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/loss_band.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {

class BodyAssembly;

using MemoryTerms = std::vector<std::unique_ptr<DissipationTerm>>;
/// The branches that a model's parameters, those of the body or of a region, stand for.
using BranchesOf = std::function<std::vector<LossBranch>(const Settings&)>;

/// `is_list`: parameters are called branches/0/share, ... instead of share and tau. None where nothing is damped.
MemoryTerms make_series(const Settings& settings, BodyAssembly& body, const std::string& model,
                        const BranchesOf& branches_of, bool is_list);

/// ", other amounts in regions" where there are, and what the moduli are there at the frequency `at` [Hz] where they
/// hold in the rest of the body; 0: at rest, where they hold everywhere.
std::string describe_regions(const Settings& settings, const BodyAssembly& body, const BranchesOf& branches_of,
                             double at);

}  // namespace dashpot
