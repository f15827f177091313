#include "dashpot/dissipation/variational.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/law_variational.hpp"

namespace dashpot {

VariationalDamping::VariationalDamping(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity)
    : PointLawDamping(std::move(body), batch), batch_(std::move(batch)), viscosity_(std::move(viscosity)) {
  const std::string place = fmt::format("variational damping of '{}'", this->body());
  check_elements("viscosities", viscosity_, batch_->num_tets(), place);
  const std::vector<double>& values = viscosity_.values;
  const auto bad =
      std::find_if_not(values.begin(), values.end(), [](double eta) { return std::isfinite(eta) && eta >= 0; });
  if (bad != values.end())
    throw Error(Problem{place, fmt::format("viscosity = {} Pa s", *bad), "a finite viscosity >= 0", ""});
  law_ = std::make_shared<VariationalLaw>(batch_, viscosity_.expanded(batch_->num_tets()));
  set_law(law_);
}

ParameterList VariationalDamping::parameters() const { return viscosity_.parameters("viscosity", Quantity::viscosity); }

std::shared_ptr<DissipationTerm> VariationalDamping::remade(const double* values, const Replacements&) const {
  return std::make_shared<VariationalDamping>(body(), batch_, viscosity_.with(values));
}

DissipationTraits VariationalDamping::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.linear_in_velocity = false;  // it penalizes how far the step's strain has come, not its rate alone
  return traits;
}

std::unique_ptr<TermScratch> VariationalDamping::make_scratch_beside(std::span<const EnergyScratch>) const {
  return law_->make_scratch();
}

void VariationalDamping::begin_step(const State& state, TermScratch* scratch) const {
  law_->begin_step(state.q, *scratch);
}

}  // namespace dashpot
