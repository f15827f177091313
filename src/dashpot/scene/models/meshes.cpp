#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"
#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/mesh_shape.hpp"

namespace dashpot {
namespace {

Parameter cells(std::size_t n) {
  return parameter::list("cells", parameter::integer_type(1), "cells along each side")
      .sized(n, n)
      .at_least(1)
      .at_most(10000);
}
Parameter size(std::size_t n) {
  return parameter::list("size", parameter::real_type(Quantity::length), "lengths of the sides").sized(n, n).above(0);
}

std::array<int, 3> three(const std::vector<int>& n) { return {n[0], n[1], n[2]}; }

BoxOptions box_options(const Settings& settings) {
  BoxOptions options;
  const std::string& split = settings.text("split");
  options.split = split == "kuhn" ? CellSplit::kuhn : split == "five" ? CellSplit::five : CellSplit::mirrored;
  return options;
}

Mesh bar(const Settings& settings, std::vector<Problem>&) {
  return make_bar(settings.vec3("size"), three(settings.integers("cells")), box_options(settings));
}

Mesh plate(const Settings& settings, std::vector<Problem>&) {
  const Vec3 size = settings.vec3("size");
  return make_plate(size.x(), size.z(), size.y(), three(settings.integers("cells")), box_options(settings));
}

Mesh cloth_grid(const Settings& settings, std::vector<Problem>&) {
  const std::vector<double> size = settings.numbers("size");
  const std::vector<int> cells = settings.integers("cells");
  return make_cloth(size[0], size[1], {cells[0], cells[1]});
}

Mesh ball(const Settings& settings, std::vector<Problem>&) {
  return make_sphere(settings.number("radius"), settings.integer("layers"));
}

Mesh chain(const Settings& settings, std::vector<Problem>&) {
  const auto ends = settings.rows("ends");
  return make_chain(Vec3(ends[0].data()), Vec3(ends[1].data()), settings.integer("edges"));
}

Mesh strands(const Settings& settings, std::vector<Problem>&) {
  const std::vector<int> counts = settings.integers("counts");
  const std::vector<double> size = settings.numbers("size");
  return with_location(settings.place(), [&] {
    return make_strands({counts[0], counts[1]}, size[0], size[1], settings.vec3("to_tip"), settings.integer("edges"));
  });
}

constexpr double max_elements = 2e7;

/// A slip in the number of cells should be a message, not an exhausted machine.
void check_count(const Settings& settings, std::vector<Problem>& problems, const char* name, double elements) {
  if (elements > max_elements)
    problems.push_back({settings.place(name), fmt::format("about {:.0f} elements", elements),
                        fmt::format("at most {:.0f}", max_elements), "use fewer cells"});
}

void check_cells(const Settings& settings, std::vector<Problem>& problems) {
  double cells = 1;
  for (const int n : settings.integers("cells")) cells *= n;
  check_count(settings, problems, "cells", 6 * cells);
}

void check_strands(const Settings& settings, std::vector<Problem>& problems) {
  double edges = settings.integer("edges");
  for (const int n : settings.integers("counts")) edges *= n;
  check_count(settings, problems, "counts", edges);
}

void check_layers(const Settings& settings, std::vector<Problem>& problems) {
  check_count(settings, problems, "layers", 20 * std::pow(settings.integer("layers"), 3));
}

Mesh from_file(const Settings& settings, std::vector<Problem>& warnings) {
  MeshReport report;
  ReadOptions options;
  options.read = settings.reader();
  Mesh mesh = read_mesh(settings.path("path"), &report, options);
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  for (Vec3& x : mesh.nodes) x *= settings.number("scale");
  return mesh;
}

/// An asset by name, or a shape file beside the scene.
Mesh from_shape(const Settings& settings, std::vector<Problem>& warnings) {
  const std::string& name = settings.text("name");
  const bool is_file = asset_text(name).empty() && std::filesystem::is_regular_file(settings.path("name"));
  return with_location(settings.place("name"), [&] {
    const Shape shape = load_shape(is_file ? settings.path("name") : name, &warnings, settings.reader());
    ShapeMeshOptions options;
    if (settings.has("tets")) options.elements = settings.integer("tets");
    if (settings.has("spacing")) options.spacing = settings.number("spacing");
    if (settings.has("height")) options.height = settings.number("height");
    ShapeMesh result = mesh_shape(shape, options);
    for (Problem& warning : result.warnings) {
      if (warning.place.empty()) warning.place = settings.place("name");
      warnings.push_back(std::move(warning));
    }
    return std::move(result.mesh);
  });
}

void check_shape(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("tets") == settings.has("spacing"))
    problems.push_back({settings.place(), settings.has("tets") ? "both tets and spacing" : "neither tets nor spacing",
                        "one of them", "write \"tets\": 11000"});
}

/// Points given in the scene, joined by edges.
Mesh inline_points(const Settings& settings, std::vector<Problem>&) {
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

namespace models {

void meshes(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, std::vector<Parameter> parameters, MeshFactory make,
                       const char* shorthand = "", ModelCheck check = {}) {
    registry.add(
        {Category::mesh, name, meaning, "", std::move(parameters), std::move(make), shorthand, std::move(check)});
  };
  const ValueType point = parameter::list_type(parameter::real_type(Quantity::length), 3, 3);
  const Parameter split =
      parameter::choice("split", {"mirrored", "kuhn", "five"}, "how cells are cut into tets").or_else(R"("mirrored")");
  add("bar", "a box of tets from the origin along the axes", {size(3), cells(3), split}, bar, "", check_cells);
  add("plate", "a slab of tets in the x-z plane about the origin, its thickness along y", {size(3), cells(3), split},
      plate, "", check_cells);
  add("cloth", "a grid of triangles in the x-z plane", {size(2), cells(2)}, cloth_grid, "", check_cells);
  add("sphere", "a ball of 20 layers\u00b3 tets about the origin",
      {parameter::real("radius", "r", Quantity::length, "radius").above(0),
       parameter::integer("layers", "", "tets from the center to the surface").at_least(1).at_most(200)},
      ball, "", check_layers);
  add("chain", "a straight chain of edges (for springs)",
      {parameter::list("ends", point, "first and last point").sized(2, 2),
       parameter::integer("edges", "", "number of edges").at_least(1).at_most(1000000)},
      chain);
  add("strands",
      "straight strands side by side (hair), rooted on a grid in the x-z plane about the origin; their ends are the "
      "sets \"roots\" and \"tips\"",
      {parameter::list("counts", parameter::integer_type(1), "strands along x and along z")
           .sized(2, 2)
           .at_least(1)
           .at_most(10000),
       parameter::list("size", parameter::real_type(Quantity::length), "sides of the grid of roots")
           .sized(2, 2)
           .at_least(0),
       parameter::vector3("to_tip", "", Quantity::length, "from root to tip"),
       parameter::integer("edges", "", "edges of each strand").at_least(1).at_most(100000)},
      strands, "", check_strands);
  add("file", "a mesh file: .msh, .veg, .node/.ele, .obj, .ply, .off, .stl",
      {parameter::file("path", "file name"),
       parameter::real("scale", "", Quantity::number, "unit of the file in meters (0.001: millimeters)")
           .above(0)
           .or_else("1")},
      from_file, "path");
  add("shape", "a creature of the cast (`dashpot mesh --list`), or a shape file",
      {parameter::text("name", "asset, or file name").or_a_path(),
       parameter::integer("tets", "", "wanted number of tets (triangles of a shell or cloth)")
           .at_least(10)
           .at_most(20000000)
           .may_be_absent(),
       parameter::real("spacing", "a", Quantity::length, "lattice spacing instead").above(0).may_be_absent(),
       parameter::real("height", "", Quantity::length, "scale the finished body to this height")
           .above(0)
           .may_be_absent()},
      from_shape, "name", check_shape);
  add("points", "points given here, joined by edges (for springs)",
      {parameter::list("positions", point, "x, y, z of each point").sized(1, 1000000),
       parameter::list("edges", parameter::list_type(parameter::integer_type(0), 2, 2),
                       "pairs of points, counted from 0")
           .or_else("[]")},
      inline_points, "", check_points);
}

}  // namespace models
}  // namespace dashpot
