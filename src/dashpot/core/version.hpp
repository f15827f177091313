#pragma once
// Who made this output: stamped into every file Dashpot writes.
#include <string>

namespace dashpot {
std::string version();      ///< "0.1.0"
std::string commit();       ///< git description of the sources, or "unknown"
std::string build_flags();  ///< build type and instruction set
std::string compiler();     ///< "g++ 12.2.0"
}  // namespace dashpot
