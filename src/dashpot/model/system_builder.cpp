#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/model/joined_bodies.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {
namespace {

std::vector<DofRange> ranges_of(const std::vector<std::uint8_t>& is_free) {
  std::vector<DofRange> ranges;
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

SystemBuilder::SystemBuilder(DofLayout layout, Vector rest) : layout_(std::move(layout)), rest_(std::move(rest)) {
  if (rest_.size() != layout_.num_dofs())
    throw Error(Problem{"", fmt::format("{} coordinates at rest", rest_.size()),
                        fmt::format("one per dof of the layout: {}", layout_.num_dofs()), ""});
}

SystemBuilder::SystemBuilder(int block_size, Vector rest)
    : SystemBuilder(DofLayout(block_size, static_cast<int>(rest.size()) / std::max(1, block_size)), Vector(rest)) {}

Place SystemBuilder::append(const DofLayout& layout, const Vector& rest) {
  const Place place{layout_.num_blocks(), layout_.num_dofs()};
  layout_.append(layout);
  rest_.conservativeResize(place.first_dof + rest.size());
  rest_.tail(rest.size()) = rest;
  return place;
}

void SystemBuilder::set_kinematics(std::shared_ptr<const Kinematics> kinematics) {
  if (!kinematics_.empty()) throw Error(Problem{"", "kinematics set after bodies were joined", "set them first", ""});
  num_points_ = kinematics->num_points();
  kinematics_.push_back({std::move(kinematics), 0, 0, 0});
}

int SystemBuilder::join(const Place& place, std::unique_ptr<Inertia> inertia,
                        std::shared_ptr<const Kinematics> kinematics) {
  if (made_kinematics_)
    throw Error(Problem{"", "a body joined after the kinematics of the System were asked for", "all bodies first", ""});
  const int first_point = num_points_;
  num_points_ += kinematics->num_points();
  kinematics_.push_back({std::move(kinematics), place.first_block, place.first_dof, first_point});
  joined_inertias_.push_back(std::move(inertia));
  return first_point;
}

std::shared_ptr<const Kinematics> SystemBuilder::kinematics() {
  if (made_kinematics_) return made_kinematics_;
  assert(!kinematics_.empty());
  made_kinematics_ = kinematics_.size() == 1 && kinematics_.front().first_dof == 0
                         ? kinematics_.front().kinematics
                         : std::make_shared<const JoinedKinematics>(kinematics_);
  return made_kinematics_;
}

/// Points of a tie that are no nodes become the blocks they depend on, with maps.
Tie SystemBuilder::in_blocks(const Tie& tie) {
  const Kinematics& points = *kinematics();
  const auto is_other = [&](int point) { return point < points.num_points() && !points.is_node(point); };
  if (is_other(tie.block))
    throw Error(Problem{"", fmt::format("point {} is tied, which is no node", tie.block), "a node that follows",
                        "attach the other body to this one"});
  if (std::none_of(tie.masters.begin(), tie.masters.end(), is_other)) return tie;
  Tie mapped{tie.block, {}, {}, tie.offset.size() > 0 ? tie.offset : Vector(Vector::Zero(3)), {}};
  const Vector zero = Vector::Zero(layout_.num_dofs());
  for (std::size_t k = 0; k < tie.masters.size() && k < tie.weights.size(); ++k) {
    const int point = tie.masters[k];
    if (!points.is_linear(point))
      throw Error(
          Problem{"",
                  fmt::format("block {} is tied to point {}, which moves with its coordinates in a nonlinear way",
                              tie.block, point),
                  "a point of nodes or of a reduced body", "attach the other body to this one"});
    const PointJacobian J = points.jacobian(zero, point);
    mapped.offset += tie.weights[k] * points.position(zero, point);
    for (std::size_t a = 0; a < J.parts.size(); ++a) {
      mapped.masters.push_back(J.parts[a].block);
      mapped.maps.push_back(tie.weights[k] * J.columns.middleCols(J.column(a), J.parts[a].size));
    }
  }
  return mapped;
}

/// Resolves the ties and adds the couplings that condensing needs; a block that is tied cannot be prescribed as well.
void SystemBuilder::make_ties(PatternBuilder& couplings, System& system) {
  if (ties_.empty()) return;
  std::vector<Tie> ties;
  for (const Tie& tie : ties_) ties.push_back(in_blocks(tie));
  system.ties_ = Ties(layout_, ties);
  std::vector<Problem> problems;
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs())
      if (const int block = layout_.block_of(dof); system.ties_.is_tied(block))
        problems.push_back({"", fmt::format("block {} is tied and prescribed", block), "one of the two",
                            "Take it out of the attachment, or do not pin it"});
  if (!problems.empty()) throw Error(std::move(problems));
  system.ties_.couple(*couplings.build(layout_), couplings);
}

std::shared_ptr<const System> SystemBuilder::build() {
  if (inertia_) joined_inertias_.insert(joined_inertias_.begin(), std::move(inertia_));
  assert(!joined_inertias_.empty() && !kinematics_.empty());
  std::unique_ptr<Inertia> inertia = joined_inertias_.size() == 1
                                         ? std::move(joined_inertias_.front())
                                         : std::make_unique<InertiaSum>(std::move(joined_inertias_));
  PatternBuilder couplings;
  inertia->couple(couplings);
  for (const auto& [term, place] : energies_) term->couple(couplings);
  for (const auto& [term, place] : dissipations_) term->couple(couplings);

  auto system = std::make_shared<System>();
  make_ties(couplings, *system);
  system->pattern_ = couplings.build(layout_);
  inertia->bind(*system->pattern_);
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
    std::fill_n(system->is_free_.begin() + layout_.offset(block), layout_.size(block), std::uint8_t{0});
  system->free_ranges_ = ranges_of(system->is_free_);
  system->kept_ = std::move(kept_);
  system->kept_parts_ = std::move(kept_parts_);
  system->inertia_ = std::move(inertia);
  system->kinematics_ = kinematics();
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
  for (auto& [load, place] : loads_) {
    system->of_load_.push_back({place.empty() ? fmt::format("loads/{}", system->loads_.size()) : place});
    system->loads_.push_back(std::move(load));
  }
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
