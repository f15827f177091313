#include "dashpot/render/raster_setup.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/core/parallel.hpp"

namespace dashpot::render {
namespace {

constexpr int subpixels = 256;

/// Screen coordinate in 1/256 sample units; what is absurdly far outside is held where edge products fit 64 bits.
std::int64_t snapped(double coordinate) {
  constexpr double farthest = 1 << 29;
  return std::llround(std::clamp(coordinate * subpixels, -farthest, farthest));
}

struct ClipVertex {
  Vec3 camera;  ///< right, up, forward
  Vec3 weight;  ///< of the three corners
};

/// Cuts a triangle at depth `near`; at most four corners remain.
int clip_near(const std::array<Vec3, 3>& camera, double near, std::array<ClipVertex, 4>& out) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = static_cast<std::size_t>(i), next = (k + 1) % 3;
    Vec3 here = Vec3::Zero(), there = Vec3::Zero();
    here[i] = 1;
    there[static_cast<int>(next)] = 1;
    const double z0 = camera[k].z(), z1 = camera[next].z();
    if (z0 >= near) out[static_cast<std::size_t>(count++)] = {camera[k], here};
    if ((z0 >= near) != (z1 >= near)) {
      const double t = (near - z0) / (z1 - z0);
      out[static_cast<std::size_t>(count++)] = {camera[k] + t * (camera[next] - camera[k]), here + t * (there - here)};
    }
  }
  return count;
}

struct ScreenPoint {
  std::int64_t x, y;  ///< 1/256 sample units
  double inverse_depth;
};

/// Fills edges, box and depth; false when nothing can be covered.
bool set_up(ScreenTriangle& t, std::array<ScreenPoint, 3> p, std::array<Corner, 3> corners, int width, int height) {
  std::int64_t area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
  if (area == 0) return false;
  if (area < 0) {  // seen from behind: turn it, both sides are drawn
    std::swap(p[1], p[2]);
    std::swap(corners[1], corners[2]);
    area = -area;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const ScreenPoint &u = p[(k + 1) % 3], &v = p[(k + 2) % 3];
    t.a[k] = u.y - v.y;
    t.b[k] = v.x - u.x;
    t.c[k] = -(t.a[k] * u.x + t.b[k] * u.y);
    const bool owns_edge = t.a[k] > 0 || (t.a[k] == 0 && t.b[k] > 0);  // left edges, and the top one
    if (!owns_edge) t.c[k] -= 1;
    t.corner_inverse_depth[k] = static_cast<float>(p[k].inverse_depth);
  }
  const auto lowest = [](std::int64_t a, std::int64_t b, std::int64_t c) { return std::min({a, b, c}); };
  const auto highest = [](std::int64_t a, std::int64_t b, std::int64_t c) { return std::max({a, b, c}); };
  // First sample whose center is at or right of the lowest coordinate, and one past the last.
  const auto first = [](std::int64_t v) { return (v + subpixels / 2 - 1) >> 8; };
  const auto past = [](std::int64_t v) { return ((v - subpixels / 2) >> 8) + 1; };
  const auto clamp = [](std::int64_t v, int top) { return static_cast<int>(std::clamp<std::int64_t>(v, 0, top)); };
  t.x0 = clamp(first(lowest(p[0].x, p[1].x, p[2].x)), width);
  t.y0 = clamp(first(lowest(p[0].y, p[1].y, p[2].y)), height);
  t.x1 = clamp(past(highest(p[0].x, p[1].x, p[2].x)), width);
  t.y1 = clamp(past(highest(p[0].y, p[1].y, p[2].y)), height);
  if (t.x0 >= t.x1 || t.y0 >= t.y1) return false;
  // 1/z is linear on the screen: sum of E_k / area times the corners' values.
  double dx = 0, dy = 0, value = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = p[k].inverse_depth / static_cast<double>(area);
    dx += w * static_cast<double>(t.a[k]);
    dy += w * static_cast<double>(t.b[k]);
  }
  value = p[0].inverse_depth - dx * static_cast<double>(p[0].x) - dy * static_cast<double>(p[0].y);
  t.inverse_depth = static_cast<float>(value + (dx + dy) * (subpixels / 2));
  t.inverse_depth_dx = static_cast<float>(dx * subpixels);
  t.inverse_depth_dy = static_cast<float>(dy * subpixels);
  t.corners = corners;
  return true;
}

}  // namespace

std::vector<std::array<Vec3f, 3>> corner_normals(const DrawnMesh& mesh) {
  const int num_triangles = static_cast<int>(mesh.triangles.size());
  std::vector<Vec3f> area(mesh.triangles.size()), unit(mesh.triangles.size());
  std::vector<int> first(mesh.positions.size() + 1, 0), around(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [i, j, k] = mesh.triangles[t];
    const auto at = [&](int n) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(n)]; };
    area[t] = (at(j) - at(i)).cross(at(k) - at(i)).cast<float>();
    const float length = area[t].norm();
    unit[t] = length > 0 ? Vec3f(area[t] / length) : Vec3f(Vec3f::Zero());
    for (const int n : mesh.triangles[t]) ++first[static_cast<std::size_t>(n) + 1];
  }
  for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
  std::vector<int> next(first.begin(), first.end() - 1);
  for (int t = 0; t < num_triangles; ++t)
    for (const int n : mesh.triangles[static_cast<std::size_t>(t)])
      around[static_cast<std::size_t>(next[static_cast<std::size_t>(n)]++)] = t;

  const float cosine = static_cast<float>(std::cos(std::clamp(mesh.crease, 0.0, 180.0) * std::numbers::pi / 180));
  std::vector<std::array<Vec3f, 3>> normals(mesh.triangles.size());
  parallel_for(num_triangles, 1024, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const auto own = static_cast<std::size_t>(t);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto n = static_cast<std::size_t>(mesh.triangles[own][k]);
        Vec3f sum = Vec3f::Zero();
        for (int s = first[n]; s < first[n + 1]; ++s) {
          const auto other = static_cast<std::size_t>(around[static_cast<std::size_t>(s)]);
          if (other == own || mesh.crease >= 180 || unit[other].dot(unit[own]) > cosine) sum += area[other];
        }
        const float length = sum.norm();
        normals[own][k] = length > 0 ? Vec3f(sum / length) : unit[own];
      }
    }
  });
  return normals;
}

namespace {

struct MeshOnScreen {
  const Stage& stage;
  const Camera& camera;
  const Vec3& origin;
  int width, height;
  double scale, near;

  void add(int number, int first_index, std::vector<ScreenTriangle>& out) const {
    const DrawnMesh& mesh = stage.meshes[static_cast<std::size_t>(number)];
    const std::vector<std::array<Vec3f, 3>> normals = corner_normals(mesh);
    const bool has_colors = mesh.vertex_colors.size() == mesh.positions.size() && !mesh.vertex_colors.empty();
    const Color plain = linear(mesh.color);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      std::array<Vec3, 3> camera_points;
      std::array<Corner, 3> corners;
      bool finite = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto n = static_cast<std::size_t>(mesh.triangles[i][k]);
        const Vec3 d = mesh.positions[n] - camera.eye;
        finite = finite && d.allFinite();
        camera_points[k] = {d.dot(camera.right), d.dot(camera.up), d.dot(camera.forward)};
        corners[k] = {(mesh.positions[n] - origin).cast<float>(), normals[i][k],
                      has_colors ? linear(mesh.vertex_colors[n]) : plain};
      }
      if (finite) add_clipped(camera_points, corners, number, first_index + static_cast<int>(i), out);
    }
  }

  void add_clipped(const std::array<Vec3, 3>& camera_points, const std::array<Corner, 3>& corners, int mesh, int index,
                   std::vector<ScreenTriangle>& out) const {
    std::array<ClipVertex, 4> polygon;
    const int count = clip_near(camera_points, near, polygon);
    for (int fan = 2; fan < count; ++fan) {
      std::array<ScreenPoint, 3> p;
      std::array<Corner, 3> cut;
      for (std::size_t k = 0; k < 3; ++k) {
        const ClipVertex& v = polygon[k == 0 ? 0 : static_cast<std::size_t>(fan) - 2 + k];
        const double inverse = 1 / v.camera.z();
        p[k] = {snapped(width / 2.0 + scale * v.camera.x() * inverse),
                snapped(height / 2.0 - scale * v.camera.y() * inverse), inverse};
        const Vec3f w = v.weight.cast<float>();
        cut[k] = {w.x() * corners[0].position + w.y() * corners[1].position + w.z() * corners[2].position,
                  w.x() * corners[0].normal + w.y() * corners[1].normal + w.z() * corners[2].normal,
                  w.x() * corners[0].albedo + w.y() * corners[1].albedo + w.z() * corners[2].albedo};
      }
      ScreenTriangle t;
      t.mesh = mesh;
      t.index = index;
      t.face_normal = (corners[1].position - corners[0].position).cross(corners[2].position - corners[0].position);
      t.face_normal.normalize();
      if (set_up(t, p, cut, width, height)) out.push_back(t);
    }
  }
};

}  // namespace

std::vector<ScreenTriangle> project_triangles(const Stage& stage, const Camera& camera, const Vec3& origin, int width,
                                              int height) {
  // Nearer than a thousandth of the focus nothing is drawn.
  const MeshOnScreen screen{
      stage, camera, origin, width, height, height / (2 * camera.tan_half_height), camera.focus * 1e-3};
  std::vector<ScreenTriangle> result;
  int first_index = 0;
  for (std::size_t m = 0; m < stage.meshes.size(); ++m) {
    screen.add(static_cast<int>(m), first_index, result);
    first_index += static_cast<int>(stage.meshes[m].triangles.size());
  }
  return result;
}

void SampleBlock::clear(int x, int y, int w, int h) {
  x0 = x;
  y0 = y;
  width = w;
  height = h;
  const std::size_t size = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
  triangle.assign(size, -1);
  inverse_depth.assign(size, 0.0F);
}

void SampleBlock::cover(const ScreenTriangle& t, int id) {
  const int left = std::max(t.x0, x0), right = std::min(t.x1, x0 + width);
  const int top = std::max(t.y0, y0), bottom = std::min(t.y1, y0 + height);
  constexpr std::int64_t half = subpixels / 2;
  for (int y = top; y < bottom; ++y) {
    const std::int64_t py = static_cast<std::int64_t>(y) * subpixels + half;
    const std::int64_t px = static_cast<std::int64_t>(left) * subpixels + half;
    std::int64_t e0 = t.a[0] * px + t.b[0] * py + t.c[0];
    std::int64_t e1 = t.a[1] * px + t.b[1] * py + t.c[1];
    std::int64_t e2 = t.a[2] * px + t.b[2] * py + t.c[2];
    const float row = t.inverse_depth + t.inverse_depth_dy * static_cast<float>(y);
    const std::size_t base = static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(width);
    for (int x = left; x < right; ++x) {
      if ((e0 | e1 | e2) >= 0) {
        const float depth = row + t.inverse_depth_dx * static_cast<float>(x);
        const std::size_t at = base + static_cast<std::size_t>(x - x0);
        if (depth > inverse_depth[at]) {
          inverse_depth[at] = depth;
          triangle[at] = id;
        }
      }
      e0 += t.a[0] * subpixels;
      e1 += t.a[1] * subpixels;
      e2 += t.a[2] * subpixels;
    }
  }
}

std::array<float, 3> corner_weights(const ScreenTriangle& t, float x, float y) {
  const double px = static_cast<double>(x) * subpixels + subpixels / 2;
  const double py = static_cast<double>(y) * subpixels + subpixels / 2;
  std::array<float, 3> w;
  float sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double edge =
        static_cast<double>(t.a[k]) * px + static_cast<double>(t.b[k]) * py + static_cast<double>(t.c[k]);
    w[k] = static_cast<float>(std::max(0.0, edge)) * t.corner_inverse_depth[k];
    sum += w[k];
  }
  if (!(sum > 0)) return {1.0F / 3, 1.0F / 3, 1.0F / 3};  // a sliver smaller than the sub-pixel grid
  for (float& value : w) value /= sum;
  return w;
}

}  // namespace dashpot::render
