// Where a solid is thinner than the lattice, single points with their tets may hang on the rest by a vertex or an edge.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/hinges.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/shape/solid_mesh.hpp"

namespace dashpot {
namespace {

/// Groups of less than this share of the volume are left out: crumbs at the tips of horns and claws.
constexpr double crumb = 0.01;
/// Meshes up to here are made anew to find out how many tets would do.
constexpr int most_trial_tets = 100000;

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (int e = 0; e < mesh.tets()->size(); ++e) sum += element_measure(mesh, *mesh.tets(), e);
  return sum;
}

/// Number of tets of the first finer mesh without hinges.
std::optional<int> tets_that_do(const SolidMesher& mesher, double spacing, int tets) {
  for (int trial = 0; trial < 8 && tets < most_trial_tets; ++trial) {
    spacing *= 0.92;
    const Mesh mesh = mesher.at(spacing, CutSearch::linear);
    tets = mesh.groups.front().size();
    if (hinged_groups(mesh).empty()) return tets;
  }
  return std::nullopt;
}

/// Leaves crumbs out, unless something hangs on them. Returns how many tets went.
int remove_crumbs(Mesh& mesh, std::vector<HingedGroup>& groups) {
  const double volume = volume_of(mesh);
  std::vector<HingedGroup> crumbs;
  for (const HingedGroup& group : groups)
    if (group.volume < crumb * volume) crumbs.push_back(group);
  if (crumbs.empty()) return 0;
  Mesh rest = without_tets(mesh, crumbs);
  if (num_connected_parts(rest) > num_connected_parts(mesh)) return 0;
  const int before = mesh.tets()->size();
  mesh = std::move(rest);
  groups = hinged_groups(mesh);
  return before - mesh.tets()->size();
}

}  // namespace

void mend_hinges(const Shape& shape, const SolidMesher& mesher, ShapeMesh& result) {
  std::vector<HingedGroup> groups = hinged_groups(result.mesh);
  if (groups.empty()) return;
  const int before = result.mesh.tets()->size(), removed = remove_crumbs(result.mesh, groups);
  const std::optional<int> enough = tets_that_do(mesher, result.spacing, before);
  const std::string more = enough ? fmt::format("use about {} tets", *enough) : std::string("use more tets");
  if (removed > 0)
    result.warnings.push_back({"",
                               fmt::format("{} of {} tets of '{}' hung on the rest by a vertex or an edge only and are "
                                           "left out",
                                           removed, before, shape.name),
                               "", more + " to keep what is there", Problem::Severity::warning});
  if (!groups.empty())
    result.warnings.push_back({"", fmt::format("'{}': {}", shape.name, describe_hinges(result.mesh, groups)), "",
                               more + ", or thicken the body there", Problem::Severity::warning});
}

}  // namespace dashpot
