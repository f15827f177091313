#include "dashpot/model/system.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

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
std::vector<BlockRange> blocks_of(const std::vector<std::unique_ptr<Term>>& terms, int num_blocks) {
  std::vector<BlockRange> blocks;
  for (const auto& term : terms) blocks.push_back(term->touched_blocks().clipped(num_blocks));
  return blocks;
}

}  // namespace

State System::initial_state(double time) const {
  State state;
  state.q = rest_;
  state.v = Vector::Zero(num_dofs());
  state.a = Vector::Zero(num_dofs());
  state.time = time;
  prescribe(time, &state.q, &state.v, &state.a);
  for (const auto& term : dissipations_) state.memory.push_back(Vector::Zero(term->memory_size()));
  return state;
}

Workspace System::make_workspace() const {
  Workspace workspace;
  for (const auto& term : dissipations_) workspace.dissipation.push_back(term->make_scratch());
  return workspace;
}

void System::begin_step(const State& state, Workspace& workspace) const {
  for (std::size_t j = 0; j < dissipations_.size(); ++j)
    dissipations_[j]->begin_step(state, workspace.dissipation[j].get());
  if (guards_.empty()) return;
  workspace.q_start = state.q;
  workspace.time_start = state.time;
}

const StepGuard* System::refusing_guard(const Workspace& workspace, const Vector& q, double time) const {
  for (const auto& guard : guards_)
    if (!guard->admits({workspace.q_start, workspace.time_start, q, time})) return guard.get();
  return nullptr;
}

std::string System::step_problem(const State& state, double dt) const {
  for (const auto& term : energies_)
    if (std::string problem = term->step_problem(state, dt); !problem.empty()) return problem;
  for (const auto& filter : filters_)
    if (std::string problem = filter->step_problem(dt); !problem.empty()) return problem;
  return {};
}

void System::prescribe(double time, Vector* q, Vector* v, Vector* a) const {
  for (const auto& constraint : constraints_) constraint->prescribe(time, q, v, a);
  if (ties_.empty()) return;
  if (q) ties_.place(*q);
  if (v) ties_.follow(*v);
  if (a) ties_.follow(*a);
}

void System::reduce(Vector& f) const {
  if (!ties_.empty()) ties_.fold(f);
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs()) f[dof] = 0;
}

void System::prescribe_displacement(const Vector& from, const Vector& to, Vector& d) const {
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs()) d[dof] = to[dof] - from[dof];
  if (!ties_.empty()) ties_.follow(d);
}

void System::add_external_force(double time, Vector& f) const {
  for (const auto& load : loads_) load->add_force(time, f);
}

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

/// A damping that is a law at points joins the first energy on the same elements.
void SystemBuilder::find_companions(System& system) const {
  system.companions_.resize(energies_.size());
  system.is_companion_.assign(dissipations_.size(), 0);
  std::map<const TetBatch*, std::size_t> leader;
  for (std::size_t i = 0; i < energies_.size(); ++i)
    if (const TetBatch* batch = energies_[i]->capabilities().batch) leader.emplace(batch, i);
  for (std::size_t j = 0; j < dissipations_.size(); ++j) {
    const DissipationCapabilities offers = dissipations_[j]->capabilities();
    const auto found = offers.point_law ? leader.find(offers.batch) : leader.end();
    if (found == leader.end()) continue;
    system.companions_[found->second].push_back(static_cast<int>(j));
    system.is_companion_[j] = 1;
  }
}

std::shared_ptr<const System> SystemBuilder::build() {
  assert(inertia_ && kinematics_);
  PatternBuilder couplings;
  inertia_->couple(couplings);
  for (const auto& term : energies_) term->couple(couplings);
  for (const auto& term : dissipations_) term->couple(couplings);

  auto system = std::make_shared<System>();
  make_ties(couplings, *system);
  system->pattern_ = couplings.build(block_size_, static_cast<int>(rest_.size()) / block_size_);
  inertia_->bind(*system->pattern_);
  for (const auto& term : energies_) term->bind(*system->pattern_);
  for (const auto& term : dissipations_) term->bind(*system->pattern_);

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
  system->has_constant_tangent_ =
      inertia_->is_constant() &&
      std::all_of(energies_.begin(), energies_.end(), [](const auto& term) { return term->is_quadratic(); }) &&
      std::all_of(dissipations_.begin(), dissipations_.end(), [](const auto& term) { return term->traits().constant; });
  // Of the sparse part: low-rank parts are solved beside it, and need not be symmetric.
  system->is_symmetric_ =
      inertia_->is_constant() && std::all_of(dissipations_.begin(), dissipations_.end(), [](const auto& term) {
        return term->traits().symmetric || term->capabilities().has_low_rank_tangent;
      });

  const int num_blocks = system->pattern_->num_blocks();
  system->energy_layers_ = assign_layers(blocks_of(energies_, num_blocks));
  system->dissipation_blocks_ = blocks_of(dissipations_, num_blocks);
  system->dissipation_layers_ = assign_layers(system->dissipation_blocks_);

  find_companions(*system);

  system->kept_ = std::move(kept_);
  system->inertia_ = std::move(inertia_);
  system->kinematics_ = std::move(kinematics_);
  for (auto& term : energies_) system->energies_.push_back(std::move(term));
  for (auto& term : dissipations_) system->dissipations_.push_back(std::move(term));
  for (auto& filter : filters_) system->filters_.push_back(std::move(filter));
  for (auto& guard : guards_) system->guards_.push_back(std::move(guard));
  for (auto& load : loads_) system->loads_.push_back(std::move(load));
  for (auto& constraint : constraints_) system->constraints_.push_back(std::move(constraint));
  return system;
}

}  // namespace dashpot
