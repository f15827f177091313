#pragma once
// Poses of a body side by side: rest and its example deformations.
#include <string>
#include <utility>
#include <vector>

#include "dashpot/render/image.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::cli {

/// A name and a displacement from rest in the System's own coordinates.
using NamedPose = std::pair<std::string, Vector>;

/// One cell a pose, with its name; scenery is left out.
render::Image pose_sheet(const CompiledScene& scene, const std::vector<NamedPose>& poses, int columns);

}  // namespace dashpot::cli
