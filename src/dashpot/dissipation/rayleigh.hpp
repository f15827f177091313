#pragma once
// Rayleigh damping, per element: f = C v with C = sum_e ( alpha_e M_e + beta_e K_e ), held over a step.
//   alpha [1/s], beta [s]. On a linear body mode i has zeta_i = alpha/(2 omega_i) + beta omega_i / 2.
//
// Which K (StiffnessPart):
//   rest          constant, exact for linear bodies; damps rigid rotation of the body;
//   tangent       K(q_n) projected to be positive semidefinite; blind to rotation only where there is no stress;
//   gauss_newton  K(q_n) without its geometric (stress) part: positive semidefinite and objective.
// Lagged parts are evaluated at the start of the step, so C is constant in Newton's iterations, symmetric, and v^T C v
// >= 0 holds exactly (reference D, section 2; ABCE, section 4.4). Mass-proportional damping acts on rigid motion too:
// alpha > 0 gives up momentum, as the traits say.

#include <memory>
#include <vector>

#include "dashpot/model/proportional_damping.hpp"
#include "dashpot/model/stiffness_slope.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

class Rayleigh final : public DissipationTerm, public ViscousOperator, public ProportionalDamping {
 public:
  /// alpha and beta are of the elements of mass and stiffness. Sources must outlive this term (both live in the same
  /// System) and be bound to the same pattern.
  Rayleigh(std::string body, const MassSource* mass, PartwiseValue alpha, const StiffnessSource* stiffness,
           PartwiseValue beta, StiffnessPart part);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "rayleigh"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    offers.proportional = this;
    return offers;
  }
  BlockRange touched_blocks() const override { return touched_; }
  void couple(PatternBuilder&) const override {}  // couples what its mass and stiffness couple
  void bind(const BlockPattern& pattern) override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;
  bool has_held_slope() const override;
  void add_held_slope(const TermScratch* scratch, const Vector& v, BlockMatrix& G) const override;
  bool add_near_forces(const TermScratch* scratch, const Vector& v, std::span<const NearDamping> neighbors,
                       Matrix& columns) const override;
  bool add_held_product(const TermScratch* scratch, const Vector& v, const Vector& w, Vector& g) const override;
  bool add_near_products(const TermScratch* scratch, const Vector& v, const Vector& w,
                         std::span<const NearDamping> neighbors, int num_columns, double* products) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  int add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const override;
  bool add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                            Matrix& columns) const override;

  /// Coefficients per element [1/s], [s], and which K they multiply.
  const std::vector<double>& alpha() const override { return alpha_; }
  const std::vector<double>& beta() const override { return beta_; }
  StiffnessPart part() const override { return part_; }

 private:
  /// Where K is taken: at the start of the step, but for the rest stiffness, which is the same everywhere.
  Vector held_positions(const TermScratch* scratch, const Vector& elsewhere) const;
  /// Of columns whose neighbors differ in stiffness, and of those that differ in mass, the parts of the difference.
  struct NearParts {
    std::vector<NearStiffness> stiffnesses;
    std::vector<const NearDamping*> masses;
  };
  NearParts parts_of(std::span<const NearDamping> neighbors) const;

  std::string body_;
  const MassSource* mass_;
  PartwiseValue alpha_of_part_;
  std::vector<double> alpha_;
  const StiffnessSource* stiffness_;
  PartwiseValue beta_of_part_;
  std::vector<double> beta_;
  StiffnessPart part_;
  bool has_mass_part_, has_stiffness_part_;
  BlockRange touched_;
  std::shared_ptr<const BlockPattern> pattern_;
};

}  // namespace dashpot
