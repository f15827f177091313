#include <fmt/format.h>

#include <algorithm>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

std::string spans(const Mesh& mesh) {
  const BoundingBox box = bounding_box(mesh.nodes);
  return fmt::format("the mesh spans ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m after its \"place\"",
                     box.min.x(), box.min.y(), box.min.z(), box.max.x(), box.max.y(), box.max.z());
}

}  // namespace

void check_nearest(const ModelSpec& where, const Mesh& mesh, std::vector<Problem>& problems) {
  if (where.name() == "any")
    for (const ModelSpec& part : where.settings.models("of", Category::where)) check_nearest(part, mesh, problems);
  const double size = bounding_box(mesh.nodes).diagonal();
  if (where.name() != "nearest" || !(size > 0)) return;
  const Vec3 point = where.settings.vec3("point");
  const int node = nearest_node(mesh, point);
  const double distance = (mesh.nodes[static_cast<std::size_t>(node)] - point).norm();
  if (distance <= 0.1 * size) return;
  problems.push_back(
      {where.settings.place(),
       fmt::format("the nearest node, {}, is {} away", node, describe_quantity(distance, Quantity::length, 3)),
       "a point at the body, where its \"place\" has put it", spans(mesh),
       distance > size ? Problem::Severity::error : Problem::Severity::warning});
}

std::vector<int> select_nodes(const ModelSpec& where, const Mesh& mesh) {
  std::vector<int> nodes = std::get<WhereFactory>(where.entry->factory)(where.settings, mesh);
  if (nodes.empty())
    throw Error(Problem{where.settings.place(), fmt::format("\"{}\" selects no node", where.name()),
                        "at least one node", spans(mesh)});
  return nodes;
}

std::vector<int> select_tets(const ModelSpec& where, const Mesh& mesh) {
  const ElementGroup& tets = *mesh.tets();
  if (where.name() == "region") {
    select_nodes(where, mesh);  // explains a name that is not there
    return elements_of_region(mesh, tets, where.settings.text("name"));
  }
  if (where.name() == "any") {
    std::vector<int> chosen;
    for (const ModelSpec& part : where.settings.models("of", Category::where)) {
      const std::vector<int> more = select_tets(part, mesh);
      chosen.insert(chosen.end(), more.begin(), more.end());
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }
  Mesh centroids;
  for (int e = 0; e < tets.size(); ++e) {
    const int* nodes = tets.element(e);
    Vec3 sum = Vec3::Zero();
    for (int a = 0; a < 4; ++a) sum += mesh.nodes[static_cast<std::size_t>(nodes[a])];
    centroids.nodes.push_back(sum / 4);
  }
  std::vector<int> chosen = std::get<WhereFactory>(where.entry->factory)(where.settings, centroids);
  if (chosen.empty())
    throw Error(Problem{where.settings.place(), fmt::format("\"{}\" selects no tet", where.name()),
                        "the centroid of at least one tet", spans(mesh)});
  return chosen;
}

std::vector<std::string> probe_notes(const SceneSpec& spec) {
  std::vector<std::string> notes;
  for (const ProbeSpec& probe : spec.record.probes) {
    const Mesh& mesh = *build_mesh(spec.bodies[probe.body]);
    const std::vector<int> nodes = select_nodes(probe.where, mesh);
    const Vec3& x = mesh.nodes[static_cast<std::size_t>(nodes.front())];
    std::string note = nodes.size() > 1
                           ? fmt::format("mean of {} nodes", nodes.size())
                           : fmt::format("node {} at ({:.4g}, {:.4g}, {:.4g}) m", nodes.front(), x.x(), x.y(), x.z());
    if (probe.where.name() == "nearest")
      note += fmt::format(", {} from the point given",
                          describe_quantity((x - probe.where.settings.vec3("point")).norm(), Quantity::length, 3));
    notes.push_back(fmt::format("{}: {}", probe.name, note));
  }
  return notes;
}

}  // namespace dashpot
