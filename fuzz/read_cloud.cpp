// Point clouds: the first byte chooses .ply, .xyz or an index that names the rest of the input as its files.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dashpot/core/error.hpp"
#include "dashpot/learn/point_cloud.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 2) {
      const std::size_t split = bytes.find('\1');  // the index before it, a file behind it
      learn::read_clouds("fuzz.json", [&](const std::string& path) {
        if (path == "fuzz.json") return bytes.substr(0, split);
        return split == std::string::npos ? std::string() : bytes.substr(split + 1);
      });
      return 0;
    }
    const std::vector<Vec3> points = learn::read_cloud(bytes, data[0] % 3 == 0 ? "fuzz.ply" : "fuzz.xyz");
    if (points.size() > size) std::abort();
    for (const Vec3& x : points)
      if (!x.allFinite()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
