// Writers of plain text formats: .veg, .obj.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {

/// Names in .veg are single words.
std::string veg_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == ',' || c == '#' || c == '*'; }, '_');
  return name.empty() ? "unnamed" : name;
}

VegaProperties default_properties(const Mesh& mesh) {
  VegaProperties properties;
  properties.materials.push_back({"defaultMaterial", "ENU", 1000, 1e9, 0.45, {1e9, 0.45}});
  if (mesh.regions.size() < 2) properties.regions.push_back({"allElements", "defaultMaterial"});
  for (const std::string& name : mesh.regions)
    if (mesh.regions.size() >= 2) properties.regions.push_back({name, "defaultMaterial"});
  return properties;
}

void append_veg_sets(std::string& out, const Mesh& mesh, const ElementGroup& tets) {
  std::vector<std::vector<int>> members(mesh.regions.size());
  for (int e = 0; e < tets.size(); ++e) members[at(tets.region_of(e))].push_back(e + 1);
  for (std::size_t r = 0; r < members.size(); ++r) {
    fmt::format_to(std::back_inserter(out), "\n*SET {}\n", veg_name(mesh.regions[r]));
    for (std::size_t i = 0; i < members[r].size(); ++i)
      fmt::format_to(std::back_inserter(out), "{},{}", members[r][i], i % 10 == 9 ? "\n" : " ");
    out += '\n';
  }
}

void append_materials(std::string& out, const VegaProperties& properties) {
  for (const VegaMaterial& material : properties.materials) {
    fmt::format_to(std::back_inserter(out), "\n*MATERIAL {}\n{}, {}", veg_name(material.name), material.model,
                   material.density);
    if (material.model == "ENU")
      fmt::format_to(std::back_inserter(out), ", {}, {}", material.young, material.poisson);
    else
      for (const double value : material.parameters) fmt::format_to(std::back_inserter(out), ", {}", value);
    out += '\n';
  }
}

}  // namespace

std::string veg_bytes(const Mesh& mesh, const VegaProperties* given) {
  const ElementGroup* tets = mesh.group(ElementKind::tet4);
  if (tets == nullptr || tets->size() == 0)
    throw Error(
        Problem{"", "a mesh without 4-node tets", "4-node tets: .veg holds nothing else", "write .msh or .vtu"});
  const VegaProperties properties = given != nullptr ? *given : default_properties(mesh);
  std::string out;
  const auto add = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  add("# VegaFEM mesh\n# {} vertices, {} elements\n\n*VERTICES\n{} 3 0 0\n", mesh.num_nodes(), tets->size(),
      mesh.num_nodes());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    add("{} {} {} {}\n", i + 1, mesh.nodes[i][0], mesh.nodes[i][1], mesh.nodes[i][2]);
  add("\n*ELEMENTS\nTET\n{} 4 0\n", tets->size());
  for (int e = 0; e < tets->size(); ++e) {
    const int* n = tets->element(e);
    add("{} {} {} {} {}\n", e + 1, n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1);
  }
  append_materials(out, properties);
  if (mesh.regions.size() >= 2) append_veg_sets(out, mesh, *tets);
  for (std::size_t r = 0; r < properties.regions.size(); ++r) {
    // Region i of the properties is region i of the mesh; with several, each has a set of its own.
    const std::string set =
        mesh.regions.size() >= 2 && r < mesh.regions.size() ? veg_name(mesh.regions[r]) : "allElements";
    add("\n*REGION\n{}, {}\n", set, veg_name(properties.regions[r].material));
  }
  return out;
}

std::string obj_bytes(const Mesh& mesh) {
  std::string out;
  const auto add = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  for (const Vec3& x : mesh.nodes) add("v {} {} {}\n", x[0], x[1], x[2]);
  int current = -1;
  const auto enter = [&](int region) {
    if (mesh.regions.empty() || region == current) return;
    add("g {}\n", mesh.regions[at(region)]);
    current = region;
  };
  const Surface surface = boundary_surface(mesh);
  const ElementGroup* owner = mesh.tets() != nullptr ? mesh.tets() : mesh.group(ElementKind::triangle);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    enter(owner->region_of(surface.element[t]));
    const auto& [a, b, c] = surface.triangles[t];
    add("f {} {} {}\n", a + 1, b + 1, c + 1);
  }
  for (const ElementKind kind : {ElementKind::edge, ElementKind::point}) {
    const ElementGroup* group = mesh.group(kind);
    for (int e = 0; group != nullptr && e < group->size(); ++e) {
      enter(group->region_of(e));
      const int* n = group->element(e);
      kind == ElementKind::edge ? add("l {} {}\n", n[0] + 1, n[1] + 1) : add("p {}\n", n[0] + 1);
    }
  }
  return out;
}

}  // namespace dashpot
