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

/// `views`: positions [m] of all vertices of the surface, for each viewport; `scenery`: of the colliders' vertices.
std::string encode_frame(std::uint32_t number, double time, const std::vector<std::vector<Vec3>>& views,
                         const std::vector<Vec3>& scenery, const std::optional<ShownSpring>& spring);

struct SurfaceVertex {
  std::uint32_t point = 0;  ///< of the System
  std::uint32_t body = 0;
  std::array<std::uint8_t, 3> color = {};  ///< sRGB
};

/// What does not move in a picture.
struct Topology {
  std::vector<SurfaceVertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 2>> lines;
  std::uint32_t num_scenery_vertices = 0;
  std::vector<std::array<std::uint32_t, 3>> scenery_triangles;  ///< into the vertices of the scenery
  std::uint32_t num_bodies = 0;
};

/// `text`: names of bodies, colliders and regions, grounds, box, unit, held vertices, as JSON.
std::string encode_topology(const Topology& topology, const std::string& text);

}  // namespace dashpot::studio
