#pragma once
// A small z-buffer renderer. Triangles are clipped at the eye, projected with sub-pixel precision and covered by the
// top-left rule (two triangles that share an edge never both cover a sample, and never leave a gap). Depth is compared
// as 1/z, linear on the screen. Each pixel has n x n samples; samples of one smooth patch are shaded once, so edges
// cost samples and surfaces cost pixels.
//
// Shading is diffuse clay with a little gloss under a sun with a disc and a sky. Visibility of both is measured, not
// guessed: the sun's disc and the sky's dome are represented by directions (low-discrepancy points), each with an
// orthographic depth map of all that casts shadows; a point's light is the sum over the directions that see it. That
// gives soft shadows that sharpen towards contact, and ambient occlusion, from one mechanism.
//   radiance = albedo (sun sum_i V_i max(0, n.l_i) / N + sky sum_j V_j max(0, n.d_j) L(d_j) / M + bounce) + gloss
// Work is divided into tiles and maps whose order and extent do not depend on the threads: same bits for any number.

#include "dashpot/render/camera.hpp"
#include "dashpot/render/drawing.hpp"
#include "dashpot/render/image.hpp"

namespace dashpot::render {

struct DrawSettings {
  int width = 900, height = 600;
  int samples = 4;          ///< per pixel and direction: 4 means 16 samples a pixel; 1 to 8
  int sun_directions = 28;  ///< depth maps over the sun's disc; 0: no sun shadow
  int sky_directions = 64;  ///< depth maps over the sky; 0: an open sky everywhere
  int sun_map = 768;        ///< texels of a depth map each way
  int sky_map = 256;
  /// Faster and rougher: for sequences and small pictures.
  static DrawSettings draft(int width, int height);
};

/// dashpot::Error when the size is not usable. Triangles with vertices that are not finite are left out.
Image draw(const Stage& stage, const Camera& camera, const DrawSettings& settings = {});

/// Which triangle (index over all meshes in order) covers each sample, -1: none; rows of samples * width, top first.
/// For tests and picking.
std::vector<int> draw_indices(const Stage& stage, const Camera& camera, const DrawSettings& settings);

}  // namespace dashpot::render
