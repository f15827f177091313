#pragma once
// The binary messages of the studio (docs/design/0020-studio.md), little-endian. Pure: positions in, bytes out.
//
// Positions of a frame are 16-bit integers in the box of their view: value = minimum + step (i + 32768), so that the
// error is at most half of box / 65535. Positions that are not finite are shown at the corner of the box.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::studio {

/// The spring of the mouse, as it is drawn.
struct ShownSpring {
  Vec3 point = Vec3::Zero(), target = Vec3::Zero();  ///< [m]
  double force = 0;                                  ///< [N]
};

/// `views`: positions [m] of all vertices of the surface, for each viewport.
std::string encode_frame(std::uint32_t number, double time, const std::vector<std::vector<Vec3>>& views,
                         const std::optional<ShownSpring>& spring);

struct SurfaceVertex {
  std::uint32_t point = 0;  ///< of the System
  std::uint32_t body = 0;
  std::array<std::uint8_t, 3> color = {};  ///< sRGB
};

/// `text`: names of bodies and regions, box, unit, held vertices, as JSON.
std::string encode_topology(const std::vector<SurfaceVertex>& vertices,
                            const std::vector<std::array<std::uint32_t, 3>>& triangles, std::uint32_t num_bodies,
                            const std::string& text);

}  // namespace dashpot::studio
