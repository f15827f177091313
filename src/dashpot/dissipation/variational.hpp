#pragma once
// Variational damping [KharevychEtAl2006]: the elastic energy of the body with the state at the start of the step as
// its rest pose resists the motion of the step. The papers minimize, in a separate step after the elastic one,
//     |x - x_pre|_M^2 / (2 h^2) + c E_n(x),     E_n: elastic energy whose rest pose is x_n.
// Its stationary point is M (v - v_pre)/h + c dE_n/dx = 0 with v = (x - x_n)/h: a backward Euler step of the force
// c dE_n/dx. As dE_n/dx = K_n (x - x_n) + ... = h K_n v + ..., the parameter that does not depend on dt is c h, and the
// force is a dissipative one,
//     f(v) = 1/dt dW/dx (x_n + dt v),   W = sum_e eta V_n |F_n,rel - R|^2,  F_rel = F(x) F(x_n)^-1, R its rotation,
// here with the law ARAP and the viscosity eta [Pa s] (= c h mu for a body of shear modulus mu), dt the time since the
// start of the step at the stage. So it is an ordinary damping term: one solve with the elastic forces, any stepper,
// its loss in the ledger, instead of a filter that would solve a second nonlinear problem. With nothing elastic,
// backward Euler takes exactly the papers' separate step.
//
// For dt -> 0 it is Newtonian viscosity: stress 2 eta d, d the symmetric spatial velocity gradient.
//
// Claims: df/dv is symmetric, df/dq = 0 (x_n is held). Forces sum to zero. Their torque is zero about x_n + dt v, which
// is the stage itself for backward Euler and midpoint: these keep angular momentum to the tolerance of Newton; others,
// and the traits, do not claim it. v = omega x r stretches by |omega dt|^2/2 per step, which is resisted: not
// objective. Where an element turns by theta in a step and shrinks by less than theta^2/2 meanwhile, its power may be
// negative, by at most eta V_n (1 - cos theta)^2 / dt^2, which vanishes as dt^2.
//
// Limits: first order in dt (the rest pose lags), except for backward Euler it is what that scheme makes of viscosity.
// Elements that are collapsed or inverted at x_n have no rest pose: they are not damped in that step.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class VariationalLaw;

class VariationalDamping final : public PointLawDamping {
 public:
  /// viscosity [Pa s] of the tets of the mesh, finite and >= 0; dashpot::Error otherwise.
  VariationalDamping(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue viscosity);

  std::string model() const override { return "variational"; }
  DissipationTraits traits() const override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<TetBatch> batch_;
  PartwiseValue viscosity_;
  std::shared_ptr<const VariationalLaw> law_;
};

}  // namespace dashpot
