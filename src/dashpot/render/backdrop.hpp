#pragma once
// What is seen where no mesh is: the ground with its grid and the shadows on it, fading into a gradient without
// horizon.

#include "dashpot/render/lighting.hpp"

namespace dashpot::render {

class Backdrop {
 public:
  /// `origin` is what positions of `lighting` are relative to. Keeps references to all but the origin.
  Backdrop(const Stage& stage, const Camera& camera, const Vec3& origin, const DrawSettings& settings,
           const Lighting& lighting);
  /// Linear light at picture point (x, y) [pixels].
  Color light(float x, float y) const;

 private:
  float grid_line(const Vec3f& position, float pixel_across, float pixel_along) const;

  const Stage& stage_;
  const Camera& camera_;
  const DrawSettings& settings_;
  const Lighting& lighting_;
  Vec3 origin_, axis_x_, axis_z_;  ///< the grid's directions
  Vec3f eye_, up_;
  float ground_height_ = 0;  ///< relative to the origin [m]
};

}  // namespace dashpot::render
