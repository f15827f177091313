#pragma once
// Kelvin-Voigt damping: a viscosity beside the elasticity of every tet, in the rate of the Green strain [reference ABCE
// section 2.1, SanchezBanderasOtaduy2018, eqs. 7-9, 16],
//     Edot = sym(F^T Fdot),   S = 2 eta Edot + lambda_d tr(Edot) I,   f_a = sum_p w F S g_a,
// the gradient in v of the potential R = sum_p w (eta Edot:Edot + lambda_d/2 tr(Edot)^2) [W]; its power is 2 R >= 0.
// With eta = beta mu and lambda_d = beta lambda it is, at rest, stiffness-proportional Rayleigh damping beta K of a
// body with Lame parameters lambda and mu.
//
// Claims: objective, keeps both momenta. df/dv is symmetric and positive semidefinite; df/dq is exact and not
// symmetric: implicit steps need a solver for general matrices. Nothing is held over a step, so it acts at the order of
// the integrator. Limits: viscosities belong to rest coordinates; the force of a bar at stretch s goes with s^2, so
// what is compressed is damped less.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class KelvinVoigt final : public PointLawDamping {
 public:
  /// Shear viscosity eta and second viscosity lambda_d [Pa s] of the tets of the mesh: finite, eta >= 0 and
  /// 3 lambda_d + 2 eta >= 0; dashpot::Error otherwise.
  KelvinVoigt(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity,
              PartwiseValue second_viscosity);

  std::string model() const override { return "kelvin_voigt"; }
  DissipationTraits traits() const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<TetBatch> batch_;
  PartwiseValue viscosity_, second_viscosity_;
};

}  // namespace dashpot
