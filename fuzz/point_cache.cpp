// Point caches: the first byte chooses .pc2 or .mdd. Accepted or refused, never a crash, never more points than bytes;
// what is accepted can be written again.
#include <cstdint>
#include <cstdlib>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/point_cache.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_mdd = (data[0] & 1U) != 0;
  PointCache cache;
  try {
    cache = is_mdd ? parse_mdd(bytes, "fuzz.mdd") : parse_pc2(bytes, "fuzz.pc2");
  } catch (const Error&) {
    return 0;
  }
  if (12 * cache.num_frames() * cache.num_points() > size || cache.times.size() != cache.num_frames()) std::abort();
  if (is_mdd && mdd_bytes(cache) != bytes) std::abort();
  return 0;
}
