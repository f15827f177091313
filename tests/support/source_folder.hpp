#pragma once
#include <string>

namespace dashpot {

/// Root of the source tree, for tests that read shipped scenes and documents.
std::string source_folder();

}  // namespace dashpot
