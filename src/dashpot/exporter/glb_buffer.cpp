#include "dashpot/exporter/glb_buffer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "dashpot/core/error.hpp"

namespace dashpot::exporter {
namespace {

using nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "glTF is little endian");
constexpr int component_float = 5126, component_uint32 = 5125;

void append_u32(std::string& out, std::size_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

}  // namespace

std::size_t GlbBuffer::add(const void* data, std::size_t size, Accessor accessor) {
  accessor.offset = bytes_.size();
  accessor.length = size;
  accessors_.push_back(std::move(accessor));
  bytes_.append(static_cast<const char*>(data), size);
  bytes_.resize(padded(bytes_.size()), '\0');
  return accessors_.size() - 1;
}

std::size_t GlbBuffer::vectors(const std::vector<Vec3f>& values, Use use) {
  Accessor accessor{"VEC3", component_float, values.size()};
  if (use == Use::vertices) {
    Vec3f min = values[0], max = values[0];
    for (const Vec3f& x : values) {
      min = min.cwiseMin(x);
      max = max.cwiseMax(x);
    }
    accessor.target = Target::vertices;
    accessor.min = {min[0], min[1], min[2]};
    accessor.max = {max[0], max[1], max[2]};
  }
  return add(values.data(), values.size() * sizeof(Vec3f), std::move(accessor));
}

std::size_t GlbBuffer::quaternions(const std::vector<Eigen::Vector4f>& values) {
  return add(values.data(), values.size() * sizeof(Eigen::Vector4f), {"VEC4", component_float, values.size()});
}

std::size_t GlbBuffer::scalars(const std::vector<float>& values, bool with_bounds) {
  Accessor accessor{"SCALAR", component_float, values.size()};
  if (with_bounds) {
    accessor.min = {*std::min_element(values.begin(), values.end())};
    accessor.max = {*std::max_element(values.begin(), values.end())};
  }
  return add(values.data(), values.size() * sizeof(float), std::move(accessor));
}

std::size_t GlbBuffer::indices(const std::vector<std::uint32_t>& values) {
  Accessor accessor{"SCALAR", component_uint32, values.size()};
  accessor.target = Target::indices;
  return add(values.data(), values.size() * sizeof(std::uint32_t), std::move(accessor));
}

std::string GlbBuffer::glb(const std::string& json) const {
  ordered_json document = ordered_json::parse(json);
  ordered_json accessors = ordered_json::array(), views = ordered_json::array();
  for (const Accessor& a : accessors_) {
    accessors.push_back(
        {{"bufferView", views.size()}, {"componentType", a.component}, {"count", a.count}, {"type", a.type}});
    if (!a.min.empty()) accessors.back()["min"] = a.min;
    if (!a.max.empty()) accessors.back()["max"] = a.max;
    views.push_back({{"buffer", 0}, {"byteOffset", a.offset}, {"byteLength", a.length}});
    if (a.target != Target::none) views.back()["target"] = static_cast<int>(a.target);
  }
  document["accessors"] = std::move(accessors);
  document["bufferViews"] = std::move(views);
  document["buffers"] = {{{"byteLength", bytes_.size()}}};
  std::string text = document.dump();
  text.resize(padded(text.size()), ' ');
  const std::size_t total = 12 + 8 + text.size() + 8 + bytes_.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw Error(Problem{"glb", std::to_string(total) + " bytes", "less than 4 GiB",
                        "export one body, a coarser surface or fewer morph targets"});
  std::string out = "glTF";
  append_u32(out, 2);
  append_u32(out, total);
  append_u32(out, text.size());
  out += "JSON" + text;
  append_u32(out, bytes_.size());
  out += std::string("BIN\0", 4) + bytes_;
  return out;
}

}  // namespace dashpot::exporter
