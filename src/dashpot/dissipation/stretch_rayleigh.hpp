#pragma once
// Rayleigh damping whose coefficients follow the strain, element by element [WangEtAl2020, eq. 4; reference D, section
// 2]: f = C v,
//
//     C = sum_e ( alpha(lambda_e) M_e + beta(lambda_e) K_e ),   lambda_e: the largest stretch of element e,
//     alpha = max(0, alpha_N + sum_k a_k B_k(lambda)),  beta = max(0, beta_N + sum_k b_k B_k(lambda))
//
// with cubic B-splines B_k on [low, high], constant outside, or with radial functions phi(|s - c_k|) of all three
// stretches s in descending order in their place: linear in the weights a_k, b_k where the sum is positive.
// K_e is the stiffness of the known law, semidefinite (projected or Gauss-Newton), so that what is learned of the
// elasticity does not change the damping. C is made at the start of the step and held: constant in Newton's iterations,
// symmetric, and v^T C v >= 0 whatever the weights. Elements without a stretch (springs, point masses) have alpha_N,
// beta_N.
//
// Parameters: "alpha" [1/s], "beta" [s] of the parts of the body; "alpha_curve", "beta_curve": weights, numbers in
// units of the curve's scale. Their forces are told in one pass over the elements.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/math/radial_kernel.hpp"
#include "dashpot/math/uniform_curve.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/tet_batch.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

/// Radial functions of three stretches in descending order (math/radial_kernel.hpp).
struct StretchKernels {
  math::RadialKernel kind = math::RadialKernel::gaussian;
  double width = 0.1;
  std::vector<std::array<double, 3>> centers;
  std::vector<double> weights;  ///< one of each center
};

/// max(0, nominal + scale (sum_k weights_k B_k(s[0]) + sum_k kernels.weights_k phi(|s - c_k|))), s: the stretches of an
/// element in descending order.
struct StretchCoefficient {
  PartwiseValue nominal;                ///< of elements [1/s] or [s], >= 0
  double scale = 1;                     ///< > 0, in the unit of `nominal`
  math::UniformKnots knots{1, 1.3, 0};  ///< as many as there are weights
  std::vector<double> weights;
  StretchKernels kernels = {};

  int num_values() const { return static_cast<int>(nominal.values.size() + weights.size() + kernels.weights.size()); }
  bool any_weight_positive() const;
  /// Of element e; negative sums are not yet cut.
  double sum(int e, const double s[3]) const;
  /// Most columns that one element adds to: its own nominal value, four splines, all kernels.
  int num_shares() const { return (weights.empty() ? 1 : 5) + static_cast<int>(kernels.weights.size()); }
  ElementShare nominal_share(int e, const std::vector<int>& column_of_value) const;
  /// Derivatives by all values of element e at these stretches, to the columns that values have (-1: none).
  void add_shares(int e, const double s[3], const std::vector<int>& column_of_value, ElementShare* shares) const;
  ParameterList parameters(const std::string& name, Quantity quantity) const;
  StretchCoefficient with(const double*& values) const;
};

/// What a StretchRayleigh acts on. Sources must outlive the term; elements of `tets` are the first of both.
struct StretchRayleighSources {
  std::shared_ptr<const TetBatch> tets;
  const MassSource* mass = nullptr;
  const StiffnessSource* stiffness = nullptr;
};

class StretchRayleigh final : public DissipationTerm, public ViscousOperator {
 public:
  /// part: projected_tangent or gauss_newton. Throws Error.
  StretchRayleigh(std::string body, StretchRayleighSources sources, StretchCoefficient alpha, StretchCoefficient beta,
                  StiffnessPart part);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "stretch_rayleigh"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    return offers;
  }
  BlockRange touched_blocks() const override { return touched_; }
  void couple(PatternBuilder&) const override {}  // couples what its mass and stiffness couple
  void bind(const BlockPattern& pattern) override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;
  /// Where alpha does not follow the strain, whose elements' masses tell no slope.
  bool has_held_slope() const override;
  void add_held_slope(const TermScratch* scratch, const Vector& v, BlockMatrix& G) const override;
  bool add_held_product(const TermScratch* scratch, const Vector& v, const Vector& w, Vector& g) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  int add_parameter_gradient(const DissipationRequest& request, const Vector& weights, double* gradient) const override;
  bool add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                            Matrix& columns) const override;

 private:
  std::vector<double> values_at(const StretchCoefficient& coefficient, const std::vector<double>& stretches,
                                int num_elements) const;
  /// Where C was made.
  Vector held_positions(const TermScratch* scratch, const Vector& elsewhere) const;
  /// d(beta)/d(stretches), three numbers of each element.
  std::vector<double> slopes_of_beta(const std::vector<double>& stretches) const;
  std::vector<ElementShare> shares_of(const StretchCoefficient& coefficient, const std::vector<double>& stretches,
                                      int num_elements, const std::vector<int>& column_of_value) const;

  std::string body_;
  StretchRayleighSources sources_;
  StretchCoefficient alpha_, beta_;
  StiffnessPart part_;
  BlockRange touched_;
  std::shared_ptr<const BlockPattern> pattern_;
};

}  // namespace dashpot
