#include "dashpot/core/hash.hpp"

#include <fmt/format.h>

namespace dashpot {
std::string Hash::hex() const { return fmt::format("{:016x}", value_); }
}  // namespace dashpot
