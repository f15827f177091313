#pragma once
// Strain-rate damping [SanchezBanderasOtaduy2018]: a potential of the rate of an element's strain,
//     f = dV_d/dv,   V_d = sum_p w Psi_d(e),   e the rate of the Green or of the corotational strain of a tet,
// with the densities of formula/rate_density.hpp (Newtonian, power law) and the metrics of formula/strain_metric.hpp.
// Its power is f . v = sum_p w T:e >= 0. With mu = beta mu_e and lambda = beta lambda_e the Newtonian one is, at rest,
// stiffness-proportional Rayleigh damping beta K of a body with Lame parameters lambda_e and mu_e.
//
// Claims: objective, keeps both momenta. df/dv is symmetric and positive semidefinite. df/dq is exact and not
// symmetric, so that implicit steps need a solver for general matrices; or, as RateTangent::symmetric, the part that
// is, with the negative stresses left out: positive semidefinite, at the cost of more Newton iterations (the solution
// is the same). Nothing is held over a step: it acts at the order of the integrator. Limits: viscosities belong to rest
// coordinates; in the Green strain the force of a bar at stretch s goes with s^2, so what is compressed is damped less;
// in the corotational strain it does not depend on s.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/formula/rate_density.hpp"
#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

enum class StrainMetric { green, corotational };
enum class RateTangent { exact, symmetric };

struct StrainRateOptions {
  StrainMetric metric = StrainMetric::green;
  RateTangent tangent = RateTangent::exact;
  formula::PowerLaw power = {};
};

class StrainRateDamping final : public PointLawDamping {
 public:
  /// Shear viscosity mu and second viscosity lambda [Pa s] of the tets of the mesh: finite, mu >= 0 and
  /// 3 lambda + 2 mu >= 0 (lambda >= 0 with a power law, whose shear viscosity may become small); exponent > 0 and
  /// reference rate > 0. dashpot::Error otherwise.
  StrainRateDamping(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity,
                    PartwiseValue second_viscosity, const StrainRateOptions& options = {});

  std::string model() const override { return "strain_rate"; }
  DissipationTraits traits() const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<TetBatch> batch_;
  PartwiseValue viscosity_, second_viscosity_;
  StrainRateOptions options_;
};

}  // namespace dashpot
