#pragma once
// A camera that measures points of surfaces, and what it sees of triangles: those whose front faces it and that nothing
// hides. A depth camera stands somewhere and its rays meet in it; a far one sees along parallel rays.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

using Triangle = std::array<int, 3>;  ///< point numbers, counter-clockwise seen from outside

struct DepthCamera {
  std::string name = {};
  std::optional<Vec3> position = {};  ///< where the rays meet [m]; empty: they are parallel
  Vec3 direction = Vec3::UnitZ();     ///< from what is seen to the camera, unit length; of parallel rays

  /// Unit direction from a point to the camera.
  Vec3 towards(const Vec3& x) const;
  /// Solid angle, or area across parallel rays, in which the camera sees a triangle of this area vector (area times
  /// outward normal) and center; negative: it looks at the back. To be compared for one camera only.
  double apparent_size(const Vec3& area, const Vec3& center) const;
};

/// Area [m^2] times outward unit normal.
Vec3 area_vector(const Triangle& triangle, const std::vector<Vec3>& x);

/// Triangles at fixed positions as what hides things. Exact: a ray is tested against triangles, not against pixels.
class Occlusion {
 public:
  Occlusion(std::vector<Triangle> triangles, std::vector<Vec3> positions);
  /// Whether nothing lies between a point of triangle `own` (-1: of none) and the camera. Hits nearer than 1e-9 of the
  /// whole size do not count.
  bool sees(const DepthCamera& camera, const Vec3& x, int own = -1) const;

 private:
  struct Node {
    Vec3 low, high;
    int first = 0, count = 0;  ///< of a leaf: its triangles; count 0: first is the left child, the right one follows
  };
  void split(std::size_t node, int begin, int end);
  bool hits(const Vec3& origin, const Vec3& direction, double length, int own) const;

  std::vector<Triangle> triangles_;
  std::vector<Vec3> positions_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  double size_ = 0;
};

}  // namespace dashpot::learn
