#pragma once
// Terms of a full System seen from a subspace. Quadratic energies and constant dampings become small matrices once and
// for all; everything else is evaluated on the full body and projected at every call: exact, and as slow as the full
// body is.

#include <functional>
#include <memory>
#include <string>

#include "dashpot/model/viscous_operator.hpp"
#include "dashpot/reduce/reduced_stvk.hpp"
#include "dashpot/reduce/subspace.hpp"

namespace dashpot {

/// Psi(z) = Psi_0 + g . z + z . K z / 2: gravity, linear elasticity.
class QuadraticEnergy final : public EnergyTerm {
 public:
  QuadraticEnergy(const Subspace& subspace, const EnergyTerm& term);
  EnergyKind kind() const override { return kind_; }
  const std::string& body() const override { return body_; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override;
  bool is_quadratic() const override { return true; }

 private:
  EnergyKind kind_;
  std::string body_;
  double value_;
  Vector gradient_;
  Matrix K_;
};

/// Any energy: Psi(X + Phi z).
class ProjectedEnergy final : public EnergyTerm {
 public:
  /// `term` belongs to the full System, which the subspace keeps.
  ProjectedEnergy(std::shared_ptr<const Subspace> subspace, const EnergyTerm& term)
      : subspace_(std::move(subspace)), term_(term) {}
  EnergyKind kind() const override { return term_.kind(); }
  const std::string& body() const override { return term_.body(); }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch() const override { return term_.make_scratch(); }
  const EnergyTerm& scratch_owner() const override { return term_.scratch_owner(); }
  double evaluate(const EnergyRequest& request) const override;

 private:
  std::shared_ptr<const Subspace> subspace_;
  const EnergyTerm& term_;
};

/// Damping with a constant matrix, C~ = Phi^T C Phi; or Rayleigh's C~ = A + beta K~(z_n) with the tangent or
/// Gauss-Newton part of the polynomials, held over a step.
class ReducedViscous final : public DissipationTerm, public ViscousOperator {
 public:
  /// Constant: what `term` does at rest.
  ReducedViscous(const Subspace& subspace, const DissipationTerm& term);
  /// A: the part that does not change [kg/s, in reduced coordinates 1/s]; `energy` must live in the same System.
  ReducedViscous(std::string body, std::string model, Matrix A, double beta, StiffnessPart part,
                 const ReducedStvk* energy, DissipationTraits traits);

  const std::string& body() const override { return body_; }
  std::string model() const override { return model_; }
  DissipationTraits traits() const override { return traits_; }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    return offers;
  }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;
  const Matrix& constant_part() const { return A_; }
  /// Its parameters are those of the full damping; `remake` reduces that damping with other values.
  using Remake = std::function<std::shared_ptr<DissipationTerm>(const double* values)>;
  void set_parameters(ParameterList parameters, Remake remake);
  ParameterList parameters() const override { return parameters_; }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements&) const override {
    return remake_ ? remake_(values) : nullptr;
  }

 private:
  std::string body_, model_;
  Matrix A_;
  double beta_ = 0;
  StiffnessPart part_ = StiffnessPart::rest;
  const ReducedStvk* energy_ = nullptr;  ///< null: C~ = A
  DissipationTraits traits_;
  ParameterList parameters_;
  Remake remake_;
};

/// The identity, as the one element of a reduced body.
class SubspaceMass final : public MassSource {
 public:
  int num_elements() const override { return 1; }
  void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const override;
};

/// Any damping, with its memory.
class ProjectedDamping final : public DissipationTerm {
 public:
  ProjectedDamping(std::shared_ptr<const Subspace> subspace, std::shared_ptr<const DissipationTerm> term)
      : subspace_(std::move(subspace)), term_(std::move(term)) {}
  const std::string& body() const override { return term_->body(); }
  std::string model() const override { return term_->model(); }
  DissipationTraits traits() const override;
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  int num_internal_variables() const override { return term_->num_internal_variables(); }
  double stored_energy(const Vector& internal_variables) const override {
    return term_->stored_energy(internal_variables);
  }
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override {
    return term_->make_scratch_beside(energies);
  }
  ParameterList parameters() const override { return term_->parameters(); }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  std::string refusal_reason(const State& state, double dt) const override {
    return term_->refusal_reason(subspace_->full_state(state.q, state.v, state.time), dt);
  }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;

 private:
  std::shared_ptr<const Subspace> subspace_;
  std::shared_ptr<const DissipationTerm> term_;
};

/// v~ <- Phi^T M v', where v' is what the filter makes of Phi v~.
class ProjectedFilter final : public VelocityFilter {
 public:
  ProjectedFilter(std::shared_ptr<const Subspace> subspace, std::shared_ptr<const VelocityFilter> filter)
      : subspace_(std::move(subspace)), filter_(std::move(filter)) {}
  const std::string& body() const override { return filter_->body(); }
  std::string model() const override { return filter_->model(); }
  DissipationTraits traits() const override { return filter_->traits(); }
  void apply(const Vector& q, double dt, Vector& v) const override;
  std::string refusal_reason(double dt) const override { return filter_->refusal_reason(dt); }
  ParameterList parameters() const override { return filter_->parameters(); }
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<const Subspace> subspace_;
  std::shared_ptr<const VelocityFilter> filter_;
};

/// Phi^T f(t).
class ProjectedLoad final : public ExternalLoad {
 public:
  ProjectedLoad(std::shared_ptr<const Subspace> subspace, const ExternalLoad& load)
      : subspace_(std::move(subspace)), load_(load) {}
  void add_force(double time, Vector& f) const override;

 private:
  std::shared_ptr<const Subspace> subspace_;
  const ExternalLoad& load_;
};

}  // namespace dashpot
