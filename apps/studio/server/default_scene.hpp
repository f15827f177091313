#pragma once
// The scene that opens where none is named.

#include <string>

namespace dashpot::studio {

/// A reduced koala with four damping examples; needs no files.
std::string default_scene();

}  // namespace dashpot::studio
