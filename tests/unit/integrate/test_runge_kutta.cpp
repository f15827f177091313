// Runge-Kutta integrators: rho_inf-Bathe and SDIRK3 against formulas that share no code with their tables.

#include <cmath>
#include <limits>

#include "stepper_cases.hpp"

namespace dashpot::testing::test_runge_kutta {
namespace {

/// A method by its coefficients: the start is the first, explicit, stage.
struct Method {
  Matrix A;  ///< the last row is the weights
};

Method rho_inf_bathe(double rho, double gamma) {
  const double q1 = (rho + 1) / (2 * gamma * (rho - 1) + 4), q0 = (gamma - 1) * q1 + 0.5, q2 = -gamma * q1 + 0.5;
  Method method{Matrix::Zero(3, 3)};
  method.A.row(1) << gamma / 2, gamma / 2, 0;
  method.A.row(2) << q0, q1, q2;
  return method;
}

/// [NohBathe2019]: the split that gives both sub-steps one matrix.
double default_split(double rho) { return rho == 1 ? 0.5 : (2 - std::sqrt(2 + 2 * rho)) / (1 - rho); }

Method sdirk3() {
  const double g = 0.4358665215084590, b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
  Method method{Matrix::Zero(4, 4)};
  method.A.row(1) << 0, g, 0, 0;
  method.A.row(2) << 0, (1 - g) / 2, g, 0;
  method.A.row(3) << 0, b1, b2, g;
  return method;
}

/// One step on M a + C v + K q = 0, in the accelerations of the stages.
struct RungeKuttaStep {
  Vector q, v;
  double damping = 0, numerical = 0;                      ///< by the weights of the method
  double composite_damping = 0, composite_numerical = 0;  ///< by sub-steps, for two of them
};
RungeKuttaStep dense_step(const Method& method, const Chain& chain, const Vector& q, const Vector& v, double h) {
  const Eigen::Index count = method.A.rows();
  std::vector<Vector> V = {v}, A = {chain.M.lu().solve(-chain.C * v - chain.K * q)};
  std::vector<Vector> Q = {q};
  for (Eigen::Index s = 1; s < count; ++s) {
    Vector q_known = q, v_known = v;
    for (Eigen::Index j = 0; j < s; ++j) {
      q_known += h * method.A(s, j) * V[static_cast<std::size_t>(j)];
      v_known += h * method.A(s, j) * A[static_cast<std::size_t>(j)];
    }
    const double g = h * method.A(s, s);
    const Matrix system = chain.M + g * chain.C + g * g * chain.K;
    A.push_back(system.lu().solve(-chain.C * v_known - chain.K * (q_known + g * v_known)));
    V.push_back(v_known + g * A.back());
    Q.push_back(q_known + g * V.back());
  }
  RungeKuttaStep result{Q.back(), V.back()};
  if (count == 3) {
    const double gamma = method.A.row(1).sum();
    const Vector w = (method.A.row(2) - method.A.row(1)) / (1 - gamma);
    const Vector dq_1 = Q[1] - q, dq_2 = Q[2] - Q[1], dv_1 = V[1] - v, dv_2 = V[2] - V[1];
    result.composite_damping =
        0.5 * dq_1.dot(chain.C * (V[0] + V[1])) + dq_2.dot(chain.C * (w[0] * V[0] + w[1] * V[1] + w[2] * V[2]));
    result.composite_numerical = dv_2.dot(chain.M * ((w[2] - 0.5) * dv_2 - w[0] * dv_1)) +
                                 dq_2.dot(chain.K * ((w[2] - 0.5) * dq_2 - w[0] * dq_1));
  }
  const Vector b = method.A.row(count - 1);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vector &v_i = V[static_cast<std::size_t>(i)], &a_i = A[static_cast<std::size_t>(i)];
    result.damping += h * b[i] * v_i.dot(chain.C * v_i);
    for (Eigen::Index j = 0; j < count; ++j) {
      const double m = b[i] * method.A(i, j) + b[j] * method.A(j, i) - b[i] * b[j];
      result.numerical +=
          0.5 * h * h * m *
          (a_i.dot(chain.M * A[static_cast<std::size_t>(j)]) + v_i.dot(chain.K * V[static_cast<std::size_t>(j)]));
    }
  }
  return result;
}

struct RungeKuttaCase {
  std::string name;
  Integrator integrator;
  Method method;
};
std::vector<RungeKuttaCase> cases() {
  std::vector<RungeKuttaCase> all = {{"sdirk3", {"sdirk3"}, sdirk3()}, {"bathe", {"bathe"}, rho_inf_bathe(0, 0.5)}};
  for (const double rho : {0.0, 0.4, 1.0})
    all.push_back({"rho_inf = " + std::to_string(rho),
                   {"rho_inf_bathe", {{"rho_inf", rho}}},
                   rho_inf_bathe(rho, default_split(rho))});
  all.push_back({"split 0.3", {"rho_inf_bathe", {{"rho_inf", 0.6}, {"split", 0.3}}}, rho_inf_bathe(0.6, 0.3)});
  return all;
}

TEST(RungeKutta, StepLossesAndDampingAreThoseOfTheMethodOnALinearChain) {
  const Chain chain = chain_ch5();
  const auto system = linear_system(chain.M, chain.C, chain.K);
  for (const RungeKuttaCase& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto stepper = make_stepper(c.integrator, NewtonOptions{.tolerance = 1e-14}, {});
    State state = start_at(*system, vec({.1, .2, .3, .4, .5}), vec({0, 1, 0, -1, 0}));
    Workspace workspace = system->make_workspace();
    const double energy = energies(*system, state).total(), h = 0.05;
    double largest = 0;
    for (int i = 0; i < 30; ++i) {
      const RungeKuttaStep expected = dense_step(c.method, chain, state.q, state.v, h);
      const double before = energies(*system, state).total();
      const StepReport report = stepper->step(*system, state, workspace, h);
      ASSERT_EQ(report.status, StepStatus::ok);
      EXPECT_LT((state.q - expected.q).norm(), 1e-12);
      EXPECT_LT((state.v - expected.v).norm(), 1e-11);
      const bool is_composite = c.method.A.rows() == 3;
      const double damping = is_composite ? expected.composite_damping : expected.damping,
                   loss = is_composite ? expected.composite_numerical : expected.numerical;
      EXPECT_NEAR(report.work.damping[0], damping, 1e-12 * energy);
      const double numerical = before - report.end.total() - report.work.damping[0] - report.work.solver;
      EXPECT_NEAR(numerical, loss, 1e-11 * energy);
      largest = std::max(largest, std::abs(loss));
    }
    if (c.name != "rho_inf = 1.000000") EXPECT_GT(largest, 1e-6 * energy) << "the test must see a loss";
    if (c.name == "rho_inf = 1.000000") EXPECT_LT(largest, 1e-12 * energy) << "two trapezoid steps lose nothing";
  }
}

TEST(RungeKutta, StagesWithOneMatrixNeedOneFactorization) {
  const Chain chain = chain_ch5();
  const auto system = linear_system(chain.M, chain.C, chain.K);
  for (const Integrator& integrator : {Integrator("sdirk3"), Integrator("rho_inf_bathe")}) {
    State state = start_at(*system, vec({.1, .2, .3, .4, .5}), Vector::Zero(5));
    const auto stepper = make_stepper(integrator, {}, {});
    Workspace workspace = system->make_workspace();
    int factorizations = 0;
    for (int i = 0; i < 10; ++i) factorizations += stepper->step(*system, state, workspace, 0.01).factorizations;
    EXPECT_EQ(factorizations, 1) << integrator.name();
  }
}

TEST(RhoInfBathe, LeavesRhoOfAnInfiniteFrequencyAndIsStableWhateverTheSplit) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double rho : {0.0, 0.1, 0.5, 0.9, 1.0})
    for (const double split : {0.0, 0.2, 0.5, 0.9}) {
      SCOPED_TRACE(std::to_string(rho) + ", split " + std::to_string(split));
      ParameterValues values = {{"rho_inf", rho}};
      if (split > 0) values["split"] = split;
      const Integrator integrator("rho_inf_bathe", values);
      EXPECT_NEAR(spectral_radius(integrator, infinite), rho, 1e-4);
      EXPECT_EQ(order(integrator), 2);
      EXPECT_EQ(stability_limit(integrator), infinite);
      EXPECT_EQ(stability_limit(integrator, 0.2), infinite);
      // 1 - |lambda|^2 of the undamped oscillator.
      const double gamma = split > 0 ? split : default_split(rho), q2 = rho_inf_bathe(rho, gamma).A(2, 2);
      for (const double z : {0.3, 2.0, 30.0}) {
        const double lost = (1 - rho * rho) * std::pow(gamma * q2 / 2, 2) * std::pow(z, 4) /
                            ((1 + std::pow(gamma * z / 2, 2)) * (1 + std::pow(q2 * z, 2)));
        EXPECT_NEAR(1 - std::pow(spectral_radius(integrator, z), 2), lost, 1e-12);
      }
    }
}

TEST(RhoInfBathe, IsBatheWhereNothingIsLeftAndTheStepIsHalved) {
  const auto system = pendulum_cartesian(1000);
  State one = start_at(*system, vec({1, 0}), vec({0, 0})), other = one;
  const NewtonOptions newton{.max_iterations = 60, .tolerance = 1e-13};
  const auto bathe = make_stepper("bathe", newton, {});
  const auto rho = make_stepper({"rho_inf_bathe", {{"rho_inf", 0}, {"split", 0.5}}}, newton, {});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(run_steps(*system, *bathe, one, 0.01, 1) && run_steps(*system, *rho, other, 0.01, 1));
    EXPECT_LT((one.q - other.q).norm(), 1e-9);
  }
  EXPECT_GT((one.q - vec({1, 0})).norm(), 0.5);
  // With its own split it does not.
  State own = start_at(*system, vec({1, 0}), vec({0, 0}));
  ASSERT_TRUE(run_steps(*system, *make_stepper({"rho_inf_bathe", {{"rho_inf", 0}}}, newton, {}), own, 0.01, 100));
  EXPECT_GT((one.q - own.q).norm(), 1e-6);
}

TEST(Sdirk3, HasTheStabilityFunctionOfAlexander) {
  // R(w) = (1 + (1 - 3 g) w + (1/2 - 3 g + 3 g^2) w^2) / (1 - g w)^3: L-stable.
  const double g = 0.4358665215084590;
  for (const double zeta : {0.0, 0.2})
    for (const double z : {0.1, 1.0, 5.0, 100.0}) {
      const std::complex<double> w = z * std::complex<double>(-zeta, std::sqrt(1 - zeta * zeta));
      const std::complex<double> R =
          (1.0 + (1 - 3 * g) * w + (0.5 - 3 * g + 3 * g * g) * w * w) / std::pow(1.0 - g * w, 3);
      EXPECT_NEAR(spectral_radius("sdirk3", z, zeta), std::abs(R), 1e-12);
    }
}

}  // namespace
}  // namespace dashpot::testing::test_runge_kutta
