#include "dashpot/render/lighting.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/core/parallel.hpp"

namespace dashpot::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float golden_angle = 2.39996323F;
constexpr float sun_share = 0.36F, sky_share = 0.44F;  ///< level white ground in the open is near white

/// Unit vectors x, y perpendicular to n.
void tangents(const Vec3f& n, Vec3f& x, Vec3f& y) {
  const Vec3f guess = std::abs(n.x()) < 0.8F ? Vec3f(Vec3f::UnitX()) : Vec3f(Vec3f::UnitZ());
  x = guess.cross(n).normalized();
  y = n.cross(x);
}

/// Directions spread evenly over a disc of angular radius `radius` [rad] around `axis`.
std::vector<Vec3f> disc(const Vec3f& axis, float radius, int count) {
  Vec3f x, y;
  tangents(axis, x, y);
  std::vector<Vec3f> result;
  for (int i = 0; i < count; ++i) {
    const float r = std::tan(radius) * std::sqrt((static_cast<float>(i) + 0.5F) / static_cast<float>(count));
    const float angle = golden_angle * static_cast<float>(i);
    result.push_back((axis + r * std::cos(angle) * x + r * std::sin(angle) * y).normalized());
  }
  return result;
}

/// Directions spread evenly (equal solid angle) over the dome above the horizon.
std::vector<Vec3f> dome(const Vec3f& up, int count) {
  Vec3f x, y;
  tangents(up, x, y);
  std::vector<Vec3f> result;
  for (int i = 0; i < count; ++i) {
    const float height = (static_cast<float>(i) + 0.5F) / static_cast<float>(count);
    const float r = std::sqrt(1 - height * height), angle = golden_angle * static_cast<float>(i);
    result.push_back(height * up + r * std::cos(angle) * x + r * std::sin(angle) * y);
  }
  return result;
}

/// The horizontal direction from which the camera looks, turned by `azimuth`, and lifted by `elevation` [degrees].
Vec3f sun_direction(const Light& light, const Camera& camera, const Vec3f& up) {
  Vec3f back = -camera.forward.cast<float>();
  back -= up * up.dot(back);
  Vec3f right = up.cross(back);
  if (right.norm() < 1e-4F) tangents(up, right, back);
  right.normalize();
  back = right.cross(up);
  const float azimuth = static_cast<float>(light.azimuth) * pi / 180;
  const float elevation = static_cast<float>(light.elevation) * pi / 180;
  return std::cos(elevation) * (std::cos(azimuth) * back + std::sin(azimuth) * right) + std::sin(elevation) * up;
}

std::vector<DepthMap> depth_maps(const Casters& casters, const std::vector<Vec3f>& directions, int size) {
  std::vector<DepthMap> maps(directions.size());
  parallel_for(static_cast<int>(directions.size()), 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      maps[static_cast<std::size_t>(i)] = DepthMap(casters, directions[static_cast<std::size_t>(i)], size);
  });
  return maps;
}

}  // namespace

Lighting::Lighting(const Stage& stage, const Camera& camera, const Vec3& origin, const DrawSettings& settings)
    : up_(stage.up.normalized().cast<float>()),
      sun_direction_(sun_direction(stage.light, camera, up_)),
      sun_color_(Color(1.0F, 0.955F, 0.88F) * stage.light.sun),
      ground_color_(stage.ground ? linear(stage.ground->color) : Color(0.5F, 0.5F, 0.5F)),
      top_(linear(stage.backdrop_top)),
      bottom_(linear(stage.backdrop_bottom)) {
  const Casters casters = shadow_casters(stage, origin);
  const auto maps = [&](const std::vector<Vec3f>& directions, int count, int size) {
    return count > 0 ? depth_maps(casters, directions, size) : std::vector<DepthMap>(directions.size());
  };
  sun_directions_ =
      disc(sun_direction_, static_cast<float>(stage.light.radius) * pi / 180, std::max(1, settings.sun_directions));
  sun_ = maps(sun_directions_, settings.sun_directions, settings.sun_map);
  sky_directions_ = dome(up_, settings.sky_directions > 0 ? settings.sky_directions : 24);
  sky_ = maps(sky_directions_, settings.sky_directions, settings.sky_map);
  float level = 0;
  for (const Vec3f& d : sky_directions_) level += d.dot(up_);
  for (const Vec3f& d : sky_directions_) sky_light_.push_back(sky_radiance(d) * (stage.light.sky / level));
  sun_lift_ = sun_.front().lift();
  sky_lift_ = sky_.front().lift();
  float sun = 0;
  for (const Vec3f& d : sun_directions_) sun += std::max(0.0F, up_.dot(d)) / static_cast<float>(sun_directions_.size());
  Color sky = Color::Zero();
  for (std::size_t j = 0; j < sky_.size(); ++j) sky += sky_light_[j] * up_.dot(sky_directions_[j]);
  open_ground_ = ground_color_ * (sun_color_ * (sun * sun_share) + sky * sky_share);
}

Color Lighting::sky_radiance(const Vec3f& direction) const {
  // Brighter and warmer at the horizon on the camera's side would be a studio; a gentle gradient is enough.
  const float height = std::clamp(direction.dot(up_), 0.0F, 1.0F);
  return Color(0.98F, 0.99F, 1.0F) * (1 - height) + Color(0.86F, 0.94F, 1.06F) * height;
}

Color Lighting::shade(const LitPoint& point) const {
  const Vec3f& n = point.normal;
  const Vec3f from_sun = point.position + n * sun_lift_, from_sky = point.position + n * sky_lift_;
  Color light = Color::Zero();
  float sun_seen = 0;
  const float towards_sun = n.dot(sun_direction_);
  if (towards_sun > -0.1F) {
    float sum = 0;
    for (std::size_t i = 0; i < sun_.size(); ++i) {
      const float cosine = n.dot(sun_directions_[i]);
      if (cosine <= 0) continue;
      const float seen = sun_[i].visibility(from_sun);
      sun_seen += seen;
      sum += seen * cosine;
    }
    const float count = static_cast<float>(sun_.size());
    sun_seen /= count;
    light += sun_color_ * (sum / count * sun_share);
  }
  float open = 0, all = 0;
  for (std::size_t j = 0; j < sky_.size(); ++j) {
    const float cosine = n.dot(sky_directions_[j]);
    if (cosine <= 0) continue;
    const float seen = sky_[j].visibility(from_sky) * cosine;
    all += cosine;
    open += seen;
    light += sky_light_[j] * (seen * sky_share);
  }
  const float openness = all > 0 ? open / all : 0.5F;
  light += ground_color_ * ((0.5F - 0.5F * n.dot(up_)) * 0.2F * (0.35F + 0.65F * openness));
  Color result = point.albedo * light;
  if (point.gloss > 0) {
    const Vec3f half = (sun_direction_ + point.to_eye).normalized();
    const float facing = std::max(0.0F, n.dot(half)), grazing = 1 - std::clamp(n.dot(point.to_eye), 0.0F, 1.0F);
    const float fresnel = 0.04F + 0.5F * grazing * grazing * grazing * grazing * grazing;
    const float highlight = std::pow(facing, 38.0F) * 0.55F * sun_seen * (towards_sun > 0 ? 1.0F : 0.0F);
    result += sun_color_ * (point.gloss * highlight * 0.35F) +
              Color(0.9F, 0.95F, 1.0F) * (point.gloss * fresnel * 0.5F * (0.25F + 0.75F * openness));
  }
  return result;
}

Color Lighting::backdrop(float t) const { return top_ + (bottom_ - top_) * std::clamp(t, 0.0F, 1.0F); }

}  // namespace dashpot::render
