#pragma once
// The binary part of a .glb file: appends arrays, keeps their accessors, and puts the file together. One buffer view an
// accessor, each at a multiple of four bytes; little endian; min and max exactly as stored. Internal to the room.

#include <cstdint>
#include <string>
#include <vector>

#include "dashpot/exporter/morph_targets.hpp"

namespace dashpot::exporter {

class GlbBuffer {
 public:
  enum class Use { vertices, animation };

  // Each returns the index of the accessor. No array may be empty.
  std::size_t vectors(const std::vector<Vec3f>& values, Use use);       ///< with bounds for vertices
  std::size_t quaternions(const std::vector<Eigen::Vector4f>& values);  ///< x, y, z, w
  std::size_t scalars(const std::vector<float>& values, bool with_bounds);
  std::size_t indices(const std::vector<std::uint32_t>& values);

  /// The whole file; `json` is the document without accessors, bufferViews and buffers, which are added.
  std::string glb(const std::string& json) const;

 private:
  enum class Target { none = 0, vertices = 34962, indices = 34963 };
  struct Accessor {
    const char* type;
    int component;
    std::size_t count, offset = 0, length = 0;
    Target target = Target::none;
    std::vector<float> min = {}, max = {};
  };
  std::size_t add(const void* data, std::size_t size, Accessor accessor);

  std::string bytes_;
  std::vector<Accessor> accessors_;
};

}  // namespace dashpot::exporter
