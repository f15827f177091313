#include <fmt/format.h>

#include <memory>

#include "dashpot/dissipation/cluster_damping.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/filter_amount.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

constexpr const char* default_neighbors = "8";

TorqueElimination elimination_of(const Settings& settings) {
  for (const TorqueElimination elimination : all_torque_eliminations)
    if (to_string(elimination) == settings.text("torque")) return elimination;
  return TorqueElimination::rigid;  // not reached: the value was checked
}

const ElementGroup& group_or_error(const Settings& settings, const BodyAssembly& body, ElementKind kind) {
  const ElementGroup* group =
      kind == ElementKind::tet4 && body.mesh().tets() != nullptr ? body.mesh().tets() : body.mesh().group(kind);
  if (group == nullptr || group->size() == 0)
    throw Error(Problem{settings.place("clusters"),
                        fmt::format("clusters \"{}\", but '{}' has none", settings.text("clusters"), body.name()),
                        "a kind of element that the body has", "use \"elements\", \"nearest\" or \"parts\""});
  return *group;
}

Clusters of_group(const ElementGroup& group, int num_nodes) {
  return element_clusters(num_nodes, group.nodes, nodes_per_element(group.kind));
}

/// The elements of highest dimension; springs join what has none.
Clusters of_elements(const Settings& settings, const BodyAssembly& body, const std::vector<Edge>& edges) {
  const Mesh& mesh = body.mesh();
  if (mesh.tets() != nullptr && mesh.tets()->size() > 0) return of_group(*mesh.tets(), mesh.num_nodes());
  for (const ElementKind kind : {ElementKind::triangle, ElementKind::edge})
    if (const ElementGroup* group = mesh.group(kind); group != nullptr && group->size() > 0)
      return of_group(*group, mesh.num_nodes());
  Clusters clusters(mesh.num_nodes());
  for (const Edge& edge : edges) clusters.add(edge);
  if (clusters.size() == 0)
    throw Error(Problem{settings.place("clusters"), fmt::format("'{}' has neither elements nor springs", body.name()),
                        "clusters that points without connections have", "use \"nearest\" or \"body\""});
  return clusters;
}

Clusters make_clusters(const Settings& settings, const BodyAssembly& body, const std::vector<Edge>& edges) {
  const std::string& kind = settings.text("clusters");
  const Mesh& mesh = body.mesh();
  if (kind == "body") return one_cluster(mesh.num_nodes());
  if (kind == "parts") return connected_parts(mesh.num_nodes(), edges);
  if (kind == "nearest") return nearest_clusters(mesh.nodes, settings.integer("neighbors"));
  if (kind == "tets") return of_group(group_or_error(settings, body, ElementKind::tet4), mesh.num_nodes());
  if (kind == "triangles") return of_group(group_or_error(settings, body, ElementKind::triangle), mesh.num_nodes());
  if (kind == "edges") {
    Clusters clusters(mesh.num_nodes());
    for (const Edge& edge : edges) clusters.add(edge);
    return clusters;
  }
  if (kind == "groups") {
    Clusters clusters(mesh.num_nodes());
    for (const ModelSpec& where : settings.models("groups", Category::where)) clusters.add(select_nodes(where, mesh));
    return clusters;
  }
  return of_elements(settings, body, edges);
}

void check_relative(const Settings& settings, std::vector<Problem>& problems) {
  check_filter_gain(settings, problems);
  const bool wants_groups = settings.text("clusters") == "groups";
  if (wants_groups != settings.has("groups"))
    problems.push_back({settings.place(wants_groups ? "clusters" : "groups"),
                        wants_groups ? "clusters \"groups\" without \"groups\"" : "\"groups\" that nothing uses",
                        "\"clusters\": \"groups\" together with \"groups\": [...]",
                        R"(for example "groups": [{"box": {...}}, {"region": "ear"}])"});
}

void add_relative(const Settings& settings, BodyAssembly& body) {
  const TorqueElimination elimination = elimination_of(settings);
  const std::vector<Edge> edges = body.edges();
  const Clusters clusters = make_clusters(settings, body, edges);
  body.note(fmt::format("relative, {}, {} cluster{} ({}), torque: {}{}",
                        describe_filter_gain(settings, "relative velocity"), clusters.size(),
                        clusters.size() == 1 ? "" : "s", settings.text("clusters"), to_string(elimination),
                        !is_safe(elimination)                    ? " (UNSAFE: may create energy)"
                        : elimination == TorqueElimination::none ? " (brakes rotation)"
                                                                 : ""));
  body.add(std::make_unique<ClusterDamping>(body.name(), body.first_block(), body.lumped_masses(settings.place()),
                                            clusters, elimination, filter_gain(settings), edges,
                                            settings.integer("iterations")));
}

std::vector<Parameter> relative_parameters() {
  std::vector<Parameter> parameters = filter_gain_parameters("motion relative to that of the cluster");
  parameters.push_back(
      parameter::choice(
          "clusters", {"parts", "body", "elements", "tets", "triangles", "edges", "nearest", "groups"},
          "what is damped together: connected parts (global damping), the whole body even where it is not connected, "
          "its elements (local damping: tets, else triangles, edges or springs), a kind of element, each point with "
          "its nearest neighbors, groups of your own")
          .or_else(R"("parts")"));
  parameters.push_back(
      parameter::integer("neighbors", "k", "with \"nearest\": how many neighbors each point has at rest")
          .at_least(1)
          .at_most(1000)
          .or_else(default_neighbors));
  parameters.push_back(
      parameter::list("groups", parameter::model_type(Category::where), "with \"groups\": the points of each")
          .may_be_absent());
  parameters.push_back(
      parameter::integer("iterations", "k",
                         "passes within a step, each over dt/k (of gamma_per_step each): clusters that overlap then "
                         "take jagged motion away and leave smooth motion")
          .at_least(1)
          .at_most(1000)
          .or_else("1"));
  std::vector<std::string> eliminations;
  for (const TorqueElimination elimination : all_torque_eliminations) eliminations.push_back(to_string(elimination));
  parameters.push_back(
      parameter::choice(
          "torque", eliminations,
          "how rotation is spared: rigid (all but the cluster's rigid motion is damped), center (only motion towards "
          "the center of mass), edges, reduced_mass (motion along edges), none (rotation is braked; the strongest); "
          "the unsafe_ forms, kept to compare, may create energy")
          .or_else(R"("rigid")"));
  return parameters;
}

}  // namespace

namespace models {

void clusters(Registry& registry) {
  registry.add(
      {Category::damping,
       "relative",
       "v \u2190 v \u2212 \u03b3 (v \u2212 v of its cluster as one) with \u03b3 = 1 \u2212 exp(\u2212r dt); keeps "
       "momenta, needs no stiffness, allows larger explicit steps",
       "SchmeddingGisslerTeschner2009",
       relative_parameters(),
       BodyFactory(add_relative),
       "",
       check_relative,
       {R"({"model": "relative", "rate": "3 /s"})", R"({"model": "relative", "gamma_per_step": "10 %"})",
        R"({"model": "relative", "rate": "3 /s", "clusters": "elements"})",
        R"({"model": "relative", "rate": "3 /s", "clusters": "elements", "torque": "center"})",
        R"({"model": "relative", "rate": "3 /s", "clusters": "elements", "torque": "none"})",
        R"({"model": "relative", "rate": "3 /s", "clusters": "elements", "iterations": 4})",
        R"({"model": "relative", "rate": "3 /s", "torque": "reduced_mass"})",
        R"({"model": "relative", "rate": "3 /s", "torque": "edges"})",
        R"({"model": "relative", "rate": "3 /s", "clusters": "nearest", "neighbors": 5})"},
       true});
}

}  // namespace models
}  // namespace dashpot
