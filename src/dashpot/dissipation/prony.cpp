#include "dashpot/dissipation/prony.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/prony_law.hpp"
#include "dashpot/element/point_law.hpp"

namespace dashpot {

PronySeries::PronySeries(std::string model, std::string body, const ModuliSource& source,
                         std::vector<PronyBranch> branches)
    : PointLawDamping(std::move(body), source.shared_batch()),
      model_(std::move(model)),
      batch_(source.shared_batch()),
      source_(&source),
      branches_(std::move(branches)) {
  make_law(source.moduli());
}

PronySeries::PronySeries(std::string model, std::string body, std::shared_ptr<ElementBatch> batch, Moduli moduli,
                         std::vector<PronyBranch> branches)
    : PointLawDamping(std::move(body), batch),
      model_(std::move(model)),
      batch_(std::move(batch)),
      given_(std::move(moduli)),
      branches_(std::move(branches)) {
  make_law(given_);
}

void PronySeries::make_law(const Moduli& moduli) {
  const std::string place = fmt::format("{} damping of '{}'", model_, body());
  std::vector<Problem> problems;
  if (branches_.empty()) problems.push_back({place, "no branch", "at least one share and relaxation time", ""});
  if (moduli.kind == Moduli::Kind::line && batch_->nodes_per_element() != 2)
    problems.push_back({place, "bends of strands, whose size has no sign",
                        "solids, sheets that bend by angle, or springs",
                        "memory cannot tell which way they were bent; strain_rate can damp them"});
  for (const PronyBranch& branch : branches_) {
    check_elements("shares", branch.share, batch_->num_elements(), place);
    for (const double g : branch.share.values)
      if (!(std::isfinite(g) && g >= 0))
        problems.push_back({place,
                            fmt::format("{} = {} {}", branch.share_name, g, quantity_info(branch.share_quantity).unit),
                            "a finite number >= 0", ""});
    if (!(std::isfinite(branch.tau) && branch.tau > 0))
      problems.push_back({place, fmt::format("{} = {} s", branch.tau_name, branch.tau), "a finite time > 0 s", ""});
  }
  if (!problems.empty()) throw Error(problems);
  law_ = make_prony_law(batch_, moduli, branches_);
  set_law(std::shared_ptr<const PointLaw>(law_, &law_->point_law()));
}

DissipationTraits PronySeries::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  traits.has_memory = true;
  return traits;
}

DissipationCapabilities PronySeries::capabilities() const {
  DissipationCapabilities offers = PointLawDamping::capabilities();
  offers.oscillation = this;
  return offers;
}

ParameterList PronySeries::parameters() const {
  ParameterList list;
  for (const PronyBranch& branch : branches_) {
    for (ParameterInfo& info : branch.share.parameters(branch.share_name, branch.share_quantity))
      list.push_back(std::move(info));
    list.push_back({branch.tau_name, Quantity::time, {branch.tau}, 0, std::numeric_limits<double>::infinity(), true});
  }
  return list;
}

std::shared_ptr<DissipationTerm> PronySeries::remade(const double* values, const Replacements& replacements) const {
  std::vector<PronyBranch> others = branches_;
  for (PronyBranch& branch : others) {
    branch.share = branch.share.with(values);
    branch.tau = *values++;
  }
  if (source_ == nullptr) return std::make_shared<PronySeries>(model_, body(), batch_, given_, std::move(others));
  return std::make_shared<PronySeries>(model_, body(), *replacements.of(source_), std::move(others));
}

int PronySeries::num_internal_variables() const { return law_->num_internal_variables(); }

double PronySeries::stored_energy(const Vector& internal_variables) const {
  return law_->stored_energy(internal_variables);
}

std::unique_ptr<TermScratch> PronySeries::make_scratch_beside(std::span<const EnergyScratch>) const {
  return law_->make_scratch();
}

void PronySeries::begin_step(const State& state, TermScratch* scratch) const { law_->begin_step(state, *scratch); }

std::complex<double> PronySeries::oscillation_work(const Vector& q, const Vector& u, std::complex<double> s,
                                                   double) const {
  const std::vector<double> energies = law_->branch_energies(q, u);
  std::complex<double> work = 0;
  for (std::size_t k = 0; k < energies.size(); ++k) {
    const std::complex<double> s_tau = s * branches_[k].tau;
    work += 2 * energies[k] * s_tau / (1.0 + s_tau);
  }
  return work;
}

std::unique_ptr<PronySeries> make_maxwell(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue modulus,
                                          double tau) {
  // S = 2 G dev(E): Lame parameters -2/3 and 1, times G.
  Moduli deviator{Moduli::Kind::lame, {}, {}};
  for (int e = 0; e < batch->num_tets(); ++e) deviator.of_element.insert(deviator.of_element.end(), {-2.0 / 3, 1.0});
  std::vector<PronyBranch> one{{std::move(modulus), tau, "modulus", "tau", Quantity::pressure}};
  return std::make_unique<PronySeries>("maxwell", std::move(body), std::move(batch), std::move(deviator),
                                       std::move(one));
}

}  // namespace dashpot
