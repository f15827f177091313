#include <algorithm>
#include <numeric>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

std::vector<int> in_box(const Settings& settings, const Mesh& mesh) {
  const auto corners = settings.rows("corners");
  const Vec3 a(corners[0].data()), b(corners[1].data());
  return nodes_in_box(mesh, a.cwiseMin(b), a.cwiseMax(b));
}

std::vector<int> in_sphere(const Settings& settings, const Mesh& mesh) {
  return nodes_in_sphere(mesh, settings.vec3("center"), settings.number("radius"));
}

std::vector<int> nearest(const Settings& settings, const Mesh& mesh) {
  const int node = nearest_node(mesh, settings.vec3("point"));
  return node < 0 ? std::vector<int>{} : std::vector<int>{node};
}

std::vector<int> vertices(const Settings& settings, const Mesh& mesh) {
  std::vector<int> chosen = settings.integers("indices");
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (!chosen.empty() && chosen.back() >= mesh.num_nodes())
    throw Error(Problem{settings.place("indices"), "vertex " + std::to_string(chosen.back()),
                        "0 to " + std::to_string(mesh.num_nodes() - 1), "vertices count from 0"});
  return chosen;
}

std::vector<int> in_region(const Settings& settings, const Mesh& mesh) {
  return with_location(settings.place("name"), [&] { return nodes_of_region(mesh, settings.text("name")); });
}

std::vector<int> in_set(const Settings& settings, const Mesh& mesh) {
  return with_location(settings.place("name"), [&] { return nodes_of_set(mesh, settings.text("name")); });
}

std::vector<int> any_of(const Settings& settings, const Mesh& mesh) {
  std::vector<int> chosen;
  for (const ModelSpec& part : settings.models("of", Category::where)) {
    const std::vector<int> nodes = std::get<WhereFactory>(part.entry->factory)(part.settings, mesh);
    chosen.insert(chosen.end(), nodes.begin(), nodes.end());
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<int> everything(const Settings&, const Mesh& mesh) {
  std::vector<int> chosen(mesh.nodes.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  return chosen;
}

}  // namespace

namespace models {

void selections(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, std::vector<Parameter> parameters, WhereFactory select,
                       const char* shorthand) {
    registry.add({Category::where, name, meaning, "", std::move(parameters), std::move(select), shorthand});
  };
  Parameter corners = parameter::list("corners", parameter::list_type(parameter::real_type(Quantity::length), 3, 3),
                                      "two opposite corners")
                          .sized(2, 2);
  add("box", "inside a box along the axes, borders included", {corners}, in_box, "corners");
  add("sphere", "inside a ball, border included",
      {parameter::vector3("center", "", Quantity::length, "center"),
       parameter::real("radius", "r", Quantity::length, "radius").above(0)},
      in_sphere, "");
  add("nearest", "the one node nearest to a point",
      {parameter::vector3("point", "", Quantity::length, "rest position to look near, at the body")}, nearest, "point");
  add("vertices", "by number, counted from 0",
      {parameter::list("indices", parameter::integer_type(0), "node numbers").sized(1, 100000000)}, vertices,
      "indices");
  add("region", "all nodes (or tets) of a named region of the mesh", {parameter::text("name", "region")}, in_region,
      "name");
  add("set", "a named node set of the mesh file", {parameter::text("name", "set")}, in_set, "name");
  add("any", "what any of several selections choose",
      {parameter::list("of", parameter::model_type(Category::where), "selections").sized(1, 1000)}, any_of, "of");
  add("all", "everything", {}, everything, "");
}

}  // namespace models
}  // namespace dashpot
