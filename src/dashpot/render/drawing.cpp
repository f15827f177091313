#include "dashpot/render/drawing.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

namespace dashpot::render {
namespace {

/// An octahedron divided n times each way and pressed onto the sphere; 8 n^2 triangles.
void unit_ball(int n, std::vector<Vec3>& points, std::vector<std::array<int, 3>>& triangles) {
  std::map<std::array<int, 3>, int> index_of;  // octants share their rims
  for (int octant = 0; octant < 8; ++octant) {
    const std::array<int, 3> sign{(octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1, (octant & 4) != 0 ? -1 : 1};
    const bool turned = sign[0] * sign[1] * sign[2] < 0;
    const auto index = [&](int i, int j) {
      const std::array<int, 3> key{sign[0] * (n - i - j), sign[1] * i, sign[2] * j};
      const auto [found, is_new] = index_of.try_emplace(key, static_cast<int>(points.size()));
      if (is_new) points.push_back(Vec3(key[0], key[1], key[2]).normalized());
      return found->second;
    };
    const auto add = [&](int a, int b, int c) {
      triangles.push_back(turned ? std::array{a, c, b} : std::array{a, b, c});
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n - i; ++j) {
        add(index(i, j), index(i + 1, j), index(i, j + 1));
        if (j + 1 < n - i) add(index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
      }
  }
}

void add_beads(DrawnMesh& mesh, const std::vector<Vec3>& positions, double radius, const std::vector<Rgb>& colors) {
  std::vector<Vec3> ball;
  std::vector<std::array<int, 3>> faces;
  unit_ball(positions.size() > 2000 ? 2 : 4, ball, faces);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const int first = static_cast<int>(mesh.positions.size());
    for (const Vec3& p : ball) mesh.positions.push_back(positions[i] + radius * p);
    for (const auto& f : faces) mesh.triangles.push_back({first + f[0], first + f[1], first + f[2]});
    if (!colors.empty()) mesh.vertex_colors.insert(mesh.vertex_colors.end(), ball.size(), colors[i]);
  }
}

}  // namespace

DrawnMesh tubes(const std::vector<Vec3>& positions, const std::vector<std::array<int, 2>>& edges, double radius,
                Rgb color, const std::vector<Rgb>& colors) {
  constexpr int sides = 10;
  DrawnMesh mesh;
  mesh.color = color;
  mesh.crease = 70;
  std::vector<char> used(positions.size(), 0);
  for (const auto& [i, j] : edges) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    used[a] = used[b] = 1;
    const Vec3 along = positions[b] - positions[a];
    if (!(along.norm() > 0)) continue;
    const Vec3 axis = along.normalized();
    const Vec3 guess = std::abs(axis.x()) < 0.8 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitZ());
    const Vec3 x = guess.cross(axis).normalized(), y = axis.cross(x);
    const int first = static_cast<int>(mesh.positions.size());
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      const Vec3 offset = radius * (std::cos(angle) * x + std::sin(angle) * y);
      mesh.positions.push_back(positions[a] + offset);
      mesh.positions.push_back(positions[b] + offset);
      if (!colors.empty()) mesh.vertex_colors.insert(mesh.vertex_colors.end(), {colors[a], colors[b]});
      const int here = first + 2 * k, next = first + 2 * ((k + 1) % sides);
      mesh.triangles.push_back({here, next, next + 1});
      mesh.triangles.push_back({here, next + 1, here + 1});
    }
  }
  std::vector<Vec3> joints;
  std::vector<Rgb> joint_colors;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (used[i] == 0) continue;
    joints.push_back(positions[i]);
    if (!colors.empty()) joint_colors.push_back(colors[i]);
  }
  add_beads(mesh, joints, radius, joint_colors);
  return mesh;
}

DrawnMesh beads(const std::vector<Vec3>& positions, double radius, Rgb color, const std::vector<Rgb>& colors) {
  DrawnMesh mesh;
  mesh.color = color;
  mesh.crease = 70;
  add_beads(mesh, positions, radius, colors);
  return mesh;
}

double grid_distance(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  const double wanted = size / 6, decade = std::pow(10, std::floor(std::log10(wanted)));
  const double ratio = wanted / decade;
  return decade * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

}  // namespace dashpot::render
