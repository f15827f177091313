#pragma once
// Strain-rate damping [SanchezBanderasOtaduy2018]: a potential of the rate of an element's strain,
//     f = dV_d/dv,   V_d = sum_p w Psi_d(e).
// The strain is the Green or the corotational one of tets (formula/strain_metric.hpp) and of triangles in their plane
// (formula/sheet_metric.hpp), the size of springs and bends (element/line_law.hpp), the angle of hinges
// (element/hinge_law.hpp); densities are those of formula/rate_density.hpp. Its power is f . v = sum_p w T:e >= 0.
// Coefficients are moduli times a time, [Pa s] for tets: beta times the small-strain moduli of an elastic law is, at
// rest, stiffness-proportional Rayleigh damping beta K of it.
//
// Claims: objective, keeps both momenta (but for blended bends of strands, below). df/dv is symmetric and positive
// semidefinite. df/dq is exact and not symmetric, so that implicit steps need a solver for general matrices; or, as
// RateTangent::symmetric, the part that is, with the negative stresses left out: positive semidefinite, at the cost of
// more Newton iterations (the solution is the same; B-jacobian has the figures). Nothing is held over a step: it acts
// at the order of the integrator. Limits: coefficients belong to rest coordinates; in the Green strain the force of a
// bar at stretch s goes with s^2, so what is compressed is damped less; in the corotational strain it does not depend
// on s.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/dissipation/formula/rate_density.hpp"
#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/math/curve.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

enum class StrainMetric { green, corotational };
enum class RateTangent {
  exact,
  symmetric,  ///< df/dq without what is not symmetric, and without negative stresses
  velocity,   ///< without df/dq
};

struct StrainRateOptions {
  StrainMetric metric = StrainMetric::green;  ///< of tets and triangles
  RateTangent tangent = RateTangent::exact;
  formula::PowerLaw power = {};
  /// A factor of the coefficients over the strain rate [1/s], in place of a power law; null: none. Constant outside its
  /// knots; rate times factor must not fall.
  std::shared_ptr<const math::Curve> curve = nullptr;
  /// What draw() drew the curve through: rates [1/s] and factors, which are parameters "curve/factor" then.
  std::vector<std::pair<double, double>> points = {};
  /// Bends of strands smaller than half of this [rad] are damped as vectors, which also resists their turning; 0:
  /// never. At most 0.1: it is not free under rigid rotation.
  double blend = 0;

  /// The monotone curve through these points. Throws Error for rates that do not increase.
  void draw(std::vector<std::pair<double, double>> through);
  bool is_newtonian() const { return curve == nullptr && power.exponent == 1; }
};

/// A coefficient of the model as a user gives it.
struct RateParameter {
  std::string name;
  Quantity quantity = Quantity::viscosity;
  PartwiseValue value;
  double low = 0, high = std::numeric_limits<double>::infinity();
};

/// The coefficients of mesh element e, as Moduli has them but times seconds, from the values of all parameters there
/// and the element's own moduli (null: the damping stands for itself). Throws Error for values that do not go together.
using RateCoefficients = std::function<void(int e, const double* values, const double* moduli, double* coefficients)>;

class StrainRateDamping final : public PointLawDamping {
 public:
  /// `kind` says what elements the batch has and how many coefficients each. `source`: whose moduli are read; null: no
  /// one's. `model`: name in the ledger. dashpot::Error for numbers that are not finite or would create energy.
  StrainRateDamping(std::string model, std::string body, std::shared_ptr<ElementBatch> batch, Moduli::Kind kind,
                    std::vector<RateParameter> parameters, RateCoefficients coefficients,
                    const StrainRateOptions& options, const ModuliSource* source = nullptr);

  std::string model() const override { return model_; }
  DissipationTraits traits() const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  bool is_blended() const { return kind_ == Moduli::Kind::line && options_.blend > 0; }

  std::string model_;
  std::shared_ptr<ElementBatch> batch_;
  Moduli::Kind kind_;
  std::vector<RateParameter> parameters_;
  RateCoefficients coefficients_;
  StrainRateOptions options_;
  const ModuliSource* source_;
};

/// Of tets: shear viscosity mu and second viscosity lambda [Pa s]; finite, mu >= 0 and 3 lambda + 2 mu >= 0 (lambda >=
/// 0 where the shear viscosity depends on the rate and may become small).
std::unique_ptr<StrainRateDamping> make_strain_rate(std::string body, std::shared_ptr<TetBatch> batch,
                                                    PartwiseValue viscosity, PartwiseValue second_viscosity,
                                                    const StrainRateOptions& options = {});

/// In proportion to an energy: beta [s] times its small-strain moduli. `name`: of the parameter.
std::unique_ptr<StrainRateDamping> make_strain_rate_like(std::string body, const ModuliSource& source,
                                                         PartwiseValue beta, const StrainRateOptions& options = {},
                                                         std::string model = "strain_rate", std::string name = "beta");

}  // namespace dashpot
