#include "dashpot/record/frames.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {
constexpr std::string_view magic = "dashpot frames 1\n";
}

std::string frames_header(int num_points) {
  std::string bytes(magic);
  const auto count = static_cast<std::uint64_t>(num_points);
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  return bytes;
}

std::string frame_bytes(double time, const std::vector<Vec3>& points) {
  std::string bytes(sizeof(double) + 3 * sizeof(float) * points.size(), '\0');
  std::memcpy(bytes.data(), &time, sizeof time);
  char* out = bytes.data() + sizeof time;
  for (const Vec3& point : points) {
    const float single[3] = {static_cast<float>(point.x()), static_cast<float>(point.y()),
                             static_cast<float>(point.z())};
    std::memcpy(out, single, sizeof single);
    out += sizeof single;
  }
  return bytes;
}

std::vector<Frame> read_frames(const std::string& path) {
  const std::string bytes = read_file(path);
  std::uint64_t count = 0;
  const std::size_t header = magic.size() + sizeof count;
  if (bytes.size() < header || bytes.compare(0, magic.size(), magic) != 0)
    throw Error(Problem{path, "not a frames file", "a file written by dashpot run", ""});
  std::memcpy(&count, bytes.data() + magic.size(), sizeof count);
  if (count > bytes.size()) throw Error(Problem{path, "the number of points exceeds the file", "a whole file", ""});
  const std::size_t stride = sizeof(double) + 3 * sizeof(float) * static_cast<std::size_t>(count);
  std::vector<Frame> frames((bytes.size() - header) / stride);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const char* in = bytes.data() + header + f * stride;
    std::memcpy(&frames[f].time, in, sizeof(double));
    in += sizeof(double);
    frames[f].points.resize(static_cast<std::size_t>(count));
    for (Vec3& point : frames[f].points) {
      float single[3];
      std::memcpy(single, in, sizeof single);
      in += sizeof single;
      point = Vec3(single[0], single[1], single[2]);
    }
  }
  return frames;
}

}  // namespace dashpot
