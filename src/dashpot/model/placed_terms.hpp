#pragma once
// The terms of a System that is a body of a larger one (placed_system.hpp).

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot {

/// The part and where its coordinates are; brings vectors and matrices there and back.
class PartBlocks {
 public:
  PartBlocks(std::shared_ptr<const System> part, const Place& place) : part_(std::move(part)), place_(place) {}

  const System& part() const { return *part_; }
  BlockRange blocks() const { return {place_.first_block, place_.first_block + part_->pattern()->num_blocks()}; }
  Eigen::VectorBlock<const Vector> own(const Vector& x) const { return x.segment(place_.first_dof, part_->num_dofs()); }
  Eigen::VectorBlock<Vector> own(Vector& x) const { return x.segment(place_.first_dof, part_->num_dofs()); }
  int first_dof() const { return place_.first_dof; }
  State own(const State& whole) const;
  void couple(PatternBuilder& pattern) const;
  /// Slots of the whole, one for each slot of the part.
  std::vector<int> slots(const BlockPattern& whole) const;
  /// whole += scale * A, where A is on the pattern of the part.
  void add(double scale, const BlockMatrix& A, const std::vector<int>& slots, BlockMatrix& whole) const;
  /// The same columns with zeros for the rest of the System.

 private:
  std::shared_ptr<const System> part_;
  Place place_;
};

class PlacedEnergy final : public EnergyTerm {
 public:
  PlacedEnergy(PartBlocks where, std::shared_ptr<const EnergyTerm> term)
      : where_(std::move(where)), term_(std::move(term)) {}
  EnergyKind kind() const override { return term_->kind(); }
  const std::string& body() const override { return term_->body(); }
  BlockRange touched_blocks() const override { return where_.blocks(); }
  void couple(PatternBuilder&) const override {}  // the inertia couples the whole part
  void bind(const BlockPattern& pattern) override { slots_ = where_.slots(pattern); }
  double evaluate(const EnergyRequest& request) const override;
  std::unique_ptr<TermScratch> make_scratch() const override { return term_->make_scratch(); }
  const EnergyTerm& scratch_owner() const override { return term_->scratch_owner(); }
  bool is_quadratic() const override { return term_->is_quadratic(); }
  std::string refusal_reason(const State& state, double dt) const override {
    return term_->refusal_reason(where_.own(state), dt);
  }
  double driven_power(const Vector& q, double time, TermScratch* scratch) const override {
    return term_->driven_power(where_.own(q), time, scratch);
  }

 private:
  PartBlocks where_;
  std::shared_ptr<const EnergyTerm> term_;
  std::vector<int> slots_;
};

class PlacedDamping final : public DissipationTerm {
 public:
  PlacedDamping(PartBlocks where, std::shared_ptr<const DissipationTerm> term)
      : where_(std::move(where)), term_(std::move(term)) {}
  const std::string& body() const override { return term_->body(); }
  std::string model() const override { return term_->model(); }
  LossKind kind() const override { return term_->kind(); }
  DissipationTraits traits() const override { return term_->traits(); }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.has_low_rank_tangent = term_->capabilities().has_low_rank_tangent;
    return offers;
  }
  BlockRange touched_blocks() const override { return where_.blocks(); }
  void couple(PatternBuilder&) const override {}  // the inertia couples the whole part
  void bind(const BlockPattern& pattern) override;
  int num_internal_variables() const override { return term_->num_internal_variables(); }
  double stored_energy(const Vector& internal_variables) const override {
    return term_->stored_energy(internal_variables);
  }
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override {
    return term_->make_scratch_beside(energies);
  }
  std::string refusal_reason(const State& state, double dt) const override {
    return term_->refusal_reason(where_.own(state), dt);
  }
  void begin_step(const State& state, TermScratch* scratch) const override {
    term_->begin_step(where_.own(state), scratch);
  }
  ParameterList parameters() const override { return term_->parameters(); }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  double evaluate(const DissipationRequest& request) const override;

 private:
  PartBlocks where_;
  std::shared_ptr<const DissipationTerm> term_;
  std::vector<int> slots_;
};

class PlacedFilter final : public VelocityFilter {
 public:
  PlacedFilter(PartBlocks where, std::shared_ptr<const VelocityFilter> filter)
      : where_(std::move(where)), filter_(std::move(filter)) {}
  const std::string& body() const override { return filter_->body(); }
  std::string model() const override { return filter_->model(); }
  DissipationTraits traits() const override { return filter_->traits(); }
  void apply(const Vector& q, double dt, Vector& v) const override;
  ParameterList parameters() const override { return filter_->parameters(); }
  std::shared_ptr<VelocityFilter> remade(const double* values, const Replacements& replacements) const override;
  std::string refusal_reason(double dt) const override { return filter_->refusal_reason(dt); }

 private:
  PartBlocks where_;
  std::shared_ptr<const VelocityFilter> filter_;
};

class PlacedGuard final : public StepGuard {
 public:
  PlacedGuard(PartBlocks where, std::shared_ptr<const StepGuard> guard)
      : where_(std::move(where)), guard_(std::move(guard)) {}
  std::string reason() const override { return guard_->reason(); }
  std::unique_ptr<TermScratch> make_scratch() const override { return guard_->make_scratch(); }
  bool admits(const StepTrial& trial) const override;

 private:
  PartBlocks where_;
  std::shared_ptr<const StepGuard> guard_;
};

class PlacedLoad final : public ExternalLoad {
 public:
  PlacedLoad(PartBlocks where, std::shared_ptr<const ExternalLoad> load)
      : where_(std::move(where)), load_(std::move(load)) {}
  void add_force(double time, Vector& f) const override;

 private:
  PartBlocks where_;
  std::shared_ptr<const ExternalLoad> load_;
};

class PlacedConstraint final : public Constraint {
 public:
  PlacedConstraint(PartBlocks where, std::shared_ptr<const Constraint> constraint);
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override;
  bool is_fixed() const override { return constraint_->is_fixed(); }

 private:
  PartBlocks where_;
  std::shared_ptr<const Constraint> constraint_;
  std::vector<int> dofs_;
};

class PlacedInertia final : public Inertia {
 public:
  explicit PlacedInertia(PartBlocks where) : where_(std::move(where)) {}
  void couple(PatternBuilder& pattern) const override { where_.couple(pattern); }
  void bind(const BlockPattern& pattern) override { slots_ = where_.slots(pattern); }
  bool is_constant() const override { return inertia().is_constant(); }
  bool has_symmetric_tangent() const override { return inertia().has_symmetric_tangent(); }
  bool is_diagonal() const override { return inertia().is_diagonal(); }
  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override;
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override;
  double kinetic_energy(const Vector& q, const Vector& v) const override {
    return inertia().kinetic_energy(where_.own(q), where_.own(v));
  }
  LinearAngular momentum(const Vector& q, const Vector& v) const override {
    return inertia().momentum(where_.own(q), where_.own(v));
  }

 private:
  const Inertia& inertia() const { return where_.part().inertia(); }
  PartBlocks where_;
  std::vector<int> slots_;
};

}  // namespace dashpot
