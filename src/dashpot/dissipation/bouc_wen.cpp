#include "dashpot/dissipation/bouc_wen.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/bouc_wen_law.hpp"
#include "dashpot/element/point_law.hpp"

namespace dashpot {

BoucWen::BoucWen(std::string model, std::string body, const ModuliSource& source, const BoucWenOptions& options)
    : PointLawDamping(std::move(body), source.shared_batch()),
      model_(std::move(model)),
      source_(&source),
      options_(options) {
  const std::string place = fmt::format("{} damping of '{}'", model_, this->body());
  const Moduli moduli = source.moduli();
  std::vector<Problem> problems;
  const auto require = [&](bool holds, const std::string& found, const char* expected) {
    if (!holds) problems.push_back({place, found, expected, ""});
  };
  require(std::isfinite(options_.share) && options_.share >= 0, fmt::format("share {}", options_.share),
          "a finite number >= 0");
  require(std::isfinite(options_.yield) && options_.yield > 0, fmt::format("yield {}", options_.yield),
          "a finite number > 0");
  require(options_.exponent == 1 || options_.exponent == 2, fmt::format("exponent {}", options_.exponent), "1 or 2");
  require(options_.delta >= 0 && options_.delta <= 1, fmt::format("delta {}", options_.delta), "0 <= delta <= 1");
  if (moduli.kind == Moduli::Kind::line && source.shared_batch()->nodes_per_element() != 2)
    problems.push_back({place, "bends of strands, whose size has no sign", "springs, hinges, triangles or tets",
                        "memory cannot tell which way they were bent; strain_rate can damp them"});
  is_tensor_ = moduli.kind != Moduli::Kind::line && moduli.kind != Moduli::Kind::hinge;
  if (is_tensor_)
    require(options_.exponent == 1 && options_.delta == 1,
            fmt::format("exponent {} and delta {} of tets or triangles", options_.exponent, options_.delta),
            "exponent 1 and delta 1: a strain follows Dahl's model, the one of these that has a form for tensors");
  if (!problems.empty()) throw Error(problems);
  law_ = (is_tensor_ ? make_dahl_law : make_bouc_wen_law)(source.shared_batch(), moduli, options_);
  set_law(std::shared_ptr<const PointLaw>(law_, &law_->point_law()));
}

DissipationTraits BoucWen::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.has_memory = true;
  traits.linear_in_velocity = false;
  traits.symmetric = !(is_tensor_ && options_.has_exact_tangent);
  traits.exact_in_place = !is_tensor_ || options_.has_exact_tangent;
  return traits;
}

DissipationCapabilities BoucWen::capabilities() const {
  DissipationCapabilities offers = PointLawDamping::capabilities();
  offers.oscillation = this;
  return offers;
}

ParameterList BoucWen::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"share", Quantity::ratio, {options_.share}, 0, infinity, false},
          {"yield", Quantity::number, {options_.yield}, 0, infinity, true}};
}

std::shared_ptr<DissipationTerm> BoucWen::remade(const double* values, const Replacements& replacements) const {
  BoucWenOptions others = options_;
  others.share = values[0];
  others.yield = values[1];
  return std::make_shared<BoucWen>(model_, body(), *replacements.of(source_), others);
}

int BoucWen::num_internal_variables() const { return law_->num_internal_variables(); }

double BoucWen::stored_energy(const Vector& internal_variables) const {
  return law_->stored_energy(internal_variables);
}

std::unique_ptr<TermScratch> BoucWen::make_scratch_beside(std::span<const EnergyScratch>) const {
  return law_->make_scratch();
}

void BoucWen::begin_step(const State& state, TermScratch* scratch) const { law_->begin_step(state, *scratch); }

std::complex<double> BoucWen::oscillation_work(const Vector& q, const Vector& u, std::complex<double>,
                                               double amplitude) const {
  return law_->cycle_work(q, u, amplitude);
}

}  // namespace dashpot
