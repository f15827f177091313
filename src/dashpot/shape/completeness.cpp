#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/shape/body_estimate.hpp"
#include "dashpot/shape/solid_mesh.hpp"

namespace dashpot {
namespace {

// Shares of the body that a mesh must hold, or is warned about. A coarse mesh of a creature with thin limbs holds two
// thirds of its volume and still stands for it; one that ends short of the body does not. A tenth of the volume is what
// any creature of 2000 tets loses by its corners, and is not worth a word.
constexpr double refused_volume = 0.60, refused_extent = 0.80, warned_volume = 0.85, aimed = 0.90;
constexpr double tets_per_cell = 20;  // 12 inside, more where cells are cut

/// What of the body the mesh holds, at least.
struct Share {
  double volume = 1;
  double extent = 1;
  int axis = 0;  ///< of the smallest share of an extent
  double smallest() const { return std::min(volume, extent); }
};

Share held_share(const Mesh& mesh, const BodyEstimate& body) {
  Share share;
  double volume = 0;
  const ElementGroup& tets = mesh.groups.front();
  for (int e = 0; e < tets.size(); ++e) volume += element_measure(mesh, tets, e);
  share.volume = volume / body.volume;
  const Vec3 size = bounding_box(mesh.nodes).size(), wanted = body.high - body.low;
  for (int i = 0; i < 3; ++i)
    if (wanted[i] > 0 && size[i] / wanted[i] < share.extent) {
      share.extent = size[i] / wanted[i];
      share.axis = i;
    }
  return share;
}

/// Two digits are all such an estimate is good for.
double rounded(double count) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(count, 10.0))) - 1);
  return std::ceil(count / unit) * unit;
}

std::string thin_text(const ThinPart& thin, double spacing) {
  return fmt::format("{}, {:.3g} mm at line {}, is thinner than the lattice spacing of {:.3g} mm",
                     thin.count == 1 ? std::string("a part") : fmt::format("the thinnest of {} parts", thin.count),
                     1e3 * thin.thickness, thin.line, 1e3 * spacing);
}

/// Tets that would do: thin parts need three quarters of their thickness as spacing; what corners and curves lose falls
/// with the square of the spacing.
double needed_tets(const ThinPart& thin, const Share& share, const BodyEstimate& body, const ShapeMesh& result) {
  if (thin.count > 0) return rounded(tets_per_cell * body.volume / std::pow(0.75 * thin.thickness, 3));
  return rounded(result.mesh.groups.front().size() * std::pow((1 - share.smallest()) / (1 - aimed), 1.5));
}

std::string remedy(double needed, bool is_thin) {
  const std::string tets = needed > max_shape_elements ? "" : fmt::format("use about {:.0f} tets", needed);
  if (!is_thin) return tets;
  return tets + (tets.empty() ? "" : ", or ") +
         "describe a thin thing as a \"sheet\" (an outline with a thickness), or thicken it";
}

}  // namespace

void check_completeness(const Shape& shape, const SolidMesher& mesher, ShapeMesh& result) {
  const BodyEstimate body = estimate_body(mesher.field(), mesher.bounds(), 0.5 * result.spacing);
  const Share share = body.has_inside ? held_share(result.mesh, body) : Share{};
  const bool is_refused = share.volume < refused_volume || share.extent < refused_extent;
  if (!is_refused && share.volume >= warned_volume) return;
  const ThinPart thin = find_thin_parts(shape, mesher.field(), result.spacing);
  Problem problem{"", fmt::format("the mesh of '{}'", shape.name), "",
                  remedy(needed_tets(thin, share, body, result), thin.count > 0), Problem::Severity::warning};
  problem.found += fmt::format(" holds {:.0f} % of the body's volume", 100 * std::min(share.volume, 1.0));
  if (share.extent < aimed)
    problem.found += fmt::format(" and {:.0f} % of its extent along {}", 100 * share.extent, "xyz"[share.axis]);
  problem.found += thin.count > 0 ? "; " + thin_text(thin, result.spacing)
                                  : fmt::format("; nodes {:.3g} mm apart cut its corners", 1e3 * result.spacing);
  if (is_refused) {
    problem.severity = Problem::Severity::error;
    problem.expected = fmt::format("at least {:.0f} % of the volume and {:.0f} % of each extent", 100 * refused_volume,
                                   100 * refused_extent);
    throw Error(std::move(problem));
  }
  result.warnings.push_back(std::move(problem));
}

}  // namespace dashpot
