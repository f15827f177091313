#pragma once
// What a page draws: the surfaces and lines of the bodies, the colliders around them, and what a ray through the
// picture hits. Triangles and lines have vertices, which are points of the System; nodes of springs and strands that no
// triangle has are vertices too. Colliders come apart from them, because they are the same in all worlds.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/record/recording.hpp"
#include "dashpot/record/run.hpp"
#include "studio_frames.hpp"

namespace dashpot::studio {

struct SurfaceHit {
  std::size_t body = 0;
  int point = 0;  ///< of the System, the nearest end of the triangle or line that was hit
  Vec3 position = Vec3::Zero(), rest = Vec3::Zero();  ///< where the ray meets the surface, and that place at rest [m]
  double distance = 0;                                ///< from the origin of the ray [m]
};

class SurfaceView {
 public:
  SurfaceView() = default;
  /// Of the bodies and colliders of a scene or run; rest meshes say what is inside.
  explicit SurfaceView(const Recording& recording);

  const std::vector<SurfaceVertex>& vertices() const { return vertices_; }
  const std::vector<std::array<std::uint32_t, 3>>& triangles() const { return triangles_; }
  const std::vector<std::array<std::uint32_t, 2>>& lines() const { return lines_; }
  const std::vector<std::string>& body_names() const { return names_; }
  /// "#c9a27a" of each body.
  std::vector<std::string> body_colors() const;

  /// Positions of the vertices, given those of all points.
  std::vector<Vec3> of(const std::vector<Vec3>& points) const;
  /// Positions of the colliders' vertices, given those of all points with the colliders' after the System's, as frames
  /// of runs have them. Empty: nothing but planes.
  std::vector<Vec3> scenery_of(const std::vector<Vec3>& points) const;
  /// Nearest hit of a ray, given the positions of all points. Lines have no width: one that passes within half a degree
  /// of the ray, seen from its origin, is hit.
  std::optional<SurfaceHit> hit(const Vec3& origin, const Vec3& direction, const std::vector<Vec3>& points) const;
  /// The bytes of GET /api/topology; `held`: for each point, whether it cannot move.
  std::string topology(const std::vector<bool>& held, const std::vector<std::string>& regions) const;

 private:
  void add(const RecordedBody& body, std::uint32_t number);

  std::vector<SurfaceVertex> vertices_;
  std::vector<Vec3> rest_;  ///< of the vertices [m]
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<std::array<std::uint32_t, 2>> lines_;
  std::vector<std::uint32_t> scenery_points_;  ///< point of each vertex of a collider
  std::vector<std::array<std::uint32_t, 3>> scenery_triangles_;
  std::vector<Ground> grounds_;
  std::vector<std::string> names_, scenery_names_;
  std::vector<std::array<std::uint8_t, 3>> colors_;
};

}  // namespace dashpot::studio
