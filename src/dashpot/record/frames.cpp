#include "dashpot/record/frames.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"

namespace dashpot {
namespace {

constexpr std::string_view frames_magic = "dashpot frames 2\n";
/// Position, velocity, power.
using PackedPoint = std::array<float, 7>;

PackedPoint pack(const Vec3& x, const Vec3& v, double power) {
  PackedPoint packed;
  for (std::size_t c = 0; c < 3; ++c) {
    packed[c] = static_cast<float>(x[static_cast<Eigen::Index>(c)]);
    packed[3 + c] = static_cast<float>(v[static_cast<Eigen::Index>(c)]);
  }
  packed[6] = static_cast<float>(power);
  return packed;
}

Frame unpack(const char* in, std::size_t count) {
  Frame frame;
  std::memcpy(&frame.time, in, sizeof(double));
  in += sizeof(double);
  frame.points.reserve(count);
  frame.velocities.reserve(count);
  frame.power.reserve(count);
  for (std::size_t p = 0; p < count; ++p, in += sizeof(PackedPoint)) {
    PackedPoint packed;
    std::memcpy(packed.data(), in, sizeof packed);
    frame.points.emplace_back(packed[0], packed[1], packed[2]);
    frame.velocities.emplace_back(packed[3], packed[4], packed[5]);
    frame.power.push_back(static_cast<double>(packed[6]));
  }
  return frame;
}

}  // namespace

std::string frames_header(int num_points) {
  std::string bytes(frames_magic);
  const auto count = static_cast<std::uint64_t>(num_points);
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  return bytes;
}

std::string frame_bytes(const Frame& frame) {
  assert(frame.velocities.size() == frame.points.size() && frame.power.size() == frame.points.size());
  std::string bytes(sizeof(double) + sizeof(PackedPoint) * frame.points.size(), '\0');
  std::memcpy(bytes.data(), &frame.time, sizeof(double));
  char* out = bytes.data() + sizeof(double);
  for (std::size_t p = 0; p < frame.points.size(); ++p, out += sizeof(PackedPoint)) {
    const PackedPoint packed = pack(frame.points[p], frame.velocities[p], frame.power[p]);
    std::memcpy(out, packed.data(), sizeof packed);
  }
  return bytes;
}

std::vector<Frame> read_frames(const std::string& path, const FileReader& read) {
  const std::string bytes = read(path);
  std::uint64_t count = 0;
  const std::size_t header = frames_magic.size() + sizeof count;
  if (bytes.size() < header || bytes.compare(0, frames_magic.size(), frames_magic) != 0)
    throw Error(Problem{path, "not a frames file of this version", "a file that begins with \"dashpot frames 2\"",
                        "run the scene again"});
  std::memcpy(&count, bytes.data() + frames_magic.size(), sizeof count);
  if (count > bytes.size()) throw Error(Problem{path, "the number of points exceeds the file", "a whole file", ""});
  const std::size_t stride = sizeof(double) + sizeof(PackedPoint) * static_cast<std::size_t>(count);
  std::vector<Frame> frames;
  for (std::size_t at = header; at + stride <= bytes.size(); at += stride)
    frames.push_back(unpack(bytes.data() + at, static_cast<std::size_t>(count)));
  return frames;
}

}  // namespace dashpot
