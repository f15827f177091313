#include "support/source_folder.hpp"

namespace dashpot {

std::string source_folder() { return DASHPOT_SOURCE_DIR; }

}  // namespace dashpot
