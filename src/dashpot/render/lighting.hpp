#pragma once
// Light on a stage: which of the sun's and the sky's directions a point sees, by depth maps, and what color results.
// All positions are relative to the stage's origin, in meters, as floats.

#include <vector>

#include "dashpot/render/camera.hpp"
#include "dashpot/render/drawing.hpp"
#include "dashpot/render/rasterizer.hpp"

namespace dashpot::render {

using Vec3f = Eigen::Vector3f;

/// What casts shadows, as plain triangles.
struct Casters {
  std::vector<Vec3f> positions;
  std::vector<std::array<int, 3>> triangles;
  Vec3f center = Vec3f::Zero();
  float radius = 0;  ///< of a ball around them [m]
};
Casters shadow_casters(const Stage& stage, const Vec3& origin);

/// Depth seen from infinitely far away in direction `towards_light`, over a square that contains all casters.
class DepthMap {
 public:
  DepthMap() = default;  ///< nothing is in the way
  DepthMap(const Casters& casters, const Vec3f& towards_light, int size);
  /// Share in [0, 1] of the light from this direction that reaches p: bilinear mean of four comparisons. A texel stands
  /// for a patch of surface, so p must be lifted off its surface, along the normal, by lift().
  float visibility(const Vec3f& p) const;
  float lift() const { return 1.5F * texel_; }

 private:
  void rasterize(const Vec3f& a, const Vec3f& b, const Vec3f& c);
  Vec3f across_, down_, towards_;  ///< texel coordinates and height are  axis . p + offset
  float across_offset_ = 0, down_offset_ = 0, height_offset_ = 0;
  float texel_ = 0;  ///< [m]
  int size_ = 0;
  std::vector<float> height_;  ///< largest coordinate along towards_light [m]; -inf where nothing is
};

/// A surface point to be lit.
struct LitPoint {
  Vec3f position, normal, to_eye;
  Color albedo;
  float gloss = 0;
};

class Lighting {
 public:
  Lighting(const Stage& stage, const Camera& camera, const Vec3& origin, const DrawSettings& settings);
  Color shade(const LitPoint& point) const;
  /// Light on level ground where nothing casts a shadow.
  const Color& open_ground() const { return open_ground_; }
  /// Linear light of the backdrop at relative height t in [0, 1] of the picture, 0 at the top.
  Color backdrop(float t) const;

 private:
  Color sky_radiance(const Vec3f& direction) const;
  std::vector<DepthMap> sun_, sky_;
  std::vector<Vec3f> sun_directions_, sky_directions_;
  std::vector<Color>
      sky_light_;  ///< radiance of each sky direction, scaled so that an open sky on level ground sums to one
  Vec3f up_, sun_direction_;
  Color sun_color_, ground_color_, top_, bottom_, open_ground_;
  float sun_lift_ = 0, sky_lift_ = 0;
};

}  // namespace dashpot::render
