#include "dashpot/dissipation/strain_rate.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/law_strain_rate.hpp"

namespace dashpot {

StrainRateDamping::StrainRateDamping(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity,
                                     PartwiseValue second_viscosity, const StrainRateOptions& options)
    : PointLawDamping(std::move(body), batch),
      batch_(std::move(batch)),
      viscosity_(std::move(viscosity)),
      second_viscosity_(std::move(second_viscosity)),
      options_(options) {
  const std::string place = fmt::format("strain_rate damping of '{}'", this->body());
  const formula::PowerLaw& power = options_.power;
  if (!(std::isfinite(power.exponent) && power.exponent > 0 && std::isfinite(power.reference_rate) &&
        power.reference_rate > 0))
    throw Error(Problem{place, fmt::format("exponent {} at the rate {} /s", power.exponent, power.reference_rate),
                        "both above 0", "1 is a viscosity that does not depend on the rate"});
  const double least_second = power.exponent == 1 ? -2.0 / 3 : 0;
  for (const PartwiseValue* value : {&viscosity_, &second_viscosity_})
    check_elements("viscosities", *value, batch_->num_tets(), place);
  std::vector<formula::Viscosities<double>> of_tet;
  for (int e = 0; e < batch_->num_tets(); ++e) {
    const double eta = viscosity_.of(e), lambda = second_viscosity_.of(e);
    if (!(std::isfinite(eta) && std::isfinite(lambda) && eta >= 0 && lambda >= (least_second - 1e-12) * eta))
      throw Error(
          Problem{place, fmt::format("viscosity {} Pa s and second viscosity {} Pa s", eta, lambda),
                  fmt::format("finite numbers, viscosity >= 0, second viscosity >= {:.3g} times it", least_second),
                  "a smaller second viscosity would create energy when the volume changes"});
    of_tet.push_back({eta, lambda});
  }
  set_law(std::make_shared<StrainRateLaw>(batch_, of_tet, options_));
}

ParameterList StrainRateDamping::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ParameterList list = viscosity_.parameters("viscosity", Quantity::viscosity);
  for (ParameterInfo& info : second_viscosity_.parameters("second_viscosity", Quantity::viscosity, -infinity, infinity))
    list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> StrainRateDamping::remade(const double* values, const Replacements&) const {
  const PartwiseValue eta = viscosity_.with(values), lambda = second_viscosity_.with(values);
  return std::make_shared<StrainRateDamping>(body(), batch_, eta, lambda, options_);
}

DissipationTraits StrainRateDamping::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.symmetric = options_.tangent == RateTangent::symmetric;
  traits.exact_in_place = options_.tangent == RateTangent::exact;
  traits.linear_in_velocity = options_.power.exponent == 1;
  return traits;
}

}  // namespace dashpot
