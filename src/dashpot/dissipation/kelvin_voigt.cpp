#include "dashpot/dissipation/kelvin_voigt.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/law_kelvin_voigt.hpp"
#include "dashpot/element/tet_pass.hpp"

namespace dashpot {

KelvinVoigt::KelvinVoigt(std::string body, std::shared_ptr<TetBatch> batch, const std::vector<double>& viscosity,
                         const std::vector<double>& second_viscosity)
    : body_(std::move(body)), batch_(std::move(batch)) {
  const std::string place = fmt::format("kelvin_voigt damping of '{}'", body_);
  for (const std::vector<double>* list : {&viscosity, &second_viscosity})
    if (static_cast<int>(list->size()) != batch_->num_tets())
      throw Error(Problem{place, fmt::format("{} viscosities", list->size()),
                          fmt::format("one for each of the {} tets", batch_->num_tets()), ""});
  std::vector<formula::Viscosities<double>> of_tet;
  for (std::size_t e = 0; e < viscosity.size(); ++e) {
    const double eta = viscosity[e], lambda = second_viscosity[e];
    if (!(std::isfinite(eta) && std::isfinite(lambda) && eta >= 0 && 3 * lambda + 2 * eta >= -1e-12 * eta))
      throw Error(Problem{place, fmt::format("viscosity {} Pa s and second viscosity {} Pa s", eta, lambda),
                          "finite numbers, viscosity >= 0, second viscosity >= -2/3 of it",
                          "a smaller second viscosity would create energy when the volume changes"});
    of_tet.push_back({eta, lambda});
  }
  law_ = std::make_unique<KelvinVoigtLaw>(batch_, of_tet);
}

KelvinVoigt::~KelvinVoigt() = default;

DissipationTraits KelvinVoigt::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.symmetric = false;
  return traits;
}

DissipationCapabilities KelvinVoigt::capabilities() const {
  DissipationCapabilities offers;
  offers.point_law = law_.get();
  offers.batch = batch_.get();
  return offers;
}

void KelvinVoigt::couple(PatternBuilder& pattern) const {
  for (int i = 0; i < batch_->num_tets(); ++i) pattern.add_group(batch_->blocks(i), batch_->nodes_per_tet());
}

double KelvinVoigt::evaluate(const DissipationRequest& request) const { return evaluate_alone(*law_, request); }

}  // namespace dashpot
