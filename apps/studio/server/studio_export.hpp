#pragma once
// Pictures and files made from a session's scene and motion. All compute in the calling thread.

#include "studio_core.hpp"
#include "studio_session.hpp"

namespace dashpot::studio {

/// The recorded motion as glb, usda, pc2, csv (energies and probes) or report (HTML). `scene`: null for a recorded run,
/// of which there is no report.
Content export_run(const std::string& kind, RunResult run, const CompiledScene* scene);

/// A small picture (PNG) of an example at full size.
Content picture_of_example(const BuiltScene& scene, const std::string& name);

}  // namespace dashpot::studio
