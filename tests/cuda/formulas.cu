// Compiles the element formulas for a GPU; nothing is run. What fails here calls something that is not DASHPOT_FORMULA.
#include "dashpot/dissipation/formula/strain_metric.hpp"
#include "dashpot/dissipation/formula/relaxation.hpp"
#include "dashpot/dissipation/formula/step_strain.hpp"
#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/formula/mooney_rivlin.hpp"
#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/math/polar3.hpp"

namespace dashpot {

using Gradient = math::Matrix3<double>;
using Response = formula::PointResponse<double>;

__global__ void elastic(const Gradient* F, Response* out, formula::Lame<double> m, formula::TangentKind kind) {
  const unsigned i = 9 * threadIdx.x;
  formula::linear_response(m, F[i], kind, out[i]);
  formula::stvk_response(m, F[i], kind, out[i + 1]);
  formula::orthotropic_response(formula::OrthotropicStiffness<double>{}, F[i], kind, out[i + 2]);
  formula::stretch_response<formula::Corotational>(m, F[i], kind, out[i + 3]);
  formula::stretch_response<formula::Arap>(m, F[i], kind, out[i + 4]);
  formula::stretch_response<formula::StVenantKirchhoff>(m, F[i], kind, out[i + 5]);
  formula::stretch_response<formula::NeoHookean>(m, F[i], kind, out[i + 6]);
  formula::stretch_response<formula::StableNeoHookean>(m, F[i], kind, out[i + 7]);
  formula::stretch_response<formula::MooneyRivlin>(formula::MooneyRivlinModuli<double>{}, F[i], kind, out[i + 8]);
}

__global__ void viscous(const Gradient* F, const Gradient* Fdot, math::Symmetric3<double>* S, Gradient* strain, double dt) {
  const unsigned i = threadIdx.x;
  const formula::Viscosities<double> m{1.0, 0.5};
  formula::IsotropicRateStiffness<double> D;
  const auto e = formula::green_strain_rate(F[i], Fdot[i]);
  S[i] = formula::isotropic_rate_stress<double>(m, formula::power_factor<double>({0.8, 1.0}, formula::contract(e, e)), e, D);
  strain[i] = formula::step_strain(Fdot[i], dt).strain;
  const formula::Relaxation step = formula::relaxation(dt, 0.1);
  const formula::RateRelaxation rates = formula::rate_relaxation(dt, 0.1);
  S[i].m[0] += step.keep * rates.start + step.take * math::polar3(F[i]).S.m[0];
}

}  // namespace dashpot
