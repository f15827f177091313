#pragma once
// Captures as ring-downs of scenes: what data_spec.hpp loads, for identify.hpp.

#include <string>
#include <vector>

#include "dashpot/learn/data_spec.hpp"
#include "dashpot/learn/identify.hpp"

namespace dashpot::learn {

/// Loads a capture for its scene. Where the offset of the clocks is to be the release and the capture begins when
/// everything already moves, its first frame is taken for the start. Notes tell what was guessed.
RingRun load_ring(const std::string& name, std::function<CompiledScene(const std::vector<SceneOverride>&)> scene,
                  DataSpec spec, std::vector<std::string>& notes);

/// By what the file is: a run folder and tables with probes of the scene are trajectories, others captures of markers.
DataKind ring_data_kind(const CompiledScene& scene, const std::string& file);

}  // namespace dashpot::learn
