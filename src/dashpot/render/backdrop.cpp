#include "dashpot/render/backdrop.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace dashpot::render {

Backdrop::Backdrop(const Stage& stage, const Camera& camera, const Vec3& origin, const DrawSettings& settings,
                   const Lighting& lighting)
    : stage_(stage), camera_(camera), settings_(settings), lighting_(lighting), origin_(origin) {
  const Vec3 up = stage.up.normalized();
  const Vec3 guess = std::abs(up.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  axis_x_ = (guess - up * up.dot(guess)).normalized();
  axis_z_ = axis_x_.cross(up);
  eye_ = (camera.eye - origin).cast<float>();
  up_ = up.cast<float>();
  if (stage.ground) ground_height_ = static_cast<float>(stage.ground->height - origin.dot(up));
}

Color Backdrop::light(float x, float y) const {
  const Color backdrop = lighting_.backdrop(y / static_cast<float>(settings_.height));
  if (!stage_.ground) return backdrop;
  const Vec3f ray = camera_.ray(x, y, settings_.width, settings_.height).cast<float>();
  const float descent = ray.dot(up_), above = eye_.dot(up_) - ground_height_;
  const float distance = -above / descent;
  if (!(distance > 0) || !std::isfinite(distance)) return backdrop;
  const Vec3f position = eye_ + distance * ray;
  const auto focus = static_cast<float>(camera_.focus);
  const Vec3f level = position - up_ * (position.dot(up_));
  const float away = level.norm() / (focus * static_cast<float>(camera_.tan_half_height * camera_.aspect));
  const float fade = std::clamp((away - 0.9F) / 3.2F, 0.0F, 1.0F);
  const float ground_share = (1 - fade) * (1 - fade) * (1 + 2 * fade);
  if (ground_share <= 0) return backdrop;
  LitPoint point;
  point.position = position;
  point.normal = above > 0 ? up_ : Vec3f(-up_);
  point.to_eye = -ray;
  point.albedo = linear(stage_.ground->color);
  const Color lit = lighting_.shade(point);
  const float pixel = distance * 2 * static_cast<float>(camera_.tan_half_height) / static_cast<float>(settings_.height);
  const float line = grid_line(position, pixel, pixel / std::max(0.05F, std::abs(descent)));
  const Color ground = lit * (1 - 0.20F * line);
  // The backdrop darkens with the ground's shadows, so that a shadow never ends where the ground does.
  return backdrop * (lit / lighting_.open_ground()) * (1 - ground_share) + ground * ground_share;
}

/// Coverage of the pixel by grid lines, about one pixel wide, thinning out where they crowd.
float Backdrop::grid_line(const Vec3f& position, float pixel_across, float pixel_along) const {
  const auto step = static_cast<float>(stage_.ground->grid);
  if (!(step > 0)) return 0;
  const Vec3 world = position.cast<double>() + origin_;
  const float pixel = std::max(pixel_across, 0.5F * (pixel_across + pixel_along));
  float line = 0;
  for (const Vec3* axis : {&axis_x_, &axis_z_}) {
    const double turns = world.dot(*axis) / step;
    const float off = static_cast<float>(std::abs(turns - std::round(turns))) * step / pixel;
    line = std::max(line, std::clamp(1.1F - off, 0.0F, 1.0F));
  }
  return line * std::clamp(step / (6 * pixel) - 0.3F, 0.0F, 1.0F);
}

}  // namespace dashpot::render
