#pragma once
// What is to be drawn: surfaces with colors, the ground, the light. Everything is triangles in the end: springs, ropes
// and hair become tubes, particles become beads. Positions in meters.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/render/color.hpp"

namespace dashpot::render {

/// A surface. Both sides of a triangle are drawn alike.
struct DrawnMesh {
  std::vector<Vec3> positions;                ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  Rgb color = {200, 196, 188};
  std::vector<Rgb> vertex_colors = {};         ///< size positions, or empty: `color` everywhere
  std::function<Rgb(const Vec3&)> paint = {};  ///< color at a position, asked for every pixel; safe to call in parallel
  double crease = 40;                          ///< edges bent by more stay sharp [degrees]; 180: smooth, 0: flat facets
  float gloss = 0.25F;                         ///< 0: chalk, 1: wet plastic
  bool casts_shadow = true;
  bool shows_edges = false;  ///< draws the edges of the triangles as fine lines
};

/// A horizontal plane with a grid, fading into the backdrop.
struct DrawnGround {
  double height = 0;  ///< along Stage::up [m]
  double grid = 0;    ///< distance of the lines [m]; 0: none
  Rgb color = {240, 240, 238};
};

struct Light {
  double azimuth = -35;   ///< of the sun about `up`, relative to the camera: negative is from the left [degrees]
  double elevation = 52;  ///< of the sun above the horizon [degrees]
  double radius = 4;      ///< angular radius of the sun [degrees]: the larger, the softer its shadows
  float sun = 2.05F, sky = 0.95F;  ///< strengths
};

struct Stage {
  std::vector<DrawnMesh> meshes;
  std::optional<DrawnGround> ground;
  Light light;
  Vec3 up = Vec3::UnitY();
  Rgb backdrop_top = {214, 221, 228}, backdrop_bottom = {240, 240, 238};
};

/// Tubes of circular section around the edges between positions, with beads at their ends so that joints are closed.
/// `colors` are per position or empty.
DrawnMesh tubes(const std::vector<Vec3>& positions, const std::vector<std::array<int, 2>>& edges, double radius,
                Rgb color, const std::vector<Rgb>& colors = {});
/// Balls at `positions`.
DrawnMesh beads(const std::vector<Vec3>& positions, double radius, Rgb color, const std::vector<Rgb>& colors = {});

/// Distance of grid lines that suits something `size` meters large: 1, 2 or 5 times a power of ten near size / 6.
double grid_distance(double size);

}  // namespace dashpot::render
