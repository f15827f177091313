#include "dashpot/reduce/projected_terms.hpp"

#include "dashpot/model/inner_request.hpp"

namespace dashpot {
namespace {

struct ViscousScratch final : TermScratch {
  Matrix C;
  TermScratch* of_energy = nullptr;  ///< that of the energy whose stiffness it multiplies
};

/// df/dv of a term at rest, low-rank parts included.
Matrix rest_damping(const Subspace& subspace, const DissipationTerm& term) {
  const System& full = subspace.full();
  const Vector zero = Vector::Zero(subspace.size());
  State state = subspace.full_state(zero, zero, 0);
  const std::unique_ptr<TermScratch> scratch = term.make_scratch();
  term.begin_step(state, scratch.get());
  BlockMatrix C(full.pattern());
  std::vector<LowRank> low_rank;
  const Vector internal_variables = Vector::Zero(term.num_internal_variables());
  DissipationRequest request{state.q, state.v, internal_variables, 0, scratch.get()};
  request.tangent = &C;
  request.dv_scale = 1;
  request.low_rank = &low_rank;
  term.evaluate(request);
  Matrix reduced = subspace.project(C);
  for (const LowRank& part : low_rank) {
    const LowRank small = subspace.project(part);
    reduced += *small.U * small.S * small.V->transpose();
  }
  return reduced;
}

}  // namespace

QuadraticEnergy::QuadraticEnergy(const Subspace& subspace, const EnergyTerm& term)
    : kind_(term.kind()), body_(term.body()) {
  BlockMatrix K(subspace.full().pattern());
  Vector gradient = Vector::Zero(subspace.full().num_dofs());
  EnergyRequest request{subspace.basis().rest};
  request.gradient = &gradient;
  request.hessian = &K;
  value_ = term.evaluate(request);
  gradient_ = subspace.project_force(gradient);
  if (kind_ != EnergyKind::gravity) K_ = subspace.project(K);
}

double QuadraticEnergy::evaluate(const EnergyRequest& request) const {
  double value = value_ + gradient_.dot(request.q);
  if (request.gradient) *request.gradient += gradient_;
  if (K_.size() == 0) return value;
  const Vector Kz = K_ * request.q;
  value += 0.5 * request.q.dot(Kz);
  if (request.gradient) *request.gradient += Kz;
  if (request.hessian) add_dense(K_, request.hessian_scale, *request.hessian);
  return value;
}

double ProjectedEnergy::evaluate(const EnergyRequest& request) const {
  const InnerEnergy inner = evaluate_in_full_coordinates(term_, subspace_->full(), subspace_->lift(request.q), request);
  if (request.gradient) *request.gradient += subspace_->project_force(inner.gradient);
  if (request.hessian) add_dense(subspace_->project(inner.hessian), request.hessian_scale, *request.hessian);
  return inner.value;
}

ReducedViscous::ReducedViscous(const Subspace& subspace, const DissipationTerm& term)
    : body_(term.body()), model_(term.model()), A_(rest_damping(subspace, term)), traits_(term.traits()) {}

ReducedViscous::ReducedViscous(std::string body, std::string model, Matrix A, double beta, StiffnessPart part,
                               const ReducedStvk* energy, DissipationTraits traits)
    : body_(std::move(body)),
      model_(std::move(model)),
      A_(std::move(A)),
      beta_(beta),
      part_(part),
      energy_(energy),
      traits_(traits) {}

void ReducedViscous::set_parameters(ParameterList parameters, Remake remake) {
  parameters_ = std::move(parameters);
  remake_ = std::move(remake);
}

std::unique_ptr<TermScratch> ReducedViscous::make_scratch_beside(std::span<const EnergyScratch> energies) const {
  auto scratch = std::make_unique<ViscousScratch>();
  scratch->C = A_;
  for (const EnergyScratch& energy : energies)
    if (energy_ != nullptr && energy.owner == energy_) scratch->of_energy = energy.scratch;
  return scratch;
}

void ReducedViscous::begin_step(const State& state, TermScratch* scratch) const {
  if (energy_ == nullptr) return;
  ViscousScratch& own = static_cast<ViscousScratch&>(*scratch);
  own.C = A_ + beta_ * energy_->stiffness(state.q, part_, own.of_energy);
}

double ReducedViscous::evaluate(const DissipationRequest& request) const {
  const Matrix& C = static_cast<const ViscousScratch&>(*request.scratch).C;
  const Vector force = C * request.v;
  if (request.force) *request.force += force;
  if (request.tangent) add_dense(C, request.dv_scale, *request.tangent);
  return request.v.dot(force);
}

void ReducedViscous::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  CX = static_cast<const ViscousScratch&>(*scratch).C * X;
}

void SubspaceMass::add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const {
  const int r = M.pattern().block_size();
  Eigen::Map<Matrix>(M.block(0), r, r).diagonal().array() += element_scale.front();
}

DissipationTraits ProjectedDamping::traits() const {
  DissipationTraits traits = term_->traits();
  traits.keeps_linear_momentum = traits.keeps_angular_momentum = false;  // a subspace of a pinned body keeps neither
  return traits;
}

void ProjectedDamping::begin_step(const State& state, TermScratch* scratch) const {
  term_->begin_step(subspace_->full_state(state.q, state.v, state.time), scratch);
}

double ProjectedDamping::evaluate(const DissipationRequest& request) const {
  const InnerDamping inner = evaluate_in_full_coordinates(*term_, subspace_->full(), subspace_->lift(request.q),
                                                          subspace_->lift_rate(request.v), request);
  if (request.force) *request.force += subspace_->project_force(inner.force);
  if (request.tangent) add_dense(subspace_->project(inner.tangent), 1, *request.tangent);
  for (const LowRank& part : inner.low_rank) request.low_rank->push_back(subspace_->project(part));
  return inner.power;
}

std::shared_ptr<DissipationTerm> ProjectedDamping::remade(const double* values,
                                                          const Replacements& replacements) const {
  std::shared_ptr<const DissipationTerm> term = term_->remade(values, replacements);
  return term ? std::make_shared<ProjectedDamping>(subspace_, std::move(term)) : nullptr;
}

std::shared_ptr<VelocityFilter> ProjectedFilter::remade(const double* values, const Replacements& replacements) const {
  std::shared_ptr<const VelocityFilter> filter = filter_->remade(values, replacements);
  return filter ? std::make_shared<ProjectedFilter>(subspace_, std::move(filter)) : nullptr;
}

void ProjectedFilter::apply(const Vector& q, double dt, Vector& v) const {
  Vector rate = subspace_->lift_rate(v);
  filter_->apply(subspace_->lift(q), dt, rate);
  v = subspace_->basis().weighted.transpose() * rate;
}

void ProjectedLoad::add_force(double time, Vector& f) const {
  Vector full = Vector::Zero(subspace_->full().num_dofs());
  load_.add_force(time, full);
  subspace_->add_sparse_force(full, f);
}

}  // namespace dashpot
