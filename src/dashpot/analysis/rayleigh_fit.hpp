#pragma once
// Rayleigh damping C = alpha M + beta K seen as a curve of damping ratio over frequency, and back:
//     zeta(f) = alpha / (2 omega) + beta omega / 2,   omega = 2 pi f.
// The curve has its minimum sqrt(alpha beta) at omega = sqrt(alpha / beta); below it the mass part rules, above it the
// stiffness part. Two points fix it; a wanted constant ratio over a band can only be met on average, so every fit
// states its worst error. alpha, beta >= 0 always (a negative one creates energy at some frequency). Kelvin-Voigt
// viscosities of a linear material under C = beta K: lambda_d = beta lambda, mu_d = beta mu [Pa s].
#include <span>

namespace dashpot::analysis {

struct RayleighCoefficients {
  double alpha = 0;  ///< mass-proportional [1/s]
  double beta = 0;   ///< stiffness-proportional [s]
  /// Damping ratio at frequency f > 0 [Hz].
  double zeta(double f) const;
};

/// A wanted or measured damping ratio at one frequency.
struct DampingPoint {
  double frequency = 0;  ///< [Hz]
  double zeta = 0;       ///< [-]
};

/// How one point is shared between the two coefficients.
enum class RayleighShare {
  stiffness_only,  ///< alpha = 0: zeta grows with frequency
  mass_only,       ///< beta = 0: zeta falls with frequency
  flattest         ///< half each: the minimum of the curve lies at the point
};

RayleighCoefficients rayleigh_from_point(DampingPoint point, RayleighShare share = RayleighShare::flattest);

/// The curve through two points. dashpot::Error with the possible range of zeta when a coefficient would be negative
/// (the ratio of the zetas must lie between f1/f2 and f2/f1).
RayleighCoefficients rayleigh_from_two_points(DampingPoint first, DampingPoint second);

/// A fit and how far it misses.
struct RayleighFit {
  RayleighCoefficients coefficients;
  double worst_error = 0;            ///< largest |zeta_fit / zeta_wanted - 1| [-]
  double worst_error_frequency = 0;  ///< where it occurs [Hz]
  double rms_error = 0;              ///< root mean square of the same relative error [-]
};

/// Least squares of the relative error over any number of points (>= 1), alpha, beta >= 0.
RayleighFit rayleigh_least_squares(std::span<const DampingPoint> points);

enum class BandCriterion {
  least_squares,        ///< smallest mean square of the relative error over log f
  smallest_worst_error  ///< both ends too high by what the middle is too low
};

/// Constant damping ratio `zeta` wanted from `f_low` to `f_high` [Hz].
RayleighFit rayleigh_over_band(double zeta, double f_low, double f_high,
                               BandCriterion criterion = BandCriterion::least_squares);

/// Viscosities of a Kelvin-Voigt solid [Pa s]; `bulk` = lambda + 2/3 mu of the viscosities.
struct Viscosities {
  double lambda = 0;
  double mu = 0;
  double bulk() const { return lambda + 2 * mu / 3; }
};

/// Viscosities that act like C = beta K on a linear isotropic material (Young's modulus [Pa], Poisson's ratio).
Viscosities viscosities_from_beta(double beta, double young, double poisson);
/// The beta [s] whose shear damping equals `mu_d` [Pa s].
double beta_from_shear_viscosity(double mu_d, double young, double poisson);

/// What viscosities are to motions of a linear isotropic material, each as the beta [s] that damps it alike: zeta = pi
/// f beta. To first order in the damping, Young's modulus is E(kappa, mu), and that of a slender bar is its rate.
struct BetasByMotion {
  double shear = 0;    ///< mu_d / mu; of torsion too
  double volume = 0;   ///< kappa_d / kappa
  double stretch = 0;  ///< of a slender bar, and of its bend
};

/// dashpot::Error for viscosities that could create energy (mu_d < 0, 3 lambda_d + 2 mu_d < 0) or no solid.
BetasByMotion betas_by_motion(const Viscosities& viscosities, double young, double poisson);

}  // namespace dashpot::analysis
