#include "dashpot/render/camera.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dashpot::render {
namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Two horizontal axes: for up = y they are +x and +z, so that azimuth 0 looks along -z.
void horizontal_axes(const Vec3& up, Vec3& x, Vec3& z) {
  const Vec3 guess = std::abs(up.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(-Vec3::UnitY());
  x = (guess - up * up.dot(guess)).normalized();
  z = x.cross(up);
}

}  // namespace

Vec3 Camera::project(const Vec3& p, double width, double height) const {
  const Vec3 d = p - eye;
  const double depth = d.dot(forward), scale = height / (2 * tan_half_height * depth);
  return {width / 2 + scale * d.dot(right), height / 2 - scale * d.dot(up), depth};
}

Vec3 Camera::ray(double x, double y, double width, double height) const {
  const double scale = 2 * tan_half_height / height;
  return (forward + right * ((x - width / 2) * scale) + up * ((height / 2 - y) * scale)).normalized();
}

Camera frame_points(const std::vector<Vec3>& points, const Look& look, double aspect, double margin) {
  Camera camera;
  const Vec3 world_up = look.up.normalized();
  Vec3 x, z;
  horizontal_axes(world_up, x, z);
  const double azimuth = radians(look.azimuth), elevation = radians(std::clamp(look.elevation, -89.9, 89.9));
  const Vec3 towards_eye =
      std::cos(elevation) * (std::sin(azimuth) * x + std::cos(azimuth) * z) + std::sin(elevation) * world_up;
  camera.forward = -towards_eye;
  camera.right = camera.forward.cross(world_up).normalized();
  camera.up = camera.right.cross(camera.forward);
  camera.aspect = aspect;
  camera.tan_half_height = std::tan(radians(look.fov) / 2);

  // A point (x, y, z) in camera axes is inside the frustum of an eye at (cx, cy, -d) when |x - cx| <= tx (z + d) and
  // |y - cy| <= ty (z + d). The smallest d for each pair of sides, and the center that attains it, are closed forms.
  const double ty = camera.tan_half_height * (1 - margin), tx = ty * aspect;
  constexpr double inf = std::numeric_limits<double>::infinity();
  double right = -inf, left = -inf, top = -inf, bottom = -inf, nearest = inf, farthest = -inf;
  const auto include = [&](const Vec3& p) {
    if (!p.allFinite()) return;
    const double px = p.dot(camera.right), py = p.dot(camera.up), pz = p.dot(camera.forward);
    right = std::max(right, px / tx - pz);
    left = std::max(left, -px / tx - pz);
    top = std::max(top, py / ty - pz);
    bottom = std::max(bottom, -py / ty - pz);
    nearest = std::min(nearest, pz);
    farthest = std::max(farthest, pz);
  };
  for (const Vec3& p : points) include(p);
  // How far the eye must be in front of the nearest point; zero when all lie on one line of sight, or there is none.
  const auto room = [&] { return std::max(right + left, top + bottom) / 2 + nearest; };
  if (!(nearest <= farthest) || !(room() > 1e-12 * (1 + std::abs(nearest)))) {
    const auto finite = [](const Vec3& p) { return p.allFinite(); };
    const auto found = std::find_if(points.begin(), points.end(), finite);
    const Vec3 middle = found == points.end() ? Vec3(Vec3::Zero()) : *found;
    for (int corner = 0; corner < 8; ++corner)
      include(middle + Vec3((corner & 1) - 0.5, ((corner >> 1) & 1) - 0.5, ((corner >> 2) & 1) - 0.5));
  }
  double distance = std::max(right + left, top + bottom) / 2;
  const double size = std::max(room(), farthest - nearest);
  distance = std::max(distance, -nearest + 1e-3 * size);  // the eye stays in front of everything
  const double cx = tx * (right - left) / 2, cy = ty * (top - bottom) / 2;
  const double middle = (nearest + farthest) / 2;
  camera.focus = std::max(distance + middle, 1e-9) / std::max(look.zoom, 1e-6);
  camera.eye = camera.right * cx + camera.up * cy + camera.forward * (middle - camera.focus);
  return camera;
}

double diagonal(const std::vector<Vec3>& points) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : points) {
    if (!p.allFinite()) continue;
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return low.x() <= high.x() ? (high - low).norm() : 0;
}

Camera moved(const Camera& camera, const Vec3& shift) {
  Camera result = camera;
  result.eye += shift;
  return result;
}

}  // namespace dashpot::render
