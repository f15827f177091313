#pragma once
// What was identified, as a page for people: laws side by side, values with their errors, measured over simulated
// motion, envelopes, damping ratio over amplitude.

#include "dashpot/learn/identify.hpp"
#include "dashpot/render/html_report.hpp"

namespace dashpot::learn {

/// Each law: error of what it predicts and of what was fitted, information criterion.
render::Table laws_table(const Identification& found);
/// Values of the best law and of the best Rayleigh damping, with standard error and scatter between runs.
render::Table values_table(const Identification& found);
/// Each run: measured and simulated frequency, envelope errors, of the best law.
render::Table runs_table(const Identification& found);
/// Measured over simulated motion, a panel a run.
render::Figure motion_figure(const Identification& found);
/// Amplitude of each cycle over time, measured against the best law and the best Rayleigh damping.
render::Figure envelope_figure(const Identification& found);
/// Damping ratio over amplitude of each run.
render::Figure zeta_figure(const Identification& found);
render::Report identify_report(const Identification& found, const IdentifyOptions& options);

}  // namespace dashpot::learn
