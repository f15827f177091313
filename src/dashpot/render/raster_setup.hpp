#pragma once
// The parts of the renderer between world and pixels: corner normals, clipped and projected triangles, coverage of a
// rectangle of samples. Sample (i, j) has its center at (i + 1/2, j + 1/2) sample units; coordinates are snapped to
// 1/256 of a unit and edges are evaluated in integers, so coverage is exact.

#include <cstdint>
#include <functional>
#include <vector>

#include "dashpot/render/camera.hpp"
#include "dashpot/render/drawing.hpp"

namespace dashpot::render {

using Vec3f = Eigen::Vector3f;

/// One corner of a triangle, ready for shading.
struct Corner {
  Vec3f position;  ///< relative to the stage's origin
  Vec3f normal;
  Color albedo;
};

/// A triangle on the screen. Edge k is opposite to corner k: E_k(x, y) = a x + b y + c >= 0 inside.
struct ScreenTriangle {
  std::array<std::int64_t, 3> a, b, c;                      ///< in 1/256 sample units
  int x0, y0, x1, y1;                                       ///< half-open box of samples
  float inverse_depth, inverse_depth_dx, inverse_depth_dy;  ///< 1/z = value + dx x + dy y at sample centers
  std::array<float, 3> corner_inverse_depth;
  std::array<Corner, 3> corners;
  Vec3f face_normal;
  int mesh, index;  ///< of the triangle over all meshes
};

/// Unit normals of the three corners of every triangle: mean over the triangles around the vertex that are bent by less
/// than `crease` [degrees] against this one, weighted by area.
std::vector<std::array<Vec3f, 3>> corner_normals(const DrawnMesh& mesh);

/// Triangles of all meshes that can be seen, in order. `origin` is subtracted from positions before they become floats.
std::vector<ScreenTriangle> project_triangles(const Stage& stage, const Camera& camera, const Vec3& origin, int width,
                                              int height);

/// Samples of a rectangle: nearest triangle (index into the list; -1: none) and its 1/z.
struct SampleBlock {
  int x0 = 0, y0 = 0, width = 0, height = 0;
  std::vector<int> triangle;
  std::vector<float> inverse_depth;
  void clear(int x, int y, int w, int h);
  /// Draws triangle `id` where it is nearer than what is there; equal depth: the earlier triangle stays.
  void cover(const ScreenTriangle& t, int id);
};

/// Perspective-correct weights of the corners at sample (x, y), which may lie between samples.
std::array<float, 3> corner_weights(const ScreenTriangle& t, float x, float y);

}  // namespace dashpot::render
