#include "dashpot/shape/solid_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/shape/stuffing.hpp"

namespace dashpot {
namespace {

constexpr double tets_per_cell = 12;

class SolidMesher {
 public:
  SolidMesher(const Shape& shape) : shape_(shape), bounds_(shape.field.bounds(shape.root)) {
    limits_.max_evaluations = 4e9 / std::max(1.0, shape.field.cost(shape.root));
  }

  Mesh at(double a, CutSearch search) const {
    const auto f = [this](const Vec3& x) { return shape_.field.value(shape_.root, x); };
    const Lattice lattice(f, bounds_.low, bounds_.high, a, limits_);
    return stuff(f, lattice, search);
  }
  double count(double a) const { return at(a, CutSearch::linear).groups.front().size(); }

  /// The spacing that gives `wanted` tets. The count falls about as a^-3 in small jumps; bracketed search on log a.
  double spacing_for(double wanted) const {
    const Vec3 size = bounds_.high - bounds_.low;
    double a = 0.5 * size.maxCoeff(), n = 0;
    for (int step = 0; n < 200 && step < 40; ++step) {  // coarse, until the body shows
      n = count(a);
      if (n >= 200 || (n > 0 && n >= wanted)) break;
      a *= n > 20 ? 0.6 : 0.5;
    }
    double low = 0, high = 0, best = a, best_error = 1e300;  // spacings with too many and too few tets
    for (int step = 0; step < 25; ++step) {
      const double error = std::abs(std::log(n / wanted));
      if (error < best_error) {
        best_error = error;
        best = a;
      }
      if (error < 0.005 || (step > 8 && error < 0.02)) break;
      (n > wanted ? low : high) = a;
      double next = a * std::cbrt(std::max(n, 1.0) / wanted);
      if (low > 0 && high > 0 && !(next > std::min(low, high) && next < std::max(low, high)))
        next = std::sqrt(low * high);
      if (next == a) break;
      a = next;
      n = count(a);
    }
    return best;
  }

 private:
  const Shape& shape_;
  FieldBounds bounds_;
  LatticeLimits limits_;
};

}  // namespace

ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options) {
  const SolidMesher mesher(shape);
  ShapeMesh result;
  result.spacing = options.spacing > 0 ? options.spacing : mesher.spacing_for(options.elements);
  result.mesh = mesher.at(result.spacing, CutSearch::exact);
  if (result.mesh.nodes.empty())
    throw Error(Problem{"", fmt::format("no tet of spacing {:.3g} m fits into '{}'", result.spacing, shape.name),
                        "a body that holds at least one lattice point", "use a smaller spacing or a thicker body"});
  return result;
}

}  // namespace dashpot
