#pragma once
// The fixed parts of the scene format; models are in models/<name>.cpp.

#include <vector>

#include "dashpot/scene/format/registry.hpp"

namespace dashpot {

std::vector<Parameter> scene_format();
/// A member of scene_format().
Parameter fit_section();

}  // namespace dashpot
