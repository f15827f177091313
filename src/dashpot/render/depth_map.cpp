#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/render/lighting.hpp"

namespace dashpot::render {

Casters shadow_casters(const Stage& stage, const Vec3& origin) {
  Casters casters;
  Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
  for (const DrawnMesh& mesh : stage.meshes) {
    if (!mesh.casts_shadow) continue;
    const int first = static_cast<int>(casters.positions.size());
    for (const Vec3& p : mesh.positions) casters.positions.push_back((p - origin).cast<float>());
    for (const auto& t : mesh.triangles) {
      const std::array<int, 3> shifted{t[0] + first, t[1] + first, t[2] + first};
      const auto finite = [&](int n) { return casters.positions[static_cast<std::size_t>(n)].allFinite(); };
      if (!std::all_of(shifted.begin(), shifted.end(), finite)) continue;
      casters.triangles.push_back(shifted);
      for (const int n : shifted) {
        low = low.cwiseMin(casters.positions[static_cast<std::size_t>(n)]);
        high = high.cwiseMax(casters.positions[static_cast<std::size_t>(n)]);
      }
    }
  }
  if (casters.triangles.empty()) return casters;
  casters.center = (low + high) / 2;
  for (const auto& t : casters.triangles)
    for (const int n : t)
      casters.radius =
          std::max(casters.radius, (casters.positions[static_cast<std::size_t>(n)] - casters.center).norm());
  casters.radius *= 1.01F;
  return casters;
}

DepthMap::DepthMap(const Casters& casters, const Vec3f& towards_light, int size) : towards_(towards_light) {
  if (!(casters.radius > 0)) return;
  size_ = size;
  const Vec3f guess = std::abs(towards_.x()) < 0.8F ? Vec3f(Vec3f::UnitX()) : Vec3f(Vec3f::UnitZ());
  const Vec3f right = guess.cross(towards_).normalized(), up = towards_.cross(right);
  const float scale = static_cast<float>(size) / (2 * casters.radius), middle = static_cast<float>(size) / 2;
  texel_ = 1 / scale;
  across_ = scale * right;
  down_ = scale * up;
  across_offset_ = middle - across_.dot(casters.center);
  down_offset_ = middle - down_.dot(casters.center);
  height_offset_ = -towards_.dot(casters.center);
  height_.assign(static_cast<std::size_t>(size) * static_cast<std::size_t>(size),
                 -std::numeric_limits<float>::infinity());
  std::vector<Vec3f> seen(casters.positions.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Vec3f& p = casters.positions[i];
    seen[i] = {across_.dot(p) + across_offset_, down_.dot(p) + down_offset_, towards_.dot(p) + height_offset_};
  }
  for (const auto& t : casters.triangles)
    rasterize(seen[static_cast<std::size_t>(t[0])], seen[static_cast<std::size_t>(t[1])],
              seen[static_cast<std::size_t>(t[2])]);
  height_offset_ += 0.25F * texel_;  // from now on for lookups: round-off must not shade a surface by itself
}

void DepthMap::rasterize(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  const float area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
  if (area == 0) return;
  const int top = size_ - 1;
  const auto low = [&](float p, float q, float r) {
    return std::clamp(static_cast<int>(std::ceil(std::min({p, q, r}) - 0.5F)), 0, top);
  };
  const auto high = [&](float p, float q, float r) {
    return std::clamp(static_cast<int>(std::floor(std::max({p, q, r}) - 0.5F)), -1, top);
  };
  const int x0 = low(a.x(), b.x(), c.x()), x1 = high(a.x(), b.x(), c.x());
  const int y0 = low(a.y(), b.y(), c.y()), y1 = high(a.y(), b.y(), c.y());
  const float inverse = 1 / area;
  // Weights of b and c are linear in x and y.
  const float ub = (c.y() - a.y()) * inverse, vb = -(c.x() - a.x()) * inverse;
  const float uc = -(b.y() - a.y()) * inverse, vc = (b.x() - a.x()) * inverse;
  for (int y = y0; y <= y1; ++y) {
    const float dy = static_cast<float>(y) + 0.5F - a.y();
    float* row = height_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(size_);
    for (int x = x0; x <= x1; ++x) {
      const float dx = static_cast<float>(x) + 0.5F - a.x();
      const float wb = ub * dx + vb * dy, wc = uc * dx + vc * dy;
      if (wb < 0 || wc < 0 || wb + wc > 1) continue;
      row[x] = std::max(row[x], a.z() + wb * (b.z() - a.z()) + wc * (c.z() - a.z()));
    }
  }
}

float DepthMap::visibility(const Vec3f& p) const {
  const float u = across_.x() * p.x() + across_.y() * p.y() + across_.z() * p.z() + across_offset_ - 0.5F;
  const float v = down_.x() * p.x() + down_.y() * p.y() + down_.z() * p.z() + down_offset_ - 0.5F;
  const auto top = static_cast<float>(size_ - 1);
  if (!(u >= 0 && v >= 0 && u < top && v < top)) return 1;
  const float height = towards_.x() * p.x() + towards_.y() * p.y() + towards_.z() * p.z() + height_offset_;
  const int x = static_cast<int>(u), y = static_cast<int>(v);
  const float fx = u - static_cast<float>(x), fy = v - static_cast<float>(y);
  const float* row = height_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) + x;
  const float* below = row + size_;
  const float upper = (row[0] <= height ? 1 - fx : 0.0F) + (row[1] <= height ? fx : 0.0F);
  const float lower = (below[0] <= height ? 1 - fx : 0.0F) + (below[1] <= height ? fx : 0.0F);
  return upper * (1 - fy) + lower * fy;
}

}  // namespace dashpot::render
