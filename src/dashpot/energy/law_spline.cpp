#include "dashpot/energy/formula/spline_law.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

struct SplineLaw {
  static constexpr const char* name = "spline";
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = formula::SplineParameters<T>;
  static formula::SplineParameters<math::Pack4> pack(const formula::SplineParameters<double> m[4]) {
    return {{m[0].curves[0], m[1].curves[0], m[2].curves[0], m[3].curves[0]}};
  }
  template <class T>
  [[gnu::noinline]] static void respond(const formula::SplineParameters<T>& m, const math::Matrix3<T>& F,
                                        formula::TangentKind kind, formula::PointResponse<T>& out) {
    formula::stretch_response<formula::Spline>(m, F, kind, out);
  }
};

/// Owns the curves that the element parameters point to; a base, so that it is built first.
struct CurveOwner {
  std::vector<formula::SplineCurves> curves;
};

class SplineElasticity final : private CurveOwner, public TetElasticityOf<SplineLaw> {
 public:
  SplineElasticity(std::string body, std::shared_ptr<TetBatch> batch, std::vector<formula::SplineCurves> given,
                   const std::vector<int>& of_element)
      : CurveOwner{std::move(given)}, TetElasticityOf<SplineLaw>(std::move(body), std::move(batch), [&](int e) {
          return formula::SplineParameters<double>{
              {&curves[static_cast<std::size_t>(of_element[static_cast<std::size_t>(e)])]}};
        }) {}
};

}  // namespace

SplineMaterial SplineMaterial::from(const Isotropic& material) {
  return {math::Curve::line(2 * material.mu(), 1), math::Curve(), math::Curve::line(material.lambda(), 1)};
}

SplineMaterial SplineMaterial::edited(const Isotropic& material, Points tension, Points compression) {
  std::vector<Problem> problems;
  for (const auto& [s, stress] : tension)
    if (!(s > 1))
      problems.push_back({"tension", fmt::format("stretch {:.6g}", s), "stretch > 1", "put it under compression"});
  for (const auto& [s, stress] : compression)
    if (!(s > 0 && s < 1))
      problems.push_back({"compression", fmt::format("stretch {:.6g}", s), "0 < stretch < 1", "put it under tension"});
  if (!problems.empty()) throw Error(problems);
  Points points = std::move(compression);
  std::sort(points.begin(), points.end());
  const int rest = static_cast<int>(points.size());
  points.emplace_back(1.0, 0.0);
  std::sort(tension.begin(), tension.end());
  points.insert(points.end(), tension.begin(), tension.end());
  SplineMaterial result = from(material);
  result.stretch = math::Curve::monotone(points, math::Extrapolation::linear, std::pair(rest, 2 * material.mu()));
  return result;
}

std::unique_ptr<TetElasticity> make_spline(std::string body, std::shared_ptr<TetBatch> batch,
                                           const std::vector<SplineMaterial>& materials,
                                           const std::vector<int>& of_element) {
  std::vector<formula::SplineCurves> curves;
  for (const SplineMaterial& m : materials)
    curves.push_back({formula::RestCurve(m.stretch), formula::RestCurve(m.area), formula::RestCurve(m.volume)});
  const std::vector<int> checked = maker::checked_of_element(of_element, batch->num_tets(), materials.size());
  auto energy = std::make_unique<SplineElasticity>(std::move(body), std::move(batch), std::move(curves), checked);
  energy->set_moduli([materials, checked] {
    Moduli moduli{Moduli::Kind::lame, {}, {}};
    for (const int k : checked) {  // H_ii = stretch' + 2 area' + volume', H_ij = area' + volume' at rest
      const SplineMaterial& m = materials[static_cast<std::size_t>(k)];
      const double stretch = m.stretch.derivative(1), area = m.area.derivative(1), volume = m.volume.derivative(1);
      moduli.of_element.insert(moduli.of_element.end(), {area + volume, 0.5 * (stretch + area)});
    }
    return moduli;
  });
  return energy;
}

}  // namespace dashpot
