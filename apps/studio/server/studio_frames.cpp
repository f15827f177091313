#include "studio_frames.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dashpot::studio {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

constexpr std::uint32_t frame_magic = 0x32465044, topology_magic = 0x32545044;  // "DPF2", "DPT2"

template <class T>
void put(std::string& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

void put(std::string& out, const Vec3& value) {
  for (int i = 0; i < 3; ++i) put(out, static_cast<float>(value[i]));
}

void put_view(std::string& out, const std::vector<Vec3>& positions) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& x : positions)
    if (x.allFinite()) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  if (!(low.array() <= high.array()).all()) low = high = Vec3::Zero();
  // What the page computes with is the single-precision box: it must hold all positions.
  std::array<float, 3> minimum{}, step{};
  for (int i = 0; i < 3; ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    minimum[c] = static_cast<float>(low[i]);
    step[c] = static_cast<float>(std::max((high[i] - low[i]) / 65535, 1e-12));
  }
  for (const float value : minimum) put(out, value);
  for (const float value : step) put(out, value);
  put(out, static_cast<std::uint32_t>(positions.size()));
  std::size_t at = out.size();
  out.resize(at + 6 * positions.size());
  for (const Vec3& x : positions)
    for (int i = 0; i < 3; ++i) {
      const std::size_t c = static_cast<std::size_t>(i);
      const double level = (x[i] - static_cast<double>(minimum[c])) / static_cast<double>(step[c]);
      const double bounded = std::isfinite(level) ? std::clamp(std::round(level), 0.0, 65535.0) : 0.0;
      const auto quantized = static_cast<std::int16_t>(static_cast<int>(bounded) - 32768);
      std::memcpy(out.data() + at, &quantized, sizeof quantized);
      at += sizeof quantized;
    }
  while (out.size() % 4 != 0) out.push_back('\0');
}

}  // namespace

std::string encode_frame(std::uint32_t number, double time, const std::vector<std::vector<Vec3>>& views,
                         const std::vector<Vec3>& scenery, const std::optional<ShownSpring>& spring) {
  std::string out;
  std::size_t size = 128 + 6 * scenery.size();
  for (const std::vector<Vec3>& view : views) size += 32 + 6 * view.size();
  out.reserve(size);
  put(out, frame_magic);
  put(out, number);
  put(out, time);
  put(out, static_cast<std::uint32_t>(views.size()));
  for (const std::vector<Vec3>& view : views) put_view(out, view);
  put_view(out, scenery);
  const ShownSpring shown = spring.value_or(ShownSpring{});
  put(out, static_cast<std::uint32_t>(spring ? 1 : 0));
  put(out, shown.point);
  put(out, shown.target);
  put(out, static_cast<float>(shown.force));
  return out;
}

std::string encode_topology(const Topology& topology, const std::string& text) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  std::string out;
  out.reserve(64 + 12 * (topology.vertices.size() + topology.triangles.size() + topology.scenery_triangles.size()) +
              8 * topology.lines.size() + text.size());
  put(out, topology_magic);
  for (const std::uint32_t number :
       {count(topology.vertices), count(topology.triangles), count(topology.lines), topology.num_scenery_vertices,
        count(topology.scenery_triangles), topology.num_bodies})
    put(out, number);
  for (const SurfaceVertex& vertex : topology.vertices) {
    put(out, vertex.point);
    put(out, vertex.body);
    for (const std::uint8_t part : vertex.color) put(out, part);
    put(out, std::uint8_t{0});
  }
  const auto put_all = [&out](const auto& elements) {
    for (const auto& element : elements)
      for (const std::uint32_t vertex : element) put(out, vertex);
  };
  put_all(topology.triangles);
  put_all(topology.lines);
  put_all(topology.scenery_triangles);
  put(out, count(text));
  return out + text;
}

}  // namespace dashpot::studio
