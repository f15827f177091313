#pragma once
// A silicone beam under three loads, from motion capture that is not part of the project: ring-downs of it, and how
// well one loss factor, Rayleigh's alpha, his beta and both can have their damping ratios. The recordings are looked
// for in $DASHPOT_DATA/silicone_beam.

#include <vector>

#include "dashpot/render/html_report.hpp"
#include "reproductions.hpp"

namespace dashpot::cli {

/// Adds a section, with a figure and a table where the recordings are there, and a figure of each model to the claims.
void add_real_beam(const ReproductionRequest& request, render::Report& report, std::vector<Claim>& claims);

}  // namespace dashpot::cli
