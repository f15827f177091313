#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/mooney_rivlin.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/mooney_rivlin.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

struct MooneyRivlinLaw {
  static constexpr const char* name = "mooney_rivlin";
  using Formula = formula::MooneyRivlin;
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = formula::MooneyRivlinModuli<T>;
  static formula::MooneyRivlinModuli<math::Pack4> pack(const formula::MooneyRivlinModuli<double> m[4]) {
    return {
        {m[0].c1, m[1].c1, m[2].c1, m[3].c1}, {m[0].c2, m[1].c2, m[2].c2, m[3].c2}, {m[0].c, m[1].c, m[2].c, m[3].c}};
  }
  template <class T>
  [[gnu::noinline]] static void respond(const formula::MooneyRivlinModuli<T>& m, const math::Matrix3<T>& F,
                                        formula::TangentKind kind, formula::PointResponse<T>& out) {
    formula::stretch_response<formula::MooneyRivlin>(m, F, kind, out);
  }
};

using RubberElasticity = maker::WithSource<TetElasticityOf<MooneyRivlinLaw>, LaplacianSource>;

void check(const Isotropic& solid, double share, std::size_t index, std::vector<Problem>& problems) {
  const std::string place = fmt::format("material {}", index);
  if (!(solid.young > 0) || !std::isfinite(solid.young))
    problems.push_back({place, fmt::format("young = {:.6g} Pa", solid.young), "young > 0", ""});
  const bool is_solid = solid.poisson > -1 && solid.poisson < 0.5;
  if (!is_solid) problems.push_back({place, fmt::format("poisson = {:.6g}", solid.poisson), "-1 < poisson < 0.5", ""});
  const double most = is_solid ? std::min(1.0, solid.poisson / (1 - 2 * solid.poisson)) : 1;
  if (!(share >= 0) || !(share <= most))
    problems.push_back(
        {place, fmt::format("second_share = {:.6g}", share),
         fmt::format("0 <= second_share <= {:.4g} = min(1, poisson/(1 - 2 poisson))", std::max(most, 0.0)),
         "raise poisson: rubber has 0.45 and more"});
}

}  // namespace

std::unique_ptr<TetElasticity> make_mooney_rivlin(std::string body, std::shared_ptr<TetBatch> batch,
                                                  const MooneyRivlinParts& parts) {
  const maker::Combinations found = maker::combinations(
      batch->num_tets(), {&parts.young.of_element, &parts.poisson.of_element, &parts.second_share.of_element});
  std::vector<formula::MooneyRivlinModuli<double>> moduli;
  std::vector<Problem> problems;
  for (const int e : found.element) {
    const Isotropic solid{parts.young.of(e), parts.poisson.of(e)};
    const double m = parts.second_share.of(e), mu = solid.mu();
    check(solid, m, moduli.size(), problems);
    moduli.push_back({0.5 * (1 - m) * mu, 0.5 * m * mu, 0.5 * solid.lambda() - m * mu});
  }
  if (!problems.empty()) throw Error(problems);
  const auto of_element = [&](int e) {
    return moduli[static_cast<std::size_t>(found.of_element[static_cast<std::size_t>(e)])];
  };
  std::vector<double> of_laplacian;  // 2 mu, in the order of the batch
  for (int i = 0; i < batch->num_tets(); ++i) {
    const formula::MooneyRivlinModuli<double> m = of_element(batch->original(i));
    of_laplacian.push_back(4 * (m.c1 + m.c2));
  }
  auto energy = std::make_unique<RubberElasticity>(body, batch, of_element, std::move(of_laplacian));
  energy->set_moduli(maker::lame_moduli(parts.young, parts.poisson, batch->num_tets()));
  ParameterList list =
      parts.young.parameters("young", Quantity::pressure, 0, std::numeric_limits<double>::infinity(), true);
  for (ParameterInfo& info : parts.poisson.parameters("poisson", Quantity::number, -1, 0.5, true))
    list.push_back(std::move(info));
  for (ParameterInfo& info : parts.second_share.parameters("second_share", Quantity::number, 0, 1))
    list.push_back(std::move(info));
  energy->set_parameters(std::move(list), [body = std::move(body), batch, parts](const double* values) {
    const PartwiseValue young = parts.young.with(values), poisson = parts.poisson.with(values);
    return make_mooney_rivlin(body, batch, {young, poisson, parts.second_share.with(values)});
  });
  return energy;
}

}  // namespace dashpot
