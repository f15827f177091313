#pragma once
// What was learned, as a page for people: how well each run is met before and after, the stress over stretch, each
// number with its error and with how much of it the measurements decide, and what to mistrust.

#include "dashpot/learn/learn_law.hpp"
#include "dashpot/render/html_report.hpp"

namespace dashpot::learn {

/// Number, value, standard error, share that the measurements decide.
render::Table unknowns_table(const LearnOutcome& outcome);
/// Each run: rms residual before and after.
render::Table quality_table(const LearnOutcome& outcome);
/// Residuals over time of each run, before and after.
render::Figure quality_figure(const LearnOutcome& outcome);
/// Stress of a uniaxial stretch at constant volume, nominal and learned; the strains that were visited are marked.
render::Figure law_figure(const LearnedBody& body);
render::Report learn_report(const LearnTask& task, const LearnOutcome& outcome);

}  // namespace dashpot::learn
