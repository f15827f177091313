#include "dashpot/dissipation/rayleigh.hpp"

#include <algorithm>
#include <cassert>

#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/linsolve/block_columns.hpp"

namespace dashpot {
namespace {

/// C for this step. Its mass part never changes and is kept apart, so that a lagged C costs one assembly of K.
struct RayleighScratch final : TermScratch {
  BlockMatrix constant;  ///< alpha M, plus beta K when K is the rest stiffness
  BlockMatrix C;
  bool has_constant = false;
};

}  // namespace

Rayleigh::Rayleigh(std::string body, const MassSource* mass, std::vector<double> alpha,
                   const StiffnessSource* stiffness, std::vector<double> beta, StiffnessPart part)
    : body_(std::move(body)),
      mass_(mass),
      alpha_(std::move(alpha)),
      stiffness_(stiffness),
      beta_(std::move(beta)),
      part_(part),
      has_mass_part_(mass && any_positive(alpha_)),
      has_stiffness_part_(stiffness && any_positive(beta_)),
      touched_(
          hull(mass ? mass->mass_blocks() : BlockRange(), stiffness ? stiffness->stiffness_blocks() : BlockRange())) {
  assert(!mass || static_cast<int>(alpha_.size()) == mass->num_elements());
  assert(!stiffness || static_cast<int>(beta_.size()) == stiffness->num_elements());
}

DissipationTraits Rayleigh::traits() const {
  DissipationTraits traits;
  const bool blind = !has_mass_part_ && (!has_stiffness_part_ || part_ == StiffnessPart::gauss_newton);
  traits.objective = blind;
  traits.keeps_linear_momentum = !has_mass_part_;
  traits.keeps_angular_momentum = blind;
  traits.symmetric = true;
  traits.constant = !has_stiffness_part_ || part_ == StiffnessPart::rest;
  return traits;
}

void Rayleigh::bind(const BlockPattern& pattern) { pattern_ = pattern.shared_from_this(); }

std::unique_ptr<TermScratch> Rayleigh::make_scratch() const { return std::make_unique<RayleighScratch>(); }

void Rayleigh::begin_step(const State& state, TermScratch* scratch) const {
  auto& mine = static_cast<RayleighScratch&>(*scratch);
  const bool constant = traits().constant;
  if (!mine.has_constant) {
    mine.constant = BlockMatrix(pattern_, touched_);
    if (has_mass_part_) mass_->add_mass(alpha_, mine.constant);
    if (has_stiffness_part_ && constant) stiffness_->add_stiffness(state.q, part_, beta_, mine.constant);
    mine.C = mine.constant;
    mine.has_constant = true;
  }
  if (constant) return;
  mine.C.copy_values(mine.constant);
  stiffness_->add_stiffness(state.q, part_, beta_, mine.C);
}

double Rayleigh::evaluate(const DissipationRequest& request) const {
  const BlockMatrix& C = static_cast<const RayleighScratch&>(*request.scratch).C;
  if (request.tangent) request.tangent->add_scaled(request.dv_scale, C);
  const DofRange dofs = pattern_->layout().dofs(C.rows());
  const Eigen::Index first = dofs.begin, count = dofs.size();
  if (request.force && request.force_is_zero) {
    C.multiply(request.v, *request.force);
    return request.v.segment(first, count).dot(request.force->segment(first, count));
  }
  Vector force = Vector::Zero(request.v.size());
  C.multiply(request.v, force);
  if (request.force) request.force->segment(first, count) += force.segment(first, count);
  return request.v.segment(first, count).dot(force.segment(first, count));
}

void Rayleigh::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  const BlockMatrix& C = static_cast<const RayleighScratch&>(*scratch).C;
  multiply_columns(C, X, CX);
}

}  // namespace dashpot
