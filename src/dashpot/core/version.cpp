#include "dashpot/core/version.hpp"

#include "version_stamp.inc"

namespace dashpot {
std::string version() { return DASHPOT_VERSION; }
std::string commit() { return DASHPOT_COMMIT; }
std::string build_flags() { return DASHPOT_BUILD; }
std::string compiler() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}
}  // namespace dashpot
