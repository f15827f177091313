#pragma once
// Damping ratios mode by mode, over an optional base damping C:
//     f = (C + M Phi diag(d) Phi^T M) v,   d_i = 2 zeta_i omega_i - phi_i^T C phi_i   [1/s]
// with Phi^T M Phi = I and K phi_i = omega_i^2 M phi_i. On a linear body whose modes C does not couple (Rayleigh), mode
// i then has exactly the ratio zeta_i and the others keep what C gives them. Low-rank: n x k numbers, nothing dense. A
// ratio below what the base gives (d_i < 0) is allowed only while C + ... stays positive semidefinite, checked on the
// span of the modes and refused by name otherwise; a lagged base can get softer, so there no d_i < 0 is allowed.
//
// Limits: modes are those of the rest shape. A body that turns is braked (M Phi Phi^T M sees rigid rotation), as with
// every damping that uses the rest shape. [WilsonPenzien1972]

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

/// One mode: shape normalized to phi^T M phi = 1 [1/sqrt(kg)], over all dofs of the System and zero outside the body
/// (the damping keeps the part of the body).
struct DampedMode {
  Vector shape;
  double omega = 0;  ///< [rad/s]
  double zeta = 0;   ///< asked for
};

class ModalDamping final : public DissipationTerm, public ViscousOperator {
 public:
  /// Wraps `base` (null: none) with its operator C. Throws dashpot::Error for sizes, NaN, omega <= 0, zeta < 0 at once;
  /// bind() throws for modes that are not M-orthonormal and for ratios that would create energy. `rest`: coordinates at
  /// which a lagged base is asked for C.
  ModalDamping(std::string body, std::unique_ptr<DissipationTerm> base, const ViscousOperator* C,
               const MassSource& mass, Vector rest, std::vector<DampedMode> modes);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "modal"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    offers.has_low_rank_tangent = true;
    return offers;
  }
  /// The blocks where modes move, and those of the mass and the base; known after bind().
  BlockRange touched_blocks() const override { return touched_; }
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override {
    return base_ ? base_->make_scratch_beside(energies) : nullptr;
  }
  std::string refusal_reason(const State& state, double dt) const override {
    return base_ ? base_->refusal_reason(state, dt) : std::string();
  }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;

  /// zeta of every mode, then the base's own ("over/..."). Shapes and frequencies stay those it was made with.
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

  /// d_i [1/s], known after bind().
  const Vector& added_rates() const { return rate_; }

 private:
  /// `coupling`: how much of C Phi lies outside M Phi, relative.
  void check_passive(const Matrix& C_modes, double coupling) const;
  /// d from the ratios and the base; throws where they would create energy.
  void set_rates();
  std::string body_;
  std::shared_ptr<DissipationTerm> base_;
  const ViscousOperator* C_;
  const MassSource* mass_;
  Vector rest_;  ///< of the body, after bind()
  std::vector<DampedMode> modes_;
  BlockRange touched_ = BlockRange::all();
  DofRange dofs_;       ///< of touched_
  DofRange base_dofs_;  ///< of the base, within
  std::shared_ptr<const DofLayout> layout_;
  SharedMatrix U_;  ///< M Phi, over dofs_
  Vector rate_;     ///< d
  bool modes_have_no_momentum_ = false;
};

/// zeta_i of Caughey damping C = M sum_j a_j (M^-1 K)^(power_j): zeta = 1/2 sum_j a_j omega^(2 power_j - 1). Powers may
/// be negative. [Caughey1960]
Vector caughey_ratios(const std::vector<double>& coefficients, const std::vector<int>& powers, const Vector& omega);
/// Coefficients a_j for ratios given at as many frequencies as there are powers. Throws dashpot::Error where they do
/// not determine them (equal frequencies, omega <= 0).
std::vector<double> caughey_coefficients(const std::vector<int>& powers, const std::vector<double>& omega,
                                         const std::vector<double>& zeta);
/// Ratios that are `inside` on [low, high] [rad/s] and `outside` elsewhere.
Vector flat_ratios(const Vector& omega, double low, double high, double inside, double outside);

}  // namespace dashpot
