#include "dashpot/scene/import/vega_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {

std::vector<int> read_vega_fixed_vertices(const std::string& path, int num_nodes) {
  std::string text = read_file(path);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '\n' || c == '\r' || c == '\t'; }, ' ');
  std::vector<int> vertices;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    int vertex = 0;
    const auto parsed = std::from_chars(text.data() + at, text.data() + end, vertex);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + end || vertex < 1 || vertex > num_nodes)
      throw Error(Problem{path, fmt::format("\"{}\"", text.substr(at, std::min<std::size_t>(end - at, 40))),
                          fmt::format("vertex numbers from 1 to {}", num_nodes)});
    vertices.push_back(vertex - 1);
    at = end;
  }
  return vertices;
}

std::vector<VegaLoad> read_vega_force_loads(const std::string& path, int num_nodes) {
  const std::string bytes = read_file(path);
  std::int32_t size[2] = {0, 0};
  if (bytes.size() >= 8) std::memcpy(size, bytes.data(), 8);
  if (size[0] != 3 * num_nodes || size[1] < 1 ||
      bytes.size() != 8 + 8 * static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]))
    throw Error(Problem{path, fmt::format("a matrix of {} x {} in {} bytes", size[0], size[1], bytes.size()),
                        fmt::format("{} rows, three for each node", 3 * num_nodes)});
  const auto force = [&](int node, int column) {
    Vec3 value;
    std::memcpy(value.data(),
                bytes.data() + 8 +
                    8 * (static_cast<std::size_t>(column) * static_cast<std::size_t>(size[0]) +
                         static_cast<std::size_t>(3 * node)),
                3 * sizeof(double));
    return value;
  };
  std::vector<VegaLoad> loads;
  for (int node = 0; node < num_nodes; ++node)
    for (int begin = 0, end = 0; begin < size[1]; begin = end) {
      const Vec3 present = force(node, begin);
      for (end = begin + 1; end < size[1] && force(node, end) == present;) ++end;
      if (!present.allFinite())
        throw Error(Problem{path, fmt::format("a force on node {} that is not finite", node), "finite numbers"});
      if (present.isZero(0)) continue;
      if (loads.size() >= 5000)
        throw Error(Problem{path, "more than 5000 different forces", "loads that a scene can list",
                            "describe them as patch or harmonic loads"});
      loads.push_back({node, present, begin, end});
    }
  return loads;
}

}  // namespace dashpot
