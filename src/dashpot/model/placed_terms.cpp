#include "dashpot/model/placed_terms.hpp"

#include "dashpot/model/inner_request.hpp"

namespace dashpot {

State PartBlocks::own(const State& whole) const {
  State state;
  state.q = own(whole.q);
  state.v = own(whole.v);
  state.a = own(whole.a);
  state.time = whole.time;
  return state;
}

void PartBlocks::couple(PatternBuilder& pattern) const {
  const BlockPattern& own = *part_->pattern();
  for (int row = 0; row < own.num_blocks(); ++row)
    for (int s = own.diagonal_slot(row) + 1; s < own.row_start()[at(row) + 1]; ++s) {
      const int pair[2] = {place_.first_block + row, place_.first_block + own.column()[at(s)]};
      pattern.add_group(pair, 2);
    }
}

std::vector<int> PartBlocks::slots(const BlockPattern& whole) const {
  const BlockPattern& own = *part_->pattern();
  std::vector<int> slots;
  for (int row = 0; row < own.num_blocks(); ++row)
    for (int s = own.row_start()[at(row)]; s < own.row_start()[at(row) + 1]; ++s)
      slots.push_back(whole.slot(place_.first_block + row, place_.first_block + own.column()[at(s)]));
  return slots;
}

void PartBlocks::add(double scale, const BlockMatrix& A, const std::vector<int>& slots, BlockMatrix& whole) const {
  const BlockPattern& own = A.pattern();
  for (int row = 0; row < own.num_blocks(); ++row)
    for (int s = own.row_start()[at(row)]; s < own.row_start()[at(row) + 1]; ++s)
      whole.view(place_.first_block + row, slots[at(s)]) += scale * A.view(row, s);
}

double PlacedEnergy::evaluate(const EnergyRequest& request) const {
  const InnerEnergy inner = evaluate_in_full_coordinates(*term_, where_.part(), where_.own(request.q), request);
  if (request.gradient) where_.own(*request.gradient) += inner.gradient;
  if (request.hessian) where_.add(request.hessian_scale, inner.hessian, slots_, *request.hessian);
  return inner.value;
}

void PlacedDamping::bind(const BlockPattern& pattern) { slots_ = where_.slots(pattern); }

std::shared_ptr<DissipationTerm> PlacedDamping::remade(const double* values, const Replacements& replacements) const {
  std::shared_ptr<const DissipationTerm> term = term_->remade(values, replacements);
  if (!term) return nullptr;
  auto successor = std::make_shared<PlacedDamping>(*this);
  successor->term_ = std::move(term);
  return successor;
}

double PlacedDamping::evaluate(const DissipationRequest& request) const {
  const InnerDamping inner =
      evaluate_in_full_coordinates(*term_, where_.part(), where_.own(request.q), where_.own(request.v), request);
  if (request.force) where_.own(*request.force) += inner.force;
  if (request.tangent) where_.add(1, inner.tangent, slots_, *request.tangent);
  for (LowRank part : inner.low_rank) {
    part.first_dof += where_.first_dof();
    request.low_rank->push_back(std::move(part));
  }
  return inner.power;
}

std::shared_ptr<VelocityFilter> PlacedFilter::remade(const double* values, const Replacements& replacements) const {
  std::shared_ptr<const VelocityFilter> filter = filter_->remade(values, replacements);
  return filter ? std::make_shared<PlacedFilter>(where_, std::move(filter)) : nullptr;
}

void PlacedFilter::apply(const Vector& q, double dt, Vector& v) const {
  Vector own = where_.own(v);
  filter_->apply(where_.own(q), dt, own);
  where_.own(v) = own;
}

bool PlacedGuard::admits(const StepTrial& trial) const {
  const Vector from = where_.own(trial.q_start), to = where_.own(trial.q);
  return guard_->admits({from, trial.time_start, to, trial.time, trial.scratch});
}

void PlacedLoad::add_force(double time, Vector& f) const {
  Vector own = Vector::Zero(where_.part().num_dofs());
  load_->add_force(time, own);
  where_.own(f) += own;
}

PlacedConstraint::PlacedConstraint(PartBlocks where, std::shared_ptr<const Constraint> constraint)
    : where_(std::move(where)), constraint_(std::move(constraint)), dofs_(constraint_->dofs()) {
  for (int& dof : dofs_) dof += where_.first_dof();
}

void PlacedConstraint::prescribe(double time, Vector* q, Vector* v, Vector* a) const {
  Vector own[3];
  Vector* const all[3] = {q, v, a};
  for (int i = 0; i < 3; ++i)
    if (all[i]) own[i] = where_.own(*all[i]);
  constraint_->prescribe(time, q ? &own[0] : nullptr, v ? &own[1] : nullptr, a ? &own[2] : nullptr);
  for (int i = 0; i < 3; ++i)
    if (all[i]) where_.own(*all[i]) = own[i];
}

void PlacedInertia::add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const {
  Vector own = Vector::Zero(where_.part().num_dofs());
  inertia().add_force(where_.own(q), where_.own(v), where_.own(a), own);
  where_.own(f) += own;
}

void PlacedInertia::add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale,
                                double velocity_scale, double position_scale, BlockMatrix& matrix) const {
  BlockMatrix own(where_.part().pattern());
  inertia().add_tangent(where_.own(q), where_.own(v), where_.own(a), mass_scale, velocity_scale, position_scale, own);
  where_.add(1, own, slots_, matrix);
}

}  // namespace dashpot
