#include "dashpot/dissipation/maxwell.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/law_maxwell.hpp"

namespace dashpot {

Maxwell::Maxwell(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue modulus, double tau)
    : PointLawDamping(std::move(body), batch), batch_(std::move(batch)), modulus_(std::move(modulus)), tau_(tau) {
  const std::string place = fmt::format("maxwell damping of '{}'", this->body());
  check_elements("moduli", modulus_, batch_->num_tets(), place);
  for (const double G : modulus_.values)
    if (!(std::isfinite(G) && G >= 0))
      throw Error(Problem{place, fmt::format("modulus = {} Pa", G), "a finite modulus >= 0", ""});
  if (!(std::isfinite(tau_) && tau_ > 0))
    throw Error(Problem{place, fmt::format("relaxation time = {} s", tau_), "a finite time > 0", ""});
  law_ = std::make_shared<MaxwellLaw>(batch_, modulus_, tau_);
  set_law(law_);
}

DissipationTraits Maxwell::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.has_memory = true;
  return traits;
}

ParameterList Maxwell::parameters() const {
  ParameterList list = modulus_.parameters("modulus", Quantity::pressure);
  list.push_back({"tau", Quantity::time, {tau_}, 0, std::numeric_limits<double>::infinity(), true});
  return list;
}

std::shared_ptr<DissipationTerm> Maxwell::remade(const double* values, const Replacements&) const {
  const PartwiseValue modulus = modulus_.with(values);
  return std::make_shared<Maxwell>(body(), batch_, modulus, *values);
}

int Maxwell::num_internal_variables() const { return law_->num_internal_variables(); }

double Maxwell::stored_energy(const Vector& internal_variables) const {
  return law_->stored_energy(internal_variables);
}

std::unique_ptr<TermScratch> Maxwell::make_scratch_beside(std::span<const EnergyScratch>) const {
  return law_->make_scratch();
}

void Maxwell::begin_step(const State& state, TermScratch* scratch) const { law_->begin_step(state.q, *scratch); }

}  // namespace dashpot
