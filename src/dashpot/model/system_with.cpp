// System::with: the same System with other values of its parameters.
#include <algorithm>
#include <atomic>
#include <map>

#include "dashpot/model/system.hpp"

namespace dashpot {

void System::make_layout() {
  auto layout = std::make_shared<ParameterLayout>();
  of_inertia_.ranges = layout->add(of_inertia_.place, inertia_->parameters());
  const auto add = [&](const auto& terms, std::vector<TermParameters>& of_term) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      of_term[i].ranges = layout->add(of_term[i].place, terms[i]->parameters());
  };
  add(energies_, of_energy_);
  add(dissipations_, of_dissipation_);
  add(filters_, of_filter_);
  add(loads_, of_load_);
  values_ = layout->nominal();
  layout_ = std::move(layout);
}

std::vector<double> System::TermParameters::gather(const std::vector<double>& values) const {
  std::vector<double> gathered;
  for (const ParameterLayout::Range& range : ranges)
    gathered.insert(gathered.end(), values.begin() + range.first, values.begin() + range.first + range.size);
  return gathered;
}

void System::describe() {
  static std::atomic<std::uint64_t> last_id = 0;
  id_ = ++last_id;
  if (inertia_id_ == 0) inertia_id_ = id_;
  find_companions();
  has_constant_tangent_ =
      inertia_->is_constant() &&
      std::all_of(energies_.begin(), energies_.end(), [](const auto& term) { return term->is_quadratic(); }) &&
      std::all_of(dissipations_.begin(), dissipations_.end(), [](const auto& term) { return term->traits().constant; });
  // Of the sparse part: low-rank parts are solved beside it, and need not be symmetric.
  is_symmetric_ = inertia_->has_symmetric_tangent() &&
                  std::all_of(dissipations_.begin(), dissipations_.end(), [](const auto& term) {
                    return term->traits().symmetric || term->capabilities().has_low_rank_tangent;
                  });
}

/// A damping that is a law at points joins the first energy on the same elements.
void System::find_companions() {
  companions_.assign(energies_.size(), {});
  is_companion_.assign(dissipations_.size(), 0);
  std::map<const ElementBatch*, std::size_t> leader;
  for (std::size_t i = 0; i < energies_.size(); ++i)
    if (const ElementBatch* batch = energies_[i]->capabilities().batch) leader.emplace(batch, i);
  for (std::size_t j = 0; j < dissipations_.size(); ++j) {
    const DissipationCapabilities offers = dissipations_[j]->capabilities();
    const auto found = offers.point_law ? leader.find(offers.batch) : leader.end();
    if (found == leader.end()) continue;
    companions_[found->second].push_back(static_cast<int>(j));
    is_companion_[j] = 1;
  }
}

std::shared_ptr<const System> System::with(const std::vector<double>& values) const {
  const std::vector<double> wanted = values.empty() ? layout_->nominal() : values;
  if (wanted == values_) return shared_from_this();
  layout_->check(wanted);
  auto system = std::make_shared<System>(*this);
  // A term that cannot follow a replaced part goes on using the first System's.
  if (!system->first_system_) system->first_system_ = shared_from_this();
  Replacements replacements;
  system->replace_terms(wanted, replacements);
  system->values_ = wanted;
  system->describe();
  return system;
}

std::shared_ptr<const System> System::with_dissipation(std::size_t j,
                                                       std::shared_ptr<const DissipationTerm> term) const {
  auto system = std::make_shared<System>(*this);
  if (!system->first_system_) system->first_system_ = shared_from_this();
  system->dissipations_[j] = std::move(term);
  system->make_layout();
  system->describe();
  return system;
}

void System::replace_terms(const std::vector<double>& values, Replacements& replacements) {
  const auto replace = [&](auto& terms, const std::vector<TermParameters>& of_term, const auto& replaced) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::vector<double> wanted = of_term[i].gather(values);
      if (replacements.empty() && wanted == of_term[i].gather(values_)) continue;
      auto successor = terms[i]->remade(wanted.data(), replacements);
      if (!successor) continue;
      replaced(*terms[i], *successor);
      terms[i] = std::move(successor);
    }
  };
  if (const std::vector<double> wanted = of_inertia_.gather(values); wanted != of_inertia_.gather(values_))
    if (std::shared_ptr<const Inertia> successor = inertia_->remade(wanted.data(), replacements))
      inertia_ = std::move(successor), inertia_id_ = 0;
  Replacements of_energies = replacements;
  replace(energies_, of_energy_, [&](const EnergyTerm& old, const EnergyTerm& successor) {
    const EnergyCapabilities before = old.capabilities(), after = successor.capabilities();
    of_energies.add(before.stiffness, after.stiffness);
    of_energies.add(before.nominal_stiffness, after.nominal_stiffness);
    of_energies.add(before.laplacian, after.laplacian);
    of_energies.add(before.projective, after.projective);
    of_energies.add(before.stvk, after.stvk);
    of_energies.add(before.moduli, after.moduli);
  });
  replacements = std::move(of_energies);
  for (std::shared_ptr<const KeptPart>& part : kept_parts_)
    if (std::shared_ptr<const KeptPart> successor = part->remade(replacements)) part = std::move(successor);
  const auto nothing = [](const auto&, const auto&) {};
  replace(dissipations_, of_dissipation_, nothing);
  replace(filters_, of_filter_, nothing);
  replace(loads_, of_load_, nothing);
}

}  // namespace dashpot
