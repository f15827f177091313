#pragma once
// Pieces that reports of one run and of several share: columns and curves from what was recorded.
#include <string>
#include <utility>
#include <vector>

#include "dashpot/render/standard_figures.hpp"
#include "dashpot/scene/report/run_report.hpp"

namespace dashpot {

render::EnergyColumns energy_columns(const MeasuredRun& outcome);
/// Every damping of the scene with what it took, then the integrator; `frequency` [Hz] may be NaN.
std::vector<render::ActingDamping> acting_dampings(const CompiledScene& scene, const MeasuredRun& outcome,
                                                   double frequency);
render::Decay decay_of(const ProbeRing& ring, const std::string& name);
render::DampingCurve damping_curve_of(const ProbeRing& ring, const std::string& name);
/// The measured coordinate of every ringing probe over time.
render::Figure motion_figure(const MeasuredRun& outcome);
render::Figure momentum_of(const MeasuredRun& outcome);
std::vector<std::pair<std::string, std::string>> provenance_rows(const CompiledScene& scene, const MeasuredRun& outcome,
                                                                 const Provenance& provenance);

}  // namespace dashpot
