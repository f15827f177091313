#pragma once
// The surface that a page draws: which points of the System it has, its triangles and colors, and what a ray through
// the picture hits.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/record/recording.hpp"
#include "studio_frames.hpp"

namespace dashpot::studio {

struct SurfaceHit {
  std::size_t body = 0;
  int point = 0;  ///< of the System, the nearest corner of the triangle that was hit
  Vec3 position = Vec3::Zero(), rest = Vec3::Zero();  ///< where the ray meets the surface, and that place at rest [m]
  double distance = 0;                                ///< from the origin of the ray [m]
};

class SurfaceView {
 public:
  SurfaceView() = default;
  /// Of the bodies of a scene or run; their rest meshes say what is inside. Bodies of springs alone have
  /// no surface and are not drawn.
  explicit SurfaceView(const std::vector<RecordedBody>& bodies);

  const std::vector<SurfaceVertex>& vertices() const { return vertices_; }
  const std::vector<std::array<std::uint32_t, 3>>& triangles() const { return triangles_; }
  const std::vector<std::string>& body_names() const { return names_; }
  /// "#c9a27a" of each body.
  std::vector<std::string> body_colors() const;

  /// Positions of the vertices, given those of all points.
  std::vector<Vec3> of(const std::vector<Vec3>& points) const;
  /// Nearest hit of a ray, given the positions of all points.
  std::optional<SurfaceHit> hit(const Vec3& origin, const Vec3& direction, const std::vector<Vec3>& points) const;
  /// The bytes of GET /api/topology; `held`: for each point, whether it cannot move.
  std::string topology(const std::vector<bool>& held, const std::vector<std::string>& regions) const;

 private:
  void add(const RecordedBody& body, std::uint32_t number);

  std::vector<SurfaceVertex> vertices_;
  std::vector<Vec3> rest_;  ///< of the vertices [m]
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<std::string> names_;
  std::vector<std::array<std::uint8_t, 3>> colors_;
};

}  // namespace dashpot::studio
