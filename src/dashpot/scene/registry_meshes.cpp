#include "dashpot/mesh/mesh.hpp"
#include "dashpot/scene/registry_parts.hpp"
#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

Parameter cells(std::size_t n) {
  return list("cells", integer_type(1), "cells along each side").sized(n, n).at_least(1).at_most(10000);
}
Parameter size(std::size_t n) {
  return list("size", real_type(Quantity::length), "lengths of the sides").sized(n, n).above(0);
}

/// Points given in the scene, joined by edges.
Mesh inline_points(const Settings& settings) {
  Mesh mesh;
  for (const std::vector<double>& row : settings.rows("positions")) mesh.nodes.emplace_back(row[0], row[1], row[2]);
  ElementGroup edges;
  edges.kind = ElementKind::edge;
  for (const std::vector<double>& pair : settings.rows("edges"))
    for (const double node : pair) edges.nodes.push_back(static_cast<int>(node));
  if (!edges.nodes.empty()) mesh.groups.push_back(std::move(edges));
  return mesh;
}

void check_points(const Settings& settings, std::vector<Problem>& problems) {
  const std::size_t count = settings.rows("positions").size();
  for (const std::vector<double>& pair : settings.rows("edges")) {
    if (pair[0] >= static_cast<double>(count) || pair[1] >= static_cast<double>(count))
      problems.push_back({settings.place("edges"), "an edge to a point that is not there",
                          "numbers from 0 to " + std::to_string(count - 1), "points count from 0"});
    else if (pair[0] == pair[1])
      problems.push_back({settings.place("edges"), "an edge from a point to itself", "two different points"});
  }
}

}  // namespace

void add_meshes(Registry& registry) {
  registry.add({Category::mesh, "bar", "a box of tets from the origin along the axes", "", {size(3), cells(3)}, {}});
  registry.add({Category::mesh, "plate", "a thin box of tets: length, width, thickness", "", {size(3), cells(3)}, {}});
  registry.add({Category::mesh, "cloth", "a grid of triangles in the x-y plane", "", {size(2), cells(2)}, {}});
  registry.add({Category::mesh,
                "sphere",
                "a ball of tets about the origin",
                "",
                {real("radius", "r", Quantity::length, "radius").above(0),
                 integer("cells", "", "cells across").at_least(2).at_most(500)},
                {}});
  registry.add(
      {Category::mesh,
       "file",
       "a mesh file: .msh, .veg, .node/.ele, .obj, .ply, .off, .stl",
       "",
       {file("path", "file name"),
        real("scale", "", Quantity::number, "unit of the file in metres (0.001: millimetres)").above(0).or_else("1")},
       {},
       "path"});
  registry.add(
      {Category::mesh,
       "points",
       "points given here, joined by edges (for springs)",
       "",
       {list("positions", list_type(real_type(Quantity::length), 3, 3), "x, y, z of each point").sized(1, 1000000),
        list("edges", list_type(integer_type(0), 2, 2), "pairs of points, counted from 0").or_else("[]")},
       MeshFactory(inline_points),
       "",
       check_points});
}

}  // namespace dashpot
