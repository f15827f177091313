#include "dashpot/dissipation/rayleigh.hpp"

#include <algorithm>

#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/linsolve/block_columns.hpp"

namespace dashpot {
namespace {

/// C for this step. Its mass part never changes and is kept apart, so that a lagged C costs one assembly of K.
struct RayleighScratch final : TermScratch {
  BlockMatrix constant;  ///< alpha M, plus beta K when K is the rest stiffness
  BlockMatrix C;
  bool has_constant = false;
  Vector q;  ///< where a lagged stiffness was taken, on the blocks it touches
};

}  // namespace

Rayleigh::Rayleigh(std::string body, const MassSource* mass, PartwiseValue alpha, const StiffnessSource* stiffness,
                   PartwiseValue beta, StiffnessPart part)
    : body_(std::move(body)),
      mass_(mass),
      alpha_of_part_(std::move(alpha)),
      alpha_(mass ? alpha_of_part_.expanded(mass->num_elements()) : std::vector<double>()),
      stiffness_(stiffness),
      beta_of_part_(std::move(beta)),
      beta_(stiffness ? beta_of_part_.expanded(stiffness->num_elements()) : std::vector<double>()),
      part_(part),
      has_mass_part_(mass && any_positive(alpha_)),
      has_stiffness_part_(stiffness && any_positive(beta_)),
      touched_(
          hull(mass ? mass->mass_blocks() : BlockRange(), stiffness ? stiffness->stiffness_blocks() : BlockRange())) {}

ParameterList Rayleigh::parameters() const {
  ParameterList list;
  if (mass_) list = alpha_of_part_.parameters("alpha", Quantity::rate);
  if (stiffness_)
    for (ParameterInfo& info : beta_of_part_.parameters("beta", Quantity::time)) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> Rayleigh::remade(const double* values, const Replacements& replacements) const {
  const PartwiseValue alpha = mass_ ? alpha_of_part_.with(values) : alpha_of_part_;
  const PartwiseValue beta = stiffness_ ? beta_of_part_.with(values) : beta_of_part_;
  auto successor =
      std::make_shared<Rayleigh>(body_, replacements.of(mass_), alpha, replacements.of(stiffness_), beta, part_);
  successor->bind(*pattern_);
  return successor;
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

std::unique_ptr<TermScratch> Rayleigh::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<RayleighScratch>();
}

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
  const DofRange own = pattern_->layout().dofs(mine.C.rows());
  mine.q = state.q.segment(own.begin, own.size());
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
  Matrix force;
  multiply_columns(C, request.v.segment(first, count), force);
  if (request.force) request.force->segment(first, count) += force.col(0);
  return request.v.segment(first, count).dot(force.col(0));
}

int Rayleigh::add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const {
  std::vector<double> of_mass(alpha_.size(), 0.0), of_stiffness(beta_.size(), 0.0);
  if (mass_ && !mass_->add_element_products(weights, request.v, of_mass.data())) return 0;
  // Where beta is zero nothing was lagged; its derivative is taken at the present shape.
  const auto& mine = static_cast<const RayleighScratch&>(*request.scratch);
  Vector q = request.q;
  if (mine.q.size() > 0) q.segment(pattern_->layout().dofs(mine.C.rows()).begin, mine.q.size()) = mine.q;
  if (stiffness_ && !stiffness_->add_element_products(q, part_, weights, request.v, of_stiffness.data())) return 0;
  double* next = gradient;
  if (mass_) alpha_of_part_.add_gradient(of_mass, next);
  if (stiffness_) beta_of_part_.add_gradient(of_stiffness, next);
  return static_cast<int>(next - gradient);
}

void Rayleigh::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  const BlockMatrix& C = static_cast<const RayleighScratch&>(*scratch).C;
  multiply_columns(C, X, CX);
}

}  // namespace dashpot
