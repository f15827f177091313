// Table A1 of the reference: spectral radius, period elongation [%], equivalent damping ratio of the undamped
// oscillator.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>

#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis::test_numerical_damping {
namespace {

constexpr double pi = std::numbers::pi;

struct Row {
  Integrator spec;
  double h_over_T, radius, elongation_percent, zeta;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.spec.name() << " " << row.h_over_T; }

const Integrator backward_euler{"backward_euler"}, trapezoid{"trapezoid"}, midpoint{"midpoint"},
    newmark_conservative{"newmark", {{"beta", 0.3}, {"gamma", 0.5}}},
    newmark_lossy{"newmark", {{"beta", 0.3025}, {"gamma", 0.6}}}, alpha_half{"generalized_alpha", {{"rho_inf", 0.5}}},
    alpha_08{"generalized_alpha", {{"rho_inf", 0.8}}}, bathe{"bathe"}, symplectic{"symplectic_euler"},
    leapfrog{"leapfrog"};

const Row table_a1[] = {
    {backward_euler, 0.01, .998031904504, .131456474, 3.139529e-2},
    {backward_euler, 0.05, .954028216378, 3.207491062, 1.546080e-1},
    {backward_euler, 0.10, .846733015965, 12.003308604, 2.965689e-1},
    {trapezoid, 0.01, 1, .032890027, 0},
    {trapezoid, 0.05, 1, .817124260, 0},
    {trapezoid, 0.10, 1, 3.207491062, 0},
    {midpoint, 0.10, 1, 3.207491062, 0},
    {newmark_conservative, 0.01, 1, .042755901, 0},
    {newmark_conservative, 0.05, 1, 1.061577815, 0},
    {newmark_conservative, 0.10, 1, 4.159937514, 0},
    {newmark_lossy, 0.01, .999802823922, .033875690, 3.139527e-3},
    {newmark_lossy, 0.05, .995196722172, .841010087, 1.545504e-2},
    {newmark_lossy, 0.10, .982208338078, 3.294590121, 2.951254e-2},
    {alpha_half, 0.01, .999999712138, .049318210, 4.583720e-6},
    {alpha_half, 0.05, .999830849646, 1.215664390, 5.450138e-4},
    {alpha_half, 0.10, .997733497645, 4.671531870, 3.780050e-3},
    {alpha_08, 0.01, .999999989323, .034716936, 1.699907e-7},
    {alpha_08, 0.05, .999993509384, .862328252, 2.083850e-5},
    {alpha_08, 0.10, .999904421368, 3.382840597, 1.572715e-4},
    {bathe, 0.01, .999999945921, .016446546, 8.608371e-7},
    {bathe, 0.05, .999966748836, .409501574, 1.062769e-4},
    {bathe, 0.10, .999493934337, 1.617937436, 8.186670e-4},
    {symplectic, 0.01, 1, -.016453943, 0},
    {symplectic, 0.05, 1, -.414145478, 0},
    {symplectic, 0.10, 1, -1.693422976, 0},
    {leapfrog, 0.05, 1, -.414145478, 0},
};

class TableA1 : public ::testing::TestWithParam<Row> {};

TEST_P(TableA1, RadiusElongationAndEquivalentDampingAreThoseOfTheReference) {
  const Row row = GetParam();
  const NumericalDamping got = numerical_damping(row.spec, 2 * pi * row.h_over_T);
  // The printed digits end at 1e-12 (radius), 1e-9 (elongation in per cent) and the seventh significant digit (ratio).
  EXPECT_NEAR(got.spectral_radius, row.radius, 6e-13);
  EXPECT_NEAR(100 * got.period_elongation, row.elongation_percent, 6e-10);
  EXPECT_NEAR(got.equivalent_zeta, row.zeta, 5.1e-7 * row.zeta + 1e-12);
  EXPECT_TRUE(got.is_stable);
}

INSTANTIATE_TEST_SUITE_P(NumericalDamping, TableA1, ::testing::ValuesIn(table_a1));

TEST(NumericalDamping, StiffModesAreAnnihilatedOrKeptAsEachSchemePromises) {
  const double stiff = 1e4;
  EXPECT_NEAR(numerical_damping(backward_euler, stiff).spectral_radius, 1e-4, 1e-11);
  EXPECT_NEAR(numerical_damping(trapezoid, stiff).spectral_radius, 1, 1e-12);
  EXPECT_NEAR(numerical_damping(newmark_conservative, stiff).spectral_radius, 1, 1e-12);
  EXPECT_NEAR(numerical_damping(newmark_lossy, stiff).spectral_radius, .8182, 5e-5);
  EXPECT_NEAR(numerical_damping(alpha_half, stiff).spectral_radius, .502, 5e-4);
  EXPECT_NEAR(numerical_damping(alpha_08, stiff).spectral_radius, .802, 5e-4);
  EXPECT_NEAR(numerical_damping(bathe, stiff).spectral_radius, 5e-4, 5e-6);
  EXPECT_FALSE(numerical_damping(symplectic, stiff).is_stable);
  EXPECT_FALSE(numerical_damping(leapfrog, 2.001).is_stable);
  EXPECT_TRUE(numerical_damping(leapfrog, 1.999).is_stable);
}

TEST(NumericalDamping, EnergyAfterTenPeriodsIsThatOfTableA3) {
  const double omega_h = 2 * pi / 20;
  const auto energy = [&](const Integrator& spec) {
    return std::pow(std::abs(recurrence_eigenvalues(spec, omega_h).front()), 2 * 200);
  };
  EXPECT_NEAR(energy(backward_euler), 6.676e-9, 5e-12);
  EXPECT_NEAR(energy(newmark_lossy), 0.143782163773, 2e-3);  // its energy also wobbles within a cycle
  EXPECT_NEAR(energy(bathe), 0.986787376384, 1e-9);
  EXPECT_NEAR(energy("bdf2"), 0.461315582003, 2e-2);  // the start-up step is not part of the recurrence
  EXPECT_NEAR(std::pow(numerical_damping(bathe, 2 * pi / 10).spectral_radius, 200), 0.903717243318, 1e-9);
}

TEST(NumericalDamping, BackwardEulerActsLikeStiffnessDampingWithBetaEqualToTheStep) {
  for (const double omega_h : {1e-3, 1e-2}) {
    const NumericalDamping d = numerical_damping(backward_euler, omega_h);
    EXPECT_GT(d.numerical_zeta, 0);
    EXPECT_NEAR(d.numerical_zeta / (omega_h / 2), 1, omega_h);
  }
}

TEST(NumericalDamping, SecondOrderSchemesKeepAPhysicalDampingRatioToSecondOrder) {
  const double zeta = 0.05;
  for (const Integrator& spec : {trapezoid, midpoint, bathe, alpha_08, Integrator("bdf2"), newmark_conservative}) {
    const double coarse = std::abs(numerical_damping(spec, 0.01, zeta).numerical_zeta);
    const double fine = std::abs(numerical_damping(spec, 0.005, zeta).numerical_zeta);
    EXPECT_GT(coarse, 1e-8) << spec.name();
    EXPECT_GT(std::log2(coarse / fine), 1.8) << spec.name();
  }
}

TEST(NumericalDamping, DampedExplicitRecurrencesHaveThePredictedEigenvalues) {
  // Stepped by hand; q must obey the characteristic polynomial built from the eigenvalues.
  const double z = 0.2, zeta = 0.03;
  for (const Integrator& scheme : {symplectic, leapfrog}) {
    double q = 1, p = 0.1, a = -z * z * q - 2 * zeta * z * p;  // p = h v, a = h^2 acceleration
    std::vector<double> trace;
    for (int n = 0; n < 6; ++n) {
      trace.push_back(q);
      if (scheme.name() == "symplectic_euler") {
        p += -z * z * q - 2 * zeta * z * p;
        q += p;
      } else {
        const double predicted = p + a;
        p += a / 2;
        q += p;
        a = -z * z * q - 2 * zeta * z * predicted;
        p += a / 2;
      }
    }
    std::vector<std::complex<double>> polynomial{1.0};  // product of (x - lambda), highest power first
    for (const auto lambda : recurrence_eigenvalues(scheme, z, zeta)) {
      polynomial.push_back(0);
      for (std::size_t i = polynomial.size() - 1; i > 0; --i) polynomial[i] -= lambda * polynomial[i - 1];
    }
    for (std::size_t start = 0; start + polynomial.size() <= trace.size(); ++start) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < polynomial.size(); ++i)
        sum += polynomial[i] * trace[start + polynomial.size() - 1 - i];
      EXPECT_GT(std::abs(trace[start]), 0.01);
      EXPECT_LT(std::abs(sum), 1e-14) << scheme.name();
    }
  }
}

TEST(NumericalDamping, UnknownStepperNamesAreAnsweredWithTheNearestOne) {
  for (const std::string& name : integrator_names()) EXPECT_EQ(Integrator(name).name(), name);
  try {
    Integrator("bath");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'bathe'"), std::string::npos);
  }
  EXPECT_THROW(numerical_damping(bathe, -1), Error);
  EXPECT_THROW(Integrator("generalized_alpha", {{"rho_inf", 1.5}}), Error);
  EXPECT_THROW(Integrator("bathe", {{"rho_inf", 0.5}}), Error);
}

}  // namespace
}  // namespace dashpot::analysis::test_numerical_damping
