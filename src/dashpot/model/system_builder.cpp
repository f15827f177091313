#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {
namespace {

std::vector<System::DofRange> ranges_of(const std::vector<std::uint8_t>& is_free) {
  std::vector<System::DofRange> ranges;
  for (int i = 0; i < static_cast<int>(is_free.size()); ++i) {
    if (is_free[static_cast<std::size_t>(i)] == 0) continue;
    if (ranges.empty() || ranges.back().end != i) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  }
  return ranges;
}

template <class Term>
std::vector<BlockRange> blocks_of(const std::vector<std::shared_ptr<const Term>>& terms, int num_blocks) {
  std::vector<BlockRange> blocks;
  for (const auto& term : terms) blocks.push_back(term->touched_blocks().clipped(num_blocks));
  return blocks;
}

}  // namespace

SystemBuilder::SystemBuilder(int block_size, Vector rest) : block_size_(block_size), rest_(std::move(rest)) {
  assert(block_size >= 1 && rest_.size() % block_size == 0);
}

/// Resolves the ties and adds the couplings that folding needs; a block that is tied cannot be prescribed as well.
void SystemBuilder::make_ties(PatternBuilder& couplings, System& system) const {
  if (ties_.empty()) return;
  const int num_blocks = static_cast<int>(rest_.size()) / block_size_;
  system.ties_ = Ties(block_size_, num_blocks, ties_);
  std::vector<Problem> problems;
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs())
      if (system.ties_.is_tied(dof / block_size_))
        problems.push_back({"", fmt::format("block {} is tied and prescribed", dof / block_size_), "one of the two",
                            "Take it out of the attachment, or do not pin it"});
  if (!problems.empty()) throw Error(std::move(problems));
  system.ties_.couple(*couplings.build(block_size_, num_blocks), couplings);
}

std::shared_ptr<const System> SystemBuilder::build() {
  assert(inertia_ && kinematics_);
  PatternBuilder couplings;
  inertia_->couple(couplings);
  for (const auto& [term, place] : energies_) term->couple(couplings);
  for (const auto& [term, place] : dissipations_) term->couple(couplings);

  auto system = std::make_shared<System>();
  make_ties(couplings, *system);
  system->pattern_ = couplings.build(block_size_, static_cast<int>(rest_.size()) / block_size_);
  inertia_->bind(*system->pattern_);
  for (const auto& [term, place] : energies_) term->bind(*system->pattern_);
  for (const auto& [term, place] : dissipations_) term->bind(*system->pattern_);

  system->ties_.bind(*system->pattern_);

  system->rest_ = std::move(rest_);
  system->is_free_.assign(static_cast<std::size_t>(system->num_dofs()), 1);
  for (const auto& constraint : constraints_) {
    for (const int dof : constraint->dofs()) system->is_free_[static_cast<std::size_t>(dof)] = 0;
    system->has_moving_constraints_ |= !constraint->is_fixed();
  }
  for (const int block : system->ties_.blocks())
    std::fill_n(system->is_free_.begin() + block * block_size_, block_size_, std::uint8_t{0});
  system->free_ranges_ = ranges_of(system->is_free_);
  system->kept_ = std::move(kept_);
  system->kept_parts_ = std::move(kept_parts_);
  system->inertia_ = std::move(inertia_);
  system->kinematics_ = std::move(kinematics_);
  for (auto& [term, place] : energies_) {
    system->of_energy_.push_back({place.empty() ? term->body() + "/energy" : place});
    system->energies_.push_back(std::move(term));
  }
  for (auto& [term, place] : dissipations_) {
    system->of_dissipation_.push_back({place.empty() ? term->body() + "/" + term->model() : place});
    system->dissipations_.push_back(std::move(term));
  }
  for (auto& [filter, place] : filters_) {
    system->of_filter_.push_back({place.empty() ? filter->body() + "/" + filter->model() : place});
    system->filters_.push_back(std::move(filter));
  }
  for (auto& guard : guards_) system->guards_.push_back(std::move(guard));
  for (auto& load : loads_) system->loads_.push_back(std::move(load));
  for (auto& constraint : constraints_) system->constraints_.push_back(std::move(constraint));

  const int num_blocks = system->pattern_->num_blocks();
  system->energy_layers_ = assign_layers(blocks_of(system->energies_, num_blocks));
  system->dissipation_blocks_ = blocks_of(system->dissipations_, num_blocks);
  system->dissipation_layers_ = assign_layers(system->dissipation_blocks_);
  system->make_layout();
  system->describe();
  return system;
}

}  // namespace dashpot
