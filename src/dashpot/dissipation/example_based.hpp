#pragma once
// Damping designed by examples [XuBarbic2017]: a body keeps its damping f = C v, except along given deformations x_i,
// where it is multiplied by gains gamma_i:
//
//     f = gamma_iso [ C v + U (Pi - I) U^T v ],   U = C Q,  Q an orthonormal basis of the examples in the norm of C.
//
// Pi is made of the gains by a Coupling (example_coupling.hpp; the default, lowdin, is always passive). Gains may
// depend on how much of an example is present, evaluated at the iterate and never lagged:
//     displacement  gamma_i(|chi_i|), chi = P u;     velocity  gamma_i(|chidot_i|), chidot = P v [1/s]
// with P = (X^T M X)^-1 X^T M and u = q - origin (rest, or the equilibrium under the loads that last), so that chi_i =
// 1 means "one example". gamma_iso(|u|) scales everything.
//
// What is orthogonal to the examples in the inner product of C keeps its damping to round-off. Q, R and U always come
// from the same C as the force (at rest once where C is constant, else at q_n): with a basis from another C the
// damping can create energy (reference ABCE, 1.4). As U = C Q, a base blind to rigid motion stays so.
//
// Corotated: examples turn with the body, x_i -> R_n x_i, and u = R_n^T (q - c) - (origin - c_0), with R_n the
// mass-weighted best rotation at the start of the step; rigid parts are taken out of u and of the examples
// M-orthogonally, as they are for free bodies. A spin during the step enters chi in second order of its angle.
//
// Locally turned: each node's part of an example turns with the material around it, x_i -> diag(R_i) x_i
// (local_rotations.hpp). Where C follows the shape, examples must too: in a bent bar a sideways displacement of rest is
// partly a stretch, which C sees a hundred times stiffer, and the gain would miss the motion it is meant for.
//
// Limits: C must be linear over the step (ViscousOperator). Examples that C does not see (rigid ones), or that depend
// on earlier ones, have no effect (diagnose() names them). All forms are low-rank: nothing dense is made.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/dissipation/example_coupling.hpp"
#include "dashpot/dissipation/example_measure.hpp"
#include "dashpot/dissipation/local_rotations.hpp"
#include "dashpot/math/gain_curve.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

/// What the gains of examples depend on.
enum class GainInput { constant, displacement, velocity };
/// The names users write: "constant", "displacement", "velocity".
std::string to_string(GainInput input);

/// An example as it is asked for.
struct DampingExample {
  std::string name;
  Vector shape;          ///< displacement of all dofs of the System [m], zero outside the body
  math::GainCurve gain;  ///< of |chi| [1] or |chidot| [1/s]
};
/// What a damping keeps of it beside its shape.
struct ExampleGain {
  std::string name;
  math::GainCurve gain;
};

/// gamma_iso as a function of the size of the displacement [m].
struct IsotropicGain {
  enum class Norm {
    mass_rms,   ///< sqrt(u^T M u / m): does not depend on the mesh
    euclidean,  ///< ||u||_2 as in the paper; grows with the number of nodes
  };
  math::GainCurve curve;
  Norm norm = Norm::mass_rms;
};

struct ExampleBasedOptions {
  Coupling coupling = Coupling::lowdin;
  GainInput input = GainInput::constant;
  std::optional<IsotropicGain> isotropic;
  bool corotated = false;
  bool locally_turned = false;
  bool is_free_body = false;  ///< nothing pins the body: its rigid motion is not counted in chi and |u|
  double rank_tolerance = 1e-6;
  /// Positions of all dofs from which displacements are counted; empty: rest. A body that hangs in its equilibrium is
  /// at rest for whoever looks at it: gains of small motions about it are those of small amplitudes only if chi is
  /// counted from there. The damping keeps the part of its body; options() of a bound one holds none.
  Vector origin = {};
};

class ExampleBased final : public DissipationTerm {
 public:
  /// Wraps `base`, which is then not added to the System; `C` is base's own operator. `mass` must outlive this term and
  /// be bound before it. The body owns blocks first_block .. first_block + num_blocks - 1. Throws dashpot::Error with
  /// all problems: wrong sizes, zero examples, NaN, entries outside the body, a curve where gains are constant.
  ExampleBased(std::string body, std::unique_ptr<DissipationTerm> base, const ViscousOperator* C,
               const MassSource& mass, Vector rest, int first_block, int num_blocks,
               std::vector<DampingExample> examples, ExampleBasedOptions options);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "example_based"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.examples = this;
    offers.has_low_rank_tangent = true;
    return offers;
  }
  BlockRange touched_blocks() const override { return {first_block_, first_block_ + num_blocks_}; }
  void couple(PatternBuilder& pattern) const override { base_->couple(pattern); }
  void bind(const BlockPattern& pattern) override;
  int num_internal_variables() const override { return base_->num_internal_variables(); }
  double stored_energy(const Vector& internal_variables) const override {
    return base_->stored_energy(internal_variables);
  }
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;
  std::string refusal_reason(const State& state, double dt) const override { return base_->refusal_reason(state, dt); }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;

  const std::vector<ExampleGain>& examples() const { return examples_; }
  /// Displacement of all dofs of the System [m]; known after bind().
  Vector shape(std::size_t example) const;
  /// From where displacements are counted, as a displacement of all dofs from rest [m]; known after bind().
  Vector origin_displacement() const;
  bool counts_from_rest() const { return counts_from_rest_; }
  /// Of example i "examples/i/gamma", one gain for each knot of its curve, and, where it has several knots,
  /// "examples/i/at", where they are; then the base's own ("over/...").
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  /// Of the gains and knots; not of the base.
  int add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const override;
  /// This damping with other gains, one for each example; the curves may have other knots.
  std::shared_ptr<ExampleBased> with_gains(const std::vector<math::GainCurve>& gains) const;
  const ExampleBasedOptions& options() const { return options_; }
  const DissipationTerm& base() const { return *base_; }

  /// chi at q, or chidot at v where gains depend on velocity, one entry per example; for the step that `scratch` holds.
  Vector amplitudes(const TermScratch* scratch, const Vector& q, const Vector& v) const;
  /// gamma_i for such amplitudes.
  Vector gains(const Vector& amplitudes) const;
  /// Angles, conditioning and dropped examples under C at `state`.
  ExampleDiagnosis diagnose(const State& state) const;
  /// The basis of the step that `scratch` holds (rows of the body only).
  const ExampleBasis& basis(const TermScratch* scratch) const;

 private:
  struct Scratch;
  struct Isotropic {
    double gamma = 1, slope = 0;  ///< gamma_iso and d gamma_iso / d|u| [1/m]
    Vector gradient;              ///< d|u|/dq over the body; empty where the slope is zero
  };
  bool counts_no_rigid_motion() const { return options_.corotated || options_.is_free_body; }
  bool has_constant_basis() const { return base_->traits().constant && !turns(); }
  DofRange body_dofs() const { return {static_cast<int>(begin_), static_cast<int>(begin_ + rows_)}; }
  bool turns() const { return options_.corotated || options_.locally_turned; }
  /// The examples as they stand at q; `rotations` is scratch.
  Matrix turned_examples(const Vector& q, const Mat3& rotation, std::vector<Mat3>& rotations) const;
  /// P^T that belongs to the step.
  const Matrix& P_of(const Scratch& mine) const;
  /// Displacement of the body, in its own frame where corotated, without what is not counted.
  Vector displacement(const Scratch& mine, const Vector& q) const;
  Isotropic isotropic_gain(const Scratch& mine, const Vector& q) const;
  void add_low_rank(const DissipationRequest& request, const Scratch& mine, const Isotropic& iso, const Matrix& Pi,
                    const Vector& w, const Vector& amplitudes, const Vector& force) const;
  /// How much of each example is in a displacement, and how large C is: from the mass and the base.
  void measure(const BlockPattern& pattern);
  /// Sets what the low-rank parts of a step share.
  void share_factors(const Matrix& X, bool measure_turned, Scratch& mine) const;

  std::string body_;
  std::shared_ptr<DissipationTerm> base_;
  const ViscousOperator* C_;
  const MassSource* mass_;
  Vector rest_;    ///< of the body, after bind()
  Vector origin_;  ///< of the body: from where displacements are counted
  bool counts_from_rest_ = true;
  int first_block_, num_blocks_;
  std::vector<ExampleGain> examples_;
  ExampleBasedOptions options_;
  Matrix X_;                           ///< all examples; over the dofs of the body after bind()
  Eigen::Index begin_ = 0, rows_ = 0;  ///< dofs of the body
  DofRange base_dofs_;                 ///< of the base, within
  double norm_C_ = 0;                  ///< estimate of ||C||_2 at rest, the scale of the rank rule
  ExampleMeasure measure_;
  LocalRotations local_;
  Vector P_origin_;  ///< P origin
  std::shared_ptr<const BlockPattern> pattern_;
};

}  // namespace dashpot
