#include "dashpot/dissipation/held_damping.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/held_matrix.hpp"

namespace dashpot {
namespace {

struct HeldScratch final : TermScratch {
  BlockMatrix C;
  bool is_made = false;
  std::vector<std::unique_ptr<TermScratch>> of_parts;
};

}  // namespace

HeldDamping::HeldDamping(std::vector<std::shared_ptr<DissipationTerm>> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) throw Error(Problem{"", "no damping to hold", "at least one", ""});
  for (const auto& part : parts_)
    if (!part->traits().linear_in_velocity || part->num_internal_variables() > 0)
      throw Error(Problem{"", fmt::format("{}, which is not linear in the velocity", part->model()),
                          "a damping that is, without memory", "take exponent 1 and no curve, or \"rayleigh\""});
}

DissipationTraits HeldDamping::traits() const {
  DissipationTraits traits = parts_.front()->traits();
  for (const auto& part : parts_) {
    const DissipationTraits of_part = part->traits();
    traits.keeps_linear_momentum = traits.keeps_linear_momentum && of_part.keeps_linear_momentum;
  }
  traits.objective = traits.keeps_angular_momentum = false;  // C belongs to the start of the step
  traits.symmetric = traits.exact_in_place = true;           // df/dq = 0 within the step
  return traits;
}

BlockRange HeldDamping::touched_blocks() const {
  BlockRange all = parts_.front()->touched_blocks();
  for (const auto& part : parts_) all = hull(all, part->touched_blocks());
  return all;
}

void HeldDamping::couple(PatternBuilder& pattern) const {
  for (const auto& part : parts_) part->couple(pattern);
}

void HeldDamping::bind(const BlockPattern& pattern) {
  pattern_ = pattern.shared_from_this();
  for (const auto& part : parts_) part->bind(pattern);
}

std::unique_ptr<TermScratch> HeldDamping::make_scratch_beside(std::span<const EnergyScratch> energies) const {
  auto scratch = std::make_unique<HeldScratch>();
  for (const auto& part : parts_) scratch->of_parts.push_back(part->make_scratch_beside(energies));
  return scratch;
}

void HeldDamping::begin_step(const State& state, TermScratch* scratch) const {
  auto& mine = static_cast<HeldScratch&>(*scratch);
  if (!mine.is_made) {
    mine.C = BlockMatrix(pattern_, touched_blocks());
    mine.is_made = true;
  }
  mine.C.set_zero();
  const Vector none;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    parts_[k]->begin_step(state, mine.of_parts[k].get());
    DissipationRequest request{state.q, state.v, none, 0, mine.of_parts[k].get()};
    request.tangent = &mine.C;
    request.dv_scale = 1;
    parts_[k]->evaluate(request);
  }
}

double HeldDamping::evaluate(const DissipationRequest& request) const {
  return evaluate_held(static_cast<const HeldScratch&>(*request.scratch).C, *pattern_, request);
}

void HeldDamping::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  multiply_columns(static_cast<const HeldScratch&>(*scratch).C, X, CX);
}

ParameterList HeldDamping::parameters() const {
  ParameterList list;
  for (const auto& part : parts_)
    for (ParameterInfo& info : part->parameters()) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> HeldDamping::remade(const double* values, const Replacements& replacements) const {
  std::vector<std::shared_ptr<DissipationTerm>> successors;
  for (const auto& part : parts_) {
    std::shared_ptr<DissipationTerm> successor = part->remade(values, replacements);
    for (const ParameterInfo& info : part->parameters()) values += info.values.size();
    successors.push_back(successor ? std::move(successor) : part);
  }
  auto result = std::make_shared<HeldDamping>(std::move(successors));
  result->bind(*pattern_);
  return result;
}

}  // namespace dashpot
