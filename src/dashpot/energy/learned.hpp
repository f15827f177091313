#pragma once
// An elastic law to be learned: a known isotropic law and a correction that is linear in its weights (E0: `scale` [Pa],
// so that weights are of the order of one) [WangEtAl2020; reference D, section 2]. Principal stresses p_i at stretches
// s:
//
//     tail      dp_i = E0 ( t0 (s_i - 1) + t1 tr(s - 1) )                          a change of both Lame parameters
//     curves    dp_i = E0 ( f(s_i) + s_j g(s_i s_j) + s_k g(s_i s_k) + s_j s_k h(J) )       [Valanis-Landel]
//     kernels   dpsi = E0 w sum_k weight_k sum_pi phi(|s_pi - c_k|), less its stress at rest
//
// f, g, h are cubic B-splines (math/uniform_curve.hpp), zero at 1. Every part is the gradient of an energy, the same
// for every order of the stretches, and zero at rest. Beyond their knots curves are straight; there the slopes of the
// sum stay positive (energy/formula/learned_law.hpp says how).
//
// Parameters: "young" [Pa] and "poisson" of the known law, by region; "tail" (t0, t1), "stretch" (f), "area" (g),
// "volume" (h), "kernels", numbers without unit. Derivatives of the force by all of them are exact, in one pass over
// the elements.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/math/radial_kernel.hpp"
#include "dashpot/math/uniform_curve.hpp"

namespace dashpot {

/// A curve and its weights, as many as the knots count.
struct WeightedCurve {
  math::UniformKnots knots;
  std::vector<double> weights = std::vector<double>(static_cast<std::size_t>(knots.count), 0.0);
};

/// Radial functions of all three stretches (energy/formula/energy_kernels.hpp).
struct EnergyKernels {
  math::RadialKernel kind = math::RadialKernel::gaussian;  ///< or multiquadric
  double width = 0.15;                                     ///< of stretches
  std::vector<std::array<double, 3>> centers;              ///< stretches, in any order
  std::vector<double> weights;                             ///< one of each center
};

struct ElasticCorrection {
  double scale = 1e4;                      ///< E0 [Pa] > 0
  std::array<double, 2> tail = {0, 0};     ///< t0, t1
  WeightedCurve stretch{{0.65, 1.45, 8}};  ///< f of a stretch
  WeightedCurve area;                      ///< g of the product of two stretches
  WeightedCurve volume{{0.7, 1.3, 6}};     ///< h of J
  EnergyKernels kernels;                   ///< none
};

struct LearnedParts {
  /// The known law: corotational, stvk, neo_hookean or stable_neo_hookean.
  IsotropicLaw nominal = IsotropicLaw::corotational;
  YoungPoisson moduli;
  ElasticCorrection correction;
};

/// Throws Error with all that is wrong.
std::unique_ptr<TetElasticity> make_learned(std::string body, std::shared_ptr<TetBatch> batch,
                                            const LearnedParts& parts);

/// What a law answers at principal stretches: energy density [J/m^3], stresses dpsi/ds [Pa] and their derivatives [Pa].
struct StretchResponse {
  double psi = 0;
  Vec3 p;
  Mat3 H;
};
/// The law of `parts` as a function of the stretches, with the moduli of mesh element e.
std::function<StretchResponse(const Vec3& stretches)> stretch_response(const LearnedParts& parts, int e = 0);

}  // namespace dashpot
