#include "dashpot/dissipation/kelvin_voigt.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/law_kelvin_voigt.hpp"

namespace dashpot {

KelvinVoigt::KelvinVoigt(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity,
                         PartwiseValue second_viscosity)
    : PointLawDamping(std::move(body), batch),
      batch_(std::move(batch)),
      viscosity_(std::move(viscosity)),
      second_viscosity_(std::move(second_viscosity)) {
  const std::string place = fmt::format("kelvin_voigt damping of '{}'", this->body());
  for (const PartwiseValue* value : {&viscosity_, &second_viscosity_})
    check_elements("viscosities", *value, batch_->num_tets(), place);
  std::vector<formula::Viscosities<double>> of_tet;
  for (int e = 0; e < batch_->num_tets(); ++e) {
    const double eta = viscosity_.of(e), lambda = second_viscosity_.of(e);
    if (!(std::isfinite(eta) && std::isfinite(lambda) && eta >= 0 && 3 * lambda + 2 * eta >= -1e-12 * eta))
      throw Error(Problem{place, fmt::format("viscosity {} Pa s and second viscosity {} Pa s", eta, lambda),
                          "finite numbers, viscosity >= 0, second viscosity >= -2/3 of it",
                          "a smaller second viscosity would create energy when the volume changes"});
    of_tet.push_back({eta, lambda});
  }
  set_law(std::make_shared<KelvinVoigtLaw>(batch_, of_tet));
}

ParameterList KelvinVoigt::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ParameterList list = viscosity_.parameters("viscosity", Quantity::viscosity);
  for (ParameterInfo& info : second_viscosity_.parameters("second_viscosity", Quantity::viscosity, -infinity, infinity))
    list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> KelvinVoigt::remade(const double* values, const Replacements&) const {
  const PartwiseValue eta = viscosity_.with(values), lambda = second_viscosity_.with(values);
  return std::make_shared<KelvinVoigt>(body(), batch_, eta, lambda);
}

DissipationTraits KelvinVoigt::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.symmetric = false;
  return traits;
}

}  // namespace dashpot
