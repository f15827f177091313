// Tables A1-A5 of the reference: every stepper against exact recurrences, orders of convergence and the stiff pendulum.

#include <complex>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "stepper_cases.hpp"

namespace dashpot::testing::test_reference_tables {
namespace {

constexpr double pi = std::numbers::pi;

/// One-step map of (q, v, a) for omega = 1, h = wh, column by column.
Matrix amplification(const std::string& name, double wh) {
  const auto system = oscillator(1, 0);
  Matrix A(3, 3);
  for (int c = 0; c < 3; ++c) {
    State state = system->initial_state();
    state.q[0] = c == 0;
    state.v[0] = c == 1;
    state.a[0] = c == 2;
    const auto stepper = stepper_named(name);
    EXPECT_TRUE(run_steps(*system, *stepper, state, wh, 1));
    A.col(c) << state.q[0], state.v[0], state.a[0];
  }
  return A;
}

struct SpectrumRow {
  const char* name;
  double h_over_T, radius, period_elongation_percent, damping_ratio;
};

TEST(TableA1, SpectralRadiusPeriodElongationAndNumericalDampingOfEveryScheme) {
  const SpectrumRow rows[] = {
      {"BE", 0.01, .998031904504, .131456474, 3.139529e-2},
      {"BE", 0.05, .954028216378, 3.207491062, 1.546080e-1},
      {"BE", 0.10, .846733015965, 12.003308604, 2.965689e-1},
      {"TR", 0.01, 1, .032890027, 0},
      {"TR", 0.05, 1, .817124260, 0},
      {"TR", 0.10, 1, 3.207491062, 0},
      {"IM", 0.05, 1, .817124260, 0},
      {"NM(.3,.5)", 0.01, 1, .042755901, 0},
      {"NM(.3,.5)", 0.05, 1, 1.061577815, 0},
      {"NM(.3,.5)", 0.10, 1, 4.159937514, 0},
      {"NM(.3025,.6)", 0.01, .999802823922, .033875690, 3.139527e-3},
      {"NM(.3025,.6)", 0.05, .995196722172, .841010087, 1.545504e-2},
      {"NM(.3025,.6)", 0.10, .982208338078, 3.294590121, 2.951254e-2},
      {"GA(.5)", 0.01, .999999712138, .049318210, 4.583720e-6},
      {"GA(.5)", 0.05, .999830849646, 1.215664390, 5.450138e-4},
      {"GA(.5)", 0.10, .997733497645, 4.671531870, 3.780050e-3},
      {"GA(.8)", 0.01, .999999989323, .034716936, 1.699907e-7},
      {"GA(.8)", 0.05, .999993509384, .862328252, 2.083850e-5},
      {"GA(.8)", 0.10, .999904421368, 3.382840597, 1.572715e-4},
      {"Bathe", 0.01, .999999945921, .016446546, 8.608371e-7},
      {"Bathe", 0.05, .999966748836, .409501574, 1.062769e-4},
      {"Bathe", 0.10, .999493934337, 1.617937436, 8.186670e-4},
      {"SymplEuler", 0.01, 1, -.016453943, 0},
      {"SymplEuler", 0.05, 1, -.414145478, 0},
      {"SymplEuler", 0.10, 1, -1.693422976, 0},
  };
  for (const SpectrumRow& row : rows) {
    SCOPED_TRACE(std::string(row.name) + " h/T = " + std::to_string(row.h_over_T));
    const double h = 2 * pi * row.h_over_T;
    const Eigen::VectorXcd eigenvalues = Eigen::EigenSolver<Matrix>(amplification(row.name, h)).eigenvalues();
    std::complex<double> principal = 0;
    for (const auto& value : eigenvalues)
      if (std::abs(value.imag()) > 1e-12 && std::abs(value) > std::abs(principal)) principal = value;
    const double phase = std::abs(std::arg(principal));
    EXPECT_NEAR(std::abs(principal), row.radius, 2e-12);
    EXPECT_NEAR(100 * (h / phase - 1), row.period_elongation_percent, 2e-9);
    EXPECT_NEAR(-std::log(std::abs(principal)) / phase, row.damping_ratio, 1e-6 * row.damping_ratio + 1e-11);
  }
}

TEST(TableA1, HighFrequenciesAreAnnihilatedOrKeptAsTheSchemePromises) {
  const std::pair<const char*, double> rows[] = {{"BE", 1e-4},     {"TR", 1},        {"NM(.3025,.6)", .8182},
                                                 {"GA(.5)", .502}, {"GA(.8)", .802}, {"Bathe", 5e-4}};
  for (const auto& [name, radius] : rows) {
    SCOPED_TRACE(name);
    const double rho = Eigen::EigenSolver<Matrix>(amplification(name, 1e4)).eigenvalues().cwiseAbs().maxCoeff();
    EXPECT_NEAR(rho, radius, 0.02 * radius);
  }
}

TEST(TableA2, ErrorOfTheDampedOscillatorFallsAtTheOrderOfTheScheme) {
  struct Row {
    const char* name;
    double error[4], order;
  };
  const Row rows[] = {
      {"BE", {2.389377e-1, 1.313648e-1, 6.894874e-2, 3.532909e-2}, 0.97},
      {"TR", {6.002394e-3, 1.502319e-3, 3.756873e-4, 9.392855e-5}, 2.00},
      {"IM", {6.002394e-3, 1.502319e-3, 3.756873e-4, 9.392855e-5}, 2.00},
      {"NM(.3025,.6)", {2.941118e-2, 1.456132e-2, 7.270117e-3, 3.635774e-3}, 1.00},
      {"GA(.5)", {9.027907e-3, 2.265071e-3, 5.669226e-4, 1.417908e-4}, 2.00},
      {"Bathe", {3.006250e-3, 7.516727e-4, 1.879002e-4, 4.697085e-5}, 2.00},
      {"BDF2", {2.337802e-2, 5.950495e-3, 1.496627e-3, 3.750235e-4}, 1.99},
      {"SymplEuler", {1.763309e-2, 7.987158e-3, 3.792201e-3, 1.846386e-3}, 1.04},
  };
  const double omega = 2 * pi, exact_q = 0.730092771072065, exact_v = 0.036111279819434;
  const auto system = oscillator(omega, 0.05);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    double previous = 0, order = 0;
    for (int i = 0; i < 4; ++i) {
      const int n = 50 << i;
      State state = start_at(*system, vec({1}), vec({0}));
      const auto stepper = stepper_named(row.name);
      ASSERT_TRUE(run_steps(*system, *stepper, state, 1.0 / n, n));
      const double error = std::hypot(state.q[0] - exact_q, (state.v[0] - exact_v) / omega);
      EXPECT_NEAR(error, row.error[i], 1e-6 * row.error[i] + 1e-10);
      if (i > 0) order = std::log2(previous / error);
      previous = error;
    }
    EXPECT_NEAR(order, row.order, 0.03);
  }
}

TEST(TableA2, LeapfrogIsSecondOrderAlsoWithDamping) {
  const auto system = oscillator(2 * pi, 0.05);
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    const int n = 100 << i;
    State state = start_at(*system, vec({1}), vec({0}));
    ASSERT_TRUE(run_steps(*system, *stepper_named("Leapfrog"), state, 1.0 / n, n));
    errors[i] = std::abs(state.q[0] - 0.730092771072065);
  }
  EXPECT_GT(errors[0], 1e-6);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
}

TEST(TableA3, EnergyLeftAfterTenPeriods) {
  const std::pair<const char*, double> rows[] = {{"TR", 1},
                                                 {"IM", 1},
                                                 {"NM(.3025,.6)", 0.143782163773},
                                                 {"GA(.5)", 0.933479709370},
                                                 {"GA(.8)", 0.997323072896},
                                                 {"Bathe", 0.986787376384},
                                                 {"BDF2", 0.461315582003}};
  const double omega = 2 * pi;
  const auto system = oscillator(omega, 0);
  const auto energy_left = [&](const std::string& name, int steps_per_period) {
    State state = start_at(*system, vec({1}), vec({0}));
    EXPECT_TRUE(run_steps(*system, *stepper_named(name), state, 1.0 / steps_per_period, 10 * steps_per_period));
    return (state.v[0] * state.v[0] + omega * omega * state.q[0] * state.q[0]) / (omega * omega);
  };
  for (const auto& [name, ratio] : rows) EXPECT_NEAR(energy_left(name, 20), ratio, 1e-9) << name;
  EXPECT_NEAR(energy_left("BE", 20), 6.676e-9, 1e-12);
  EXPECT_NEAR(energy_left("Bathe", 10), 0.903717243318, 1e-9);
}

TEST(TableA4, OneStepOfEachSchemeToElevenDigits) {
  struct Row {
    const char* name;
    double q, v, a;
  };
  const Row rows[] = {{"Bathe", 1.020313507225, -0.214455292989, -0.977422448627},
                      {"TR", 1.022471910112, -0.210112359551, -0.980449438202},
                      {"BE", 0.925925925926, -0.148148148148, -0.896296296296},
                      {"GA(.5)", 1.023303278689, -0.208237704918, -1.007770491803}};
  const auto system = oscillator(1, 0.1);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    State state = start_at(*system, vec({1}), vec({0.3}));
    EXPECT_NEAR(state.a[0], -1.06, 1e-14);
    ASSERT_TRUE(run_steps(*system, *stepper_named(row.name), state, 0.5, 1));
    EXPECT_NEAR(state.q[0], row.q, 1e-11);
    EXPECT_NEAR(state.v[0], row.v, 1e-11);
    EXPECT_NEAR(state.a[0], row.a, 1e-11);
  }
  State state = start_at(*system, vec({1}), vec({0.3}));
  ASSERT_TRUE(run_steps(*system, *stepper_named("IM"), state, 0.5, 1));
  EXPECT_NEAR(state.q[0], 1.022471910112, 1e-11);
  EXPECT_NEAR(state.v[0], -0.210112359551, 1e-11);
}

const Vector pendulum_reference = vec({-0.980196936130, -0.615055321443});

TEST(TableA5, PendulumErrorsAndOrders) {
  struct Row {
    const char* name;
    double error[4];
    double tolerance;
  };
  const Row rows[] = {{"BE", {8.54e-2, 4.38e-2, 2.22e-2, 1.12e-2}, 6e-3},
                      {"TR", {6.73951e-4, 1.68475e-4, 4.21180e-5, 1.05295e-5}, 1e-5},
                      {"NM(.3025,.6)", {1.107e-2, 5.388e-3, 2.657e-3, 1.319e-3}, 1e-3},
                      {"GA(.5)", {9.17e-4, 2.28e-4, 5.68e-5, 1.42e-5}, 6e-3},
                      {"Bathe", {3.39027e-4, 8.44955e-5, 2.10913e-5, 5.26878e-6}, 1e-5},
                      {"IM", {5.60546e-4, 1.40133e-4, 3.50329e-5, 8.75820e-6}, 1e-5},
                      {"BDF2", {2.83e-3, 6.91e-4, 1.71e-4, 4.24e-5}, 6e-3}};
  const auto system = pendulum_cartesian(100);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    for (int i = 0; i < 4; ++i) {
      const int n = 100 << i;
      State state = start_at(*system, vec({1, 0}), vec({0, 0}));
      ASSERT_TRUE(run_steps(*system, *stepper_named(row.name), state, 1.0 / n, n));
      EXPECT_NEAR((state.q - pendulum_reference).norm() / row.error[i], 1, row.tolerance + 1e-9 / row.error[i]);
    }
  }
}

TEST(TableA5, StiffPendulumEnergyAfterTenSeconds) {
  struct Row {
    const char* name;
    double k, h, energy;
  };
  const Row rows[] = {{"BE", 1e4, .01, -7.607762},
                      {"BE", 1e4, .05, -9.777857},
                      {"BE", 1e6, .01, -7.606367},
                      {"BE", 1e6, .05, -9.773255},
                      {"BE", 1e8, .01, -7.606353},
                      {"TR", 1e4, .01, -6.283e-3},
                      {"TR", 1e4, .05, -.113437},
                      {"IM", 1e4, .01, 3.407e-3},
                      {"GA(.5)", 1e4, .05, -.257513},
                      {"NM(.3025,.6)", 1e4, .01, -1.718963},
                      {"NM(.3025,.6)", 1e6, .05, -5.540837},
                      {"Bathe", 1e4, .01, -3.696381e-3},
                      {"Bathe", 1e4, .05, -.154778},
                      {"Bathe", 1e6, .01, -4.794379e-3},
                      {"Bathe", 1e6, .05, -.336736},
                      {"Bathe", 1e8, .01, -6.584532e-3},
                      {"BDF2", 1e4, .05, -3.165604},
                      {"BDF2", 1e8, .01, -6.303605e-2}};
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.name) + " k " + std::to_string(row.k) + " h " + std::to_string(row.h));
    const auto system = pendulum_cartesian(row.k);
    State state = start_at(*system, vec({1, 0}), vec({0, 0}));
    ASSERT_TRUE(run_steps(*system, *stepper_named(row.name), state, row.h, static_cast<int>(std::lround(10 / row.h))));
    EXPECT_NEAR(energies(*system, state).total(), row.energy,
                2e-6 + 1e-3 * std::abs(row.energy) * (row.energy > -0.01));
  }
}

TEST(TableA5, BatheNeverGainsEnergyWhereTrapezoidMidpointAndGeneralizedAlphaDo) {
  const std::pair<double, double> columns[] = {{1e4, .01}, {1e4, .05}, {1e6, .01}, {1e6, .05}, {1e8, .01}};
  const auto highest_energy = [](const std::string& name, double k, double h) {
    const auto system = pendulum_cartesian(k);
    State state = start_at(*system, vec({1, 0}), vec({0, 0}));
    const auto stepper = stepper_named(name);
    double highest = -1e300;
    for (int i = 0; i < std::lround(10 / h); ++i) {
      if (!run_steps(*system, *stepper, state, h, 1)) break;
      highest = std::max(highest, energies(*system, state).total());
    }
    return highest;
  };
  for (const auto& [k, h] : columns) EXPECT_LE(highest_energy("Bathe", k, h), 1e-9) << k << " " << h;
  for (const char* name : {"TR", "IM", "GA(.5)"}) EXPECT_GT(highest_energy(name, 1e6, .05), 5) << name;
}

TEST(PolarPendulum, AgreesWithTheCartesianRunForEveryStepperAtItsOrder) {
  const auto polar = pendulum_polar(100);
  for (const auto& [name, integrator] : stepper_cases()) {
    SCOPED_TRACE(name);
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      const int n = 400 << i;
      State state = start_at(*polar, vec({1, 0}), vec({0, 0}));
      ASSERT_TRUE(run_steps(*polar, *stepper_named(name), state, 1.0 / n, n));
      const Vector x = state.q[0] * vec({std::cos(state.q[1]), std::sin(state.q[1])});
      errors[i] = (x - pendulum_reference).norm();
    }
    EXPECT_LT(errors[0], order(integrator) == 1 ? 0.08 : 3e-3);
    EXPECT_GT(errors[0], 1e-9);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order(integrator), 0.12);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_reference_tables
