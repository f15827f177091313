// Damping of nodes and of pairs of nodes: point and spring damping.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "dashpot/dissipation/point_damping.hpp"
#include "dashpot/dissipation/spring_damping.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void require_lumped_mass(const char* model, const Settings& settings, const BodyAssembly& body) {
  const auto& masses = body.element_masses();
  if (std::all_of(masses.begin(), masses.end(), [](const auto& mass) { return mass->is_lumped(); })) return;
  throw Error(Problem{settings.place(), fmt::format("{} damping of '{}', whose mass is consistent", model, body.name()),
                      "every node with a mass of its own", "write \"mass\": \"lumped\" in its material"});
}

/// Edges of the mesh and springs between other nodes, each once.
EdgeGraph::Edges graph_edges_of(const BodyAssembly& body) {
  EdgeGraph::Edges edges = unique_edges(body.mesh());
  for (const SpringSpec& group : body.spec().springs)
    for (const std::array<int, 2>& pair : group.between)
      edges.push_back({std::min(pair[0], pair[1]), std::max(pair[0], pair[1])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

void add_point(const Settings& settings, BodyAssembly& body) {
  require_lumped_mass("point", settings, body);
  const double c = settings.number("coefficient");
  body.note(fmt::format("point, {} at every node; brakes fall and spin", describe_quantity(c, Quantity::damper)));
  with_location(settings.place(), [&] {
    body.add(std::make_unique<PointDamping>(body.name(), body.mass_row_sums(), body.first_block(), c));
  });
}

void check_spring(const Settings& settings, std::vector<Problem>& problems) {
  if (settings.has("coefficient") == settings.has("gamma_per_step"))
    problems.push_back(
        {settings.place(),
         settings.has("coefficient") ? "both coefficient and gamma_per_step" : "neither coefficient nor gamma_per_step",
         "\"coefficient\" [kg/s] (a dashpot, independent of dt) or \"gamma_per_step\" (a share, the paper's form)"});
}

void add_spring(const Settings& settings, BodyAssembly& body) {
  require_lumped_mass("spring", settings, body);
  SpringDampingOptions options;
  options.project = settings.flag("project");
  options.iterations = settings.integer("iterations");
  const bool per_step = settings.has("gamma_per_step");
  const double amount = settings.number(per_step ? "gamma_per_step" : "coefficient");
  with_location(settings.place(), [&] {
    EdgeGraph graph(graph_edges_of(body), body.mass_row_sums());
    if (graph.edges().empty())
      throw Error(Problem{"", fmt::format("spring damping of '{}', which has no edges", body.name()),
                          "a mesh with elements, or springs", "use pbd, ether_drag or point"});
    body.note(fmt::format("spring, {} along {} edges{}{}",
                          per_step ? fmt::format("gamma per step {}", describe_quantity(amount, Quantity::ratio))
                                   : describe_quantity(amount, Quantity::damper),
                          graph.edges().size(), options.project ? "" : ", all directions: brakes rotation",
                          options.iterations > 1 ? fmt::format(", {} times a step", options.iterations) : ""));
    body.add(std::make_unique<SpringDamping>(
        per_step
            ? SpringDamping::with_gamma_per_step(body.name(), std::move(graph), body.first_block(), amount, options)
            : SpringDamping::with_coefficient(body.name(), std::move(graph), body.first_block(), amount, options)));
  });
}

}  // namespace

namespace models {

void pairwise(Registry& registry) {
  registry.add(
      {Category::damping,
       "point",
       "v \u2190 (1 \u2212 c dt/m) v at every node: brakes fall and spin, light nodes most; ether_drag is its "
       "twin with one rate for all",
       "SchmeddingGisslerTeschner2009",
       {parameter::real("coefficient", "c", Quantity::damper, "force per velocity of each node; below 2 m_min/dt")
            .at_least(0)},
       BodyFactory(add_point),
       "",
       {},
       {R"({"model": "point", "coefficient": "1 kg/s"})"}});
  registry.add(
      {Category::damping,
       "spring",
       "v \u2190 v \u2212 dt M\u207b\u00b9 \u03a3 c n n\u1d40 (v_i \u2212 v_j) over the edges of the mesh and the "
       "springs, from predicted velocities",
       "SchmeddingGisslerTeschner2009",
       {parameter::real("coefficient", "c", Quantity::damper,
                        "of the dashpot on each edge; below 2/(dt \u03bb_max), told when not")
            .at_least(0)
            .may_be_absent(),
        parameter::real("gamma_per_step", "\u03b3", Quantity::ratio,
                        "c = \u03b3/(dt \u03bb) with a bound \u03bb that lets no motion overshoot; depends on dt")
            .at_least(0)
            .at_most(1)
            .may_be_absent(),
        parameter::boolean("project", "along the edges only: keeps angular momentum; false brakes rotation")
            .or_else("true"),
        parameter::integer("iterations", "k", "how often within each step").at_least(1).or_else("1")},
       BodyFactory(add_spring),
       "",
       check_spring,
       {R"({"model": "spring", "coefficient": "0.1 kg/s"})",
        R"({"model": "spring", "gamma_per_step": "60 %", "iterations": 3})",
        R"({"model": "spring", "gamma_per_step": "50 %", "project": false})"}});
}

}  // namespace models
}  // namespace dashpot
