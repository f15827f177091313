#pragma once
// Pictures in reports: a contact sheet of one run, several runs side by side. Runs that recorded no frames have none.
#include <vector>

#include "dashpot/scene/report/run_report.hpp"

namespace dashpot {

/// Six stills colored by speed; a paragraph when they cannot be drawn; nothing when there are no frames.
std::vector<render::Block> run_pictures(const RunResult& run);
/// The runs beside each other at the moment they differ most and at three others.
std::vector<render::Block> comparison_pictures(const std::vector<ComparedRun>& runs);

}  // namespace dashpot
