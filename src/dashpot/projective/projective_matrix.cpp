// The matrix of the global step: what it is made of, when it has to be made anew, and its factors.
#include "dashpot/projective/projective_solver.hpp"

#include "dashpot/projective/scalar_matrix.hpp"

namespace dashpot {
namespace {

constexpr std::size_t max_kept_factors = 3;  // BDF2 with its start, or Bathe's two stages

}  // namespace

void ProjectiveSolver::prepare(const System& system) {
  if (system_id_ == system.id()) return;
  // A System with other values of its parameters keeps the analysis of factors, and forms that stayed what they are.
  const bool is_new = pattern_ != system.pattern();
  ProjectiveTerms terms = sort_terms(system);
  const bool has_new_forms = is_new || terms.forms != terms_.forms;
  terms_ = std::move(terms);
  system_id_ = system.id();
  pattern_ = system.pattern();
  if (is_new) factors_.clear();
  for (Factor& factor : factors_) {
    factor.is_ok = false;
    factor.step->attach(system);
  }
  const std::size_t slots = static_cast<std::size_t>(pattern_->num_slots());
  if (has_new_forms) {
    laplacian_.assign(slots, 0.0);
    scratch_.clear();
    for (const ProjectiveForm* form : terms_.forms) {
      form->add_laplacian(std::vector<double>(static_cast<std::size_t>(form->num_elements()), 1.0), laplacian_);
      scratch_.push_back(form->make_projection_scratch(options_.precision));
    }
  }
  BlockMatrix M(pattern_);
  const Vector zero = Vector::Zero(system.num_dofs());
  system.inertia().add_tangent(system.rest(), zero, zero, 1, 0, 0, M);
  mass_.assign(slots, 0.0);
  if (!add_if_scalar(M, 1, mass_))
    throw Error(Problem{"projective dynamics", "a mass that is not alike in all directions", "nodal masses", ""});
  held_.clear();
  for (const ProjectiveTerms::Damping& damping : terms_.dampings)
    if (!damping.scalar) held_.push_back({damping, BlockMatrix(pattern_), false});
  add_scalar_dampings();
  contacts_.attach(terms_, system);
  anderson_ = Anderson(options_.window);
}

/// Assembles what dampings hold over the step. A constant one is assembled once.
void ProjectiveSolver::hold_dampings(const StageProblem& problem) {
  for (HeldDamping& held : held_) {
    if (held.is_known || held.role.is_contact) continue;  // friction: contact_bounds.hpp
    assemble_damping_tangent(problem, held.role.index, problem.start.v, held.C);
    held.is_known = problem.system.dissipations()[held.role.index]->traits().constant;
    ++held_revision_;
  }
}

void ProjectiveSolver::add_scalar_dampings() {
  has_rotation_part_ = false;
  damping_.clear();
  for (const ProjectiveTerms::Damping& damping : terms_.dampings) {
    if (!damping.scalar) continue;
    has_rotation_part_ |= damping.scalar->has_rotation_part();
    damping_.resize(laplacian_.size(), 0.0);
    damping.scalar->add_scalar_damping(1, damping_);
  }
}

std::vector<double> ProjectiveSolver::scalar_part(const StageProblem& problem) const {
  std::vector<double> of_slot = laplacian_;
  for (std::size_t s = 0; s < of_slot.size(); ++s) of_slot[s] += problem.a1 * mass_[s];
  for (std::size_t s = 0; s < damping_.size(); ++s) of_slot[s] += problem.v1 * damping_[s];
  contacts_.add_to_diagonal(of_slot);
  return of_slot;
}

void ProjectiveSolver::assemble(const StageProblem& problem, Factor& factor) const {
  factor.of_slot = scalar_part(problem);
  factor.is_scalar = factor.step->can_be_scalar();
  for (const HeldDamping& held : held_)
    if (!held.role.is_contact) factor.is_scalar = factor.is_scalar && add_if_scalar(held.C, problem.v1, factor.of_slot);
  if (factor.is_scalar) return;
  factor.blocks = BlockMatrix(pattern_);
  add_to_blocks(scalar_part(problem), 1, factor.blocks);
  for (const HeldDamping& held : held_)
    if (!held.role.is_contact) factor.blocks.add_scaled(problem.v1, held.C);
}

/// Finds or makes the factor for this stage.
SolveStatus ProjectiveSolver::factorize(const StageProblem& problem, StageOutcome& outcome) {
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    Factor& factor = factors_[i];
    if (factor.is_ok && factor.a1 == problem.a1 && factor.v1 == problem.v1 && factor.held_revision == held_revision_ &&
        factor.bound == contacts_.of_block()) {
      current_ = i;
      return SolveStatus::ok;
    }
  }
  // Reuse the storage and analysis of one that will not come back: of the same stage, or the oldest.
  current_ = factors_.size();
  for (std::size_t i = 0; i < factors_.size(); ++i)
    if (factors_[i].a1 == problem.a1 && factors_[i].v1 == problem.v1) current_ = i;
  if (current_ == factors_.size() && factors_.size() == max_kept_factors) current_ = 0;
  if (current_ == factors_.size()) {
    factors_.emplace_back();
    factors_.back().step = std::make_unique<GlobalStep>(problem.system);
  }
  Factor& factor = factors_[current_];
  factor.a1 = problem.a1;
  factor.v1 = problem.v1;
  factor.held_revision = held_revision_;
  factor.bound = contacts_.of_block();
  assemble(problem, factor);
  ++outcome.factorizations;
  const SolveStatus status =
      factor.is_scalar ? factor.step->factorize(factor.of_slot) : factor.step->factorize(factor.blocks);
  factor.is_ok = status == SolveStatus::ok;
  return status;
}

void ProjectiveSolver::multiply(const Factor& factor, const Vector& x, Vector& y) const {
  y.setZero(x.size());
  if (factor.is_scalar)
    multiply_add(*pattern_, factor.of_slot, 1, x, y);
  else
    factor.blocks.multiply_add(1, x, y);
}

}  // namespace dashpot
