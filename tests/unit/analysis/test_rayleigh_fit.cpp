#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "dashpot/analysis/rayleigh_fit.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_rayleigh_fit {
namespace {

TEST(RayleighFit, TwoPointsAreMetExactly) {
  const RayleighCoefficients c = rayleigh_from_two_points({2, 0.02}, {20, 0.05});
  EXPECT_GT(c.alpha, 0);
  EXPECT_GT(c.beta, 0);
  EXPECT_NEAR(c.zeta(2), 0.02, 1e-15);
  EXPECT_NEAR(c.zeta(20), 0.05, 1e-15);
}

TEST(RayleighFit, OnePointIsMetByAllThreeShares) {
  for (const RayleighShare share : {RayleighShare::stiffness_only, RayleighShare::mass_only, RayleighShare::flattest})
    EXPECT_NEAR(rayleigh_from_point({7, 0.03}, share).zeta(7), 0.03, 1e-16);
  const RayleighCoefficients flat = rayleigh_from_point({7, 0.03});
  EXPECT_GT(flat.zeta(6.9), flat.zeta(7));
  EXPECT_GT(flat.zeta(7.1), flat.zeta(7));
  EXPECT_EQ(rayleigh_from_point({7, 0.03}, RayleighShare::stiffness_only).alpha, 0);
  EXPECT_EQ(rayleigh_from_point({7, 0.03}, RayleighShare::mass_only).beta, 0);
}

TEST(RayleighFit, PointsThatNeedNegativeDampingAreRefusedWithTheRangeThatWorks) {
  try {
    rayleigh_from_two_points({1, 0.1}, {10, 0.001});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problems().front().expected.find("between 0.01 and 1"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(rayleigh_from_two_points({1, 0.1}, {10, 0.01}));  // pure mass damping
  EXPECT_NO_THROW(rayleigh_from_two_points({1, 0.1}, {10, 1.0}));   // pure stiffness damping
  EXPECT_THROW(rayleigh_from_two_points({1, 0.1}, {1, 0.1}), Error);
}

TEST(RayleighFit, LeastSquaresRecoversACurveThatIsRayleigh) {
  const RayleighCoefficients truth{0.8, 3e-4};
  std::array<DampingPoint, 6> points;
  for (int i = 0; i < 6; ++i) points[i] = {1.5 * (i + 1), truth.zeta(1.5 * (i + 1))};
  const RayleighFit fit = rayleigh_least_squares(points);
  EXPECT_NEAR(fit.coefficients.alpha, truth.alpha, 1e-12);
  EXPECT_NEAR(fit.coefficients.beta, truth.beta, 1e-15);
  EXPECT_LT(fit.worst_error, 1e-12);
}

TEST(RayleighFit, LeastSquaresNeverReturnsNegativeCoefficients) {
  const std::array<DampingPoint, 3> falling{{{1, 0.2}, {2, 0.02}, {4, 0.002}}};
  const RayleighFit fit = rayleigh_least_squares(falling);
  EXPECT_GT(fit.coefficients.alpha, 0);
  EXPECT_EQ(fit.coefficients.beta, 0);
}

TEST(RayleighFit, TheSmallestWorstErrorOverABandIsTheSameAtBothEndsAndInTheMiddle) {
  const RayleighFit fit = rayleigh_over_band(0.03, 2, 50, BandCriterion::smallest_worst_error);
  const double low = fit.coefficients.zeta(2) / 0.03 - 1, high = fit.coefficients.zeta(50) / 0.03 - 1;
  const double middle = fit.coefficients.zeta(10) / 0.03 - 1;
  EXPECT_GT(low, 0.1);
  EXPECT_NEAR(low, high, 1e-12);
  EXPECT_NEAR(low, -middle, 1e-12);
  EXPECT_NEAR(fit.worst_error, low, 1e-12);
  const RayleighFit mean = rayleigh_over_band(0.03, 2, 50);
  EXPECT_GT(mean.worst_error, fit.worst_error);
  EXPECT_LT(mean.rms_error, fit.rms_error);
}

TEST(RayleighFit, KelvinVoigtViscositiesAreBetaTimesTheLameConstants) {
  const double young = 1e6, poisson = 0.3, beta = 2e-3;
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), mu = young / (2 * (1 + poisson));
  const Viscosities v = viscosities_from_beta(beta, young, poisson);
  EXPECT_NEAR(v.lambda, beta * lambda, 1e-9);
  EXPECT_NEAR(v.mu, beta * mu, 1e-9);
  EXPECT_NEAR(v.bulk(), beta * young / (3 * (1 - 2 * poisson)), 1e-9);
  EXPECT_NEAR(beta_from_shear_viscosity(v.mu, young, poisson), beta, 1e-17);
  EXPECT_THROW(viscosities_from_beta(beta, young, 0.5), Error);
}

TEST(RayleighFit, ViscositiesOfAnyProportionDampShearVolumeAndStretchByTheirModuli) {
  const double young = 1e6, poisson = 0.3, beta = 2e-3, mu = young / (2 * (1 + poisson)),
               kappa = young / (3 * (1 - 2 * poisson));
  const BetasByMotion alike = betas_by_motion(viscosities_from_beta(beta, young, poisson), young, poisson);
  for (const double found : {alike.shear, alike.volume, alike.stretch}) EXPECT_NEAR(found, beta, 1e-15);
  // E* = 9 k* m*/(3 k* + m*) of complex moduli, at a frequency so low that squares of the damping do not count.
  const Viscosities v{-150, 400};
  const double omega = 1e-3;
  const std::complex<double> k(kappa, omega * v.bulk()), m(mu, omega * v.mu), E = 9.0 * k * m / (3.0 * k + m);
  const BetasByMotion found = betas_by_motion(v, young, poisson);
  EXPECT_NEAR(found.shear, v.mu / mu, 1e-15);
  EXPECT_NEAR(found.volume, v.bulk() / kappa, 1e-15);
  EXPECT_NEAR(found.stretch / (E.imag() / (omega * E.real())), 1, 1e-9);
  EXPECT_LT(found.volume, 0.5 * found.stretch) << "the three must differ";
  EXPECT_THROW(betas_by_motion({-300, 400}, young, poisson), Error);
  EXPECT_THROW(betas_by_motion({0, -1}, young, poisson), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_rayleigh_fit
