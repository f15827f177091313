#include "dashpot/energy/formula/spline_law.hpp"

#include <algorithm>
#include <limits>

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
  using Formula = formula::Spline;
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

namespace {

void list_stresses(const Partwise<SplineMaterial::Points>& curves, const std::string& name, ParameterList& list) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < curves.values.size(); ++k) {
    ParameterInfo info{curves.names[k] + name + "/stress", Quantity::pressure, {}, -infinity, infinity, true};
    for (const auto& [stretch, stress] : curves.values[k]) info.values.push_back(stress);
    if (!info.values.empty()) list.push_back(std::move(info));
  }
}

}  // namespace

std::unique_ptr<TetElasticity> make_spline_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const SplineParts& parts) {
  const maker::Combinations found = maker::combinations(
      batch->num_tets(),
      {&parts.young.of_element, &parts.poisson.of_element, &parts.tension.of_element, &parts.compression.of_element});
  std::vector<SplineMaterial> materials;
  for (const int e : found.element)
    materials.push_back(
        SplineMaterial::edited({parts.young.of(e), parts.poisson.of(e)}, parts.tension.of(e), parts.compression.of(e)));
  std::unique_ptr<TetElasticity> energy = make_spline(body, batch, materials, found.of_element);
  ParameterList list =
      parts.young.parameters("young", Quantity::pressure, 0, std::numeric_limits<double>::infinity(), true);
  for (ParameterInfo& info : parts.poisson.parameters("poisson", Quantity::number, -1, 0.5, true))
    list.push_back(std::move(info));
  list_stresses(parts.tension, "tension", list);
  list_stresses(parts.compression, "compression", list);
  energy->set_parameters(std::move(list), [body = std::move(body), batch, parts](const double* values) {
    SplineParts others = parts;
    others.young = parts.young.with(values);
    others.poisson = parts.poisson.with(values);
    for (Partwise<SplineMaterial::Points>* curves : {&others.tension, &others.compression})
      for (SplineMaterial::Points& points : curves->values)
        for (auto& [stretch, stress] : points) stress = *values++;
    return make_spline_parts(body, batch, others);
  });
  return energy;
}

}  // namespace dashpot
