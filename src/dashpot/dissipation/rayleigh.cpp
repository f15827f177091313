#include "dashpot/dissipation/rayleigh.hpp"

#include <algorithm>
#include <numeric>

#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/held_matrix.hpp"

namespace dashpot {
namespace {

/// C for this step. Its mass part never changes and is kept apart, so that a lagged C costs one assembly of K.
struct RayleighScratch final : TermScratch {
  BlockMatrix constant;  ///< alpha M, plus beta K when K is the rest stiffness
  BlockMatrix C;
  bool has_constant = false;
  Vector q;  ///< where a lagged stiffness was taken, on the blocks it touches
};

/// Of each element, the column of its value and what that is multiplied by there.
std::vector<ElementShare> shares_of(const PartwiseValue& value, int num_elements, const std::vector<int>& column_of) {
  std::vector<ElementShare> shares(static_cast<std::size_t>(num_elements));
  for (std::size_t e = 0; e < shares.size(); ++e)
    shares[e] = {column_of[value.of_element.empty() ? 0 : static_cast<std::size_t>(value.of_element[e])],
                 value.factors.empty() ? 1 : value.factors[e]};
  return shares;
}

/// What remade() made of a Rayleigh is one.
const Rayleigh& made_of(const NearDamping& near) { return static_cast<const Rayleigh&>(*near.damping); }

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
  // Gauss-Newton stiffness is blind to rigid motion at the start of the step, where it is made; at a stage, where the
  // body has turned on, no longer.
  traits.objective = traits.keeps_angular_momentum = !has_mass_part_ && !has_stiffness_part_;
  traits.keeps_linear_momentum = !has_mass_part_;
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
  if (stiffness_ && part_ != StiffnessPart::rest) {  // also while beta is zero: its derivative is of this shape
    const DofRange own = pattern_->layout().dofs(mine.C.rows());
    mine.q = state.q.segment(own.begin, own.size());
  }
  if (constant) return;
  mine.C.copy_values(mine.constant);
  stiffness_->add_stiffness(state.q, part_, beta_, mine.C);
}

double Rayleigh::evaluate(const DissipationRequest& request) const {
  const BlockMatrix& C = static_cast<const RayleighScratch&>(*request.scratch).C;
  return evaluate_held(C, *pattern_, request);
}

Vector Rayleigh::held_positions(const TermScratch* scratch, const Vector& elsewhere) const {
  const auto& mine = static_cast<const RayleighScratch&>(*scratch);
  Vector q = elsewhere;
  if (mine.q.size() > 0) q.segment(pattern_->layout().dofs(mine.C.rows()).begin, mine.q.size()) = mine.q;
  return q;
}

int Rayleigh::add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const {
  std::vector<double> of_mass(alpha_.size(), 0.0), of_stiffness(beta_.size(), 0.0);
  if (mass_ && !mass_->add_element_products(weights, request.v, of_mass.data())) return 0;
  if (stiffness_ && !stiffness_->add_element_products(held_positions(request.scratch, request.q), part_, weights,
                                                      request.v, of_stiffness.data()))
    return 0;
  double* next = gradient;
  if (mass_) alpha_of_part_.add_gradient(of_mass, next);
  if (stiffness_) beta_of_part_.add_gradient(of_stiffness, next);
  return static_cast<int>(next - gradient);
}

bool Rayleigh::add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                                    Matrix& columns) const {
  const int num_alphas = mass_ ? static_cast<int>(alpha_of_part_.values.size()) : 0;
  std::vector<int> of_alpha(alpha_of_part_.values.size(), -1), of_beta(beta_of_part_.values.size(), -1);
  bool any_alpha = false, any_beta = false;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const bool is_alpha = which[i] < num_alphas;
    (is_alpha ? any_alpha : any_beta) = true;
    std::vector<int>& column_of = is_alpha ? of_alpha : of_beta;
    column_of[static_cast<std::size_t>(is_alpha ? which[i] : which[i] - num_alphas)] = static_cast<int>(i);
  }
  const Vector& v = request.v;
  // Stiffness first: what it does not offer must leave the columns as they are.
  return (!any_beta || stiffness_->add_element_forces(
                           held_positions(request.scratch, request.q), part_, v,
                           shares_of(beta_of_part_, stiffness_->num_elements(), of_beta).data(), 1, columns)) &&
         (!any_alpha ||
          mass_->add_element_forces(v, shares_of(alpha_of_part_, mass_->num_elements(), of_alpha).data(), 1, columns));
}

void Rayleigh::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  const BlockMatrix& C = static_cast<const RayleighScratch&>(*scratch).C;
  multiply_columns(C, X, CX);
}

bool Rayleigh::has_held_slope() const { return traits().constant || slope_of(stiffness_) != nullptr; }

void Rayleigh::add_held_slope(const TermScratch* scratch, const Vector& v, BlockMatrix& G) const {
  if (traits().constant) return;
  slope_of(stiffness_)->add_stiffness_slope(held_positions(scratch, v), part_, v, beta_, nullptr, G);
}

bool Rayleigh::add_held_product(const TermScratch* scratch, const Vector& v, const Vector& w, Vector& g) const {
  if (traits().constant) return true;
  return slope_of(stiffness_)->add_slope_product(held_positions(scratch, v), part_, v, w, beta_, nullptr, g);
}

Rayleigh::NearParts Rayleigh::parts_of(std::span<const NearDamping> neighbors) const {
  // Columns whose neighbors all share a part with this one have none of it.
  NearParts parts;
  for (auto begin = neighbors.begin(), end = begin; begin != neighbors.end(); begin = end) {
    end = std::find_if(begin, neighbors.end(), [&](const NearDamping& near) { return near.column != begin->column; });
    const auto any = [&](auto differs) { return std::any_of(begin, end, differs); };
    if (any([&](const NearDamping& near) {
          return made_of(near).stiffness_ != stiffness_ || made_of(near).beta_ != beta_;
        }))
      for (auto near = begin; near != end; ++near)
        parts.stiffnesses.push_back({made_of(*near).stiffness_, &made_of(*near).beta_, near->weight, near->column});
    if (any([&](const NearDamping& near) { return made_of(near).mass_ != mass_ || made_of(near).alpha_ != alpha_; }))
      for (auto near = begin; near != end; ++near) parts.masses.push_back(&*near);
  }
  return parts;
}

bool Rayleigh::add_near_forces(const TermScratch* scratch, const Vector& v, std::span<const NearDamping> neighbors,
                               Matrix& columns) const {
  const NearParts parts = parts_of(neighbors);
  if (!parts.stiffnesses.empty()) {
    const StiffnessSlope* slope = slope_of(stiffness_);
    if (slope == nullptr || !slope->add_near_forces(held_positions(scratch, v), part_, v, parts.stiffnesses, columns))
      return false;
  }
  for (const NearDamping* near : parts.masses) {
    std::vector<ElementShare> shares;
    for (const double alpha : made_of(*near).alpha_) shares.push_back({near->column, near->weight * alpha});
    if (!made_of(*near).mass_->add_element_forces(v, shares.data(), 1, columns)) return false;
  }
  return true;
}

bool Rayleigh::add_near_products(const TermScratch* scratch, const Vector& v, const Vector& w,
                                 std::span<const NearDamping> neighbors, int num_columns, double* products) const {
  const NearParts parts = parts_of(neighbors);
  Vector sum = Vector::Zero(num_columns);
  for (const NearDamping* near : parts.masses) {
    const std::vector<double>& alpha = made_of(*near).alpha_;
    std::vector<double> of_element(alpha.size(), 0.0);
    if (!made_of(*near).mass_->add_element_products(w, v, of_element.data())) return false;
    sum[near->column] += near->weight * std::inner_product(alpha.begin(), alpha.end(), of_element.begin(), 0.0);
  }
  if (!parts.stiffnesses.empty()) {
    const StiffnessSlope* slope = slope_of(stiffness_);
    if (slope == nullptr ||
        !slope->add_near_products(held_positions(scratch, v), part_, v, w, parts.stiffnesses, num_columns, sum.data()))
      return false;
  }
  Vector::Map(products, num_columns) += sum;
  return true;
}

}  // namespace dashpot
