#pragma once
// What a run found, for people (report.html) and programs (summary.json): energies and where they went, all damping
// that acted with the integrator's own, frequency and damping ratio of every probe that rings.
#include <string>
#include <utility>
#include <vector>

#include "dashpot/render/html_report.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot {

/// Where a run came from; stamped into what it leaves.
struct Provenance {
  std::string command;  ///< as typed
  std::string input;    ///< scene file
  std::string input_hash;
};

render::Report run_report(const CompiledScene& scene, const MeasuredRun& outcome, const Provenance& provenance);
/// {"schema": "dashpot/run/1", ...}; numbers in SI units.
std::string run_summary(const CompiledScene& scene, const MeasuredRun& outcome, const Provenance& provenance);
/// Writes both into the folder. Pictures show the frames that the run holds (fetch_frames).
void write_run_report(const std::string& folder, const CompiledScene& scene, const MeasuredRun& outcome,
                      const Provenance& provenance);

/// One scene under one damping.
struct ComparedRun {
  std::string name;            ///< "rayleigh beta=2 ms"
  const CompiledScene* scene;  ///< not null
  const MeasuredRun* outcome;  ///< not null
  double asked_zeta = 0;       ///< of the mode that rings; 0: unknown
};
/// Several dampings, one scene: decay, energy and damping ratio side by side, and every run's own ledger.
render::Report comparison_report(const std::string& title, const std::vector<ComparedRun>& runs,
                                 const Provenance& provenance);

/// What a reader of the results must not miss: an integrator that took or added more than a fifth of the energy, and
/// dampings that created some; one sentence each.
std::vector<std::string> closing_warnings(const CompiledScene& scene, const MeasuredRun& outcome);

/// Loss of the integrator itself over all energy that entered (start plus external work); NaN when none did.
double numerical_share(const RunResult& run);

}  // namespace dashpot
