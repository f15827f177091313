#pragma once
// The page of a design: the gain curves found, each release with what was asked and what came of it, and a table.

#include "dashpot/design/scene_design.hpp"
#include "dashpot/render/html_report.hpp"

namespace dashpot::design {

/// Runs each release once more to draw it.
render::Report design_report(const DesignTask& task, const DesignOutcome& outcome);
/// Gains over amplitude, one line an example.
render::Panel gain_panel(const std::vector<std::string>& names, const Gains& gains, double largest_amplitude);

}  // namespace dashpot::design
