// How sewn sheets get room for what they are worn over: both sheets are lifted off their common plane, as a bag is
// opened.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/start_parameters.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

const std::vector<int>* node_set(const Mesh& mesh, const char* name) {
  for (const auto& [set, nodes] : mesh.node_sets)
    if (set == name) return &nodes;
  return nullptr;
}

/// Sum of the triangles' normals on one side.
Vec3 facing(const Mesh& mesh, const std::vector<int>& front) {
  std::vector<char> is_front(mesh.nodes.size(), 0);
  for (const int node : front) is_front[static_cast<std::size_t>(node)] = 1;
  Vec3 sum = Vec3::Zero();
  const ElementGroup& triangles = *mesh.group(ElementKind::triangle);
  for (int e = 0; e < triangles.size(); ++e) {
    const int* n = triangles.element(e);
    if (std::none_of(n, n + 3, [&](int node) { return is_front[static_cast<std::size_t>(node)] != 0; })) continue;
    const auto x = [&](int k) { return mesh.nodes[static_cast<std::size_t>(n[k])]; };
    sum += (x(1) - x(0)).cross(x(2) - x(0));
  }
  return sum.normalized();
}

/// x = X +- lift sin(pi/2 min(d / rise, 1)) n, d the distance from the seam in the pattern.
std::vector<Vec3> opened(const Settings& settings, const BodyAssembly& body) {
  const Mesh& mesh = body.mesh();
  const std::vector<int>*front = node_set(mesh, "front"), *back = node_set(mesh, "back"),
        *seam = node_set(mesh, "seam");
  if (front == nullptr || back == nullptr || seam == nullptr || mesh.group(ElementKind::triangle) == nullptr)
    throw Error(Problem{settings.place(), fmt::format("{} is not sewn from two sheets", body.name()),
                        "node sets \"front\", \"back\" and \"seam\"",
                        "shapes with \"sheet\": {\"sewn\": ...} have them (dashpot mesh t_shirt --source)"});
  const double lift = settings.number("lift"), rise = settings.has("rise") ? settings.number("rise") : lift;
  const Vec3 n = facing(mesh, *front);
  std::vector<Vec3> positions = mesh.nodes;
  const auto move = [&](const std::vector<int>& sheet, double side) {
    for (const int node : sheet) {
      Vec3& x = positions[static_cast<std::size_t>(node)];
      double nearest = rise;
      for (const int other : *seam)
        nearest = std::min(nearest, (x - mesh.nodes[static_cast<std::size_t>(other)]).norm());
      x += side * lift * std::sin(0.5 * std::numbers::pi * nearest / rise) * n;
    }
  };
  move(*front, 1);
  move(*back, -1);
  return positions;
}

}  // namespace

namespace models {

void opened_start(Registry& registry) {
  registry.add(
      {Category::start, "opened", "two sheets that are sewn together, lifted off each other as a bag is opened", "",
       with_start_velocity(
           {parameter::real("lift", "", Quantity::length, "of each sheet off the plane of the pattern").above(0),
            parameter::real("rise", "", Quantity::length,
                            "distance from the seam at which the lift is whole; left out: as long as the lift")
                .above(0)
                .may_be_absent()}),
       StartFactory(opened)});
}

}  // namespace models
}  // namespace dashpot
