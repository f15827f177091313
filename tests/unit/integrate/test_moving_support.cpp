// A chain on a shaken support: what the support puts in is the work of its reaction. It must tend to the integral of
// reaction times speed at the order of the scheme, and the ledger must close with it.

#include <Eigen/Cholesky>

#include "dashpot/constraint/driven_nodes.hpp"
#include "stepper_cases.hpp"

namespace dashpot::testing::test_moving_support {
namespace {

constexpr double end_time = 1;  // [s]

HarmonicMotion shaking() {
  HarmonicMotion motion;
  motion.amplitude = Vec3(0.05, 0, 0);
  motion.frequency = 1.3;
  motion.phase = 0.4;
  motion.ramp = 0.6;
  return motion;
}

/// The chain CH5 on a support, dof 0. With a heavy support its mass is coupled to the first of the chain, as consistent
/// mass couples nodes.
Chain chain_on_support(bool damped, bool heavy_support) {
  const Chain fixed = chain_ch5();
  Chain chain{Matrix::Zero(6, 6), {}, Matrix::Zero(6, 6)};
  chain.M.bottomRightCorner(5, 5) = fixed.M;
  chain.K.bottomRightCorner(5, 5) = fixed.K;
  chain.K(0, 0) = 100;
  chain.K(0, 1) = chain.K(1, 0) = -100;
  if (heavy_support) {
    chain.M(0, 0) = 0.7;
    chain.M(0, 1) = chain.M(1, 0) = 0.4;
  }
  chain.C = damped ? Matrix(0.1 * chain.M + 0.02 * chain.K) : Matrix::Zero(6, 6);
  return chain;
}

/// The same chain with the support as another dof; what lies between moves up.
Chain renumbered(const Chain& chain, int support) {
  const int n = static_cast<int>(chain.M.rows());
  Matrix P = Matrix::Zero(n, n);  // P(new, old)
  P(support, 0) = 1;
  for (int old = 1; old < n; ++old) P(old <= support ? old - 1 : old, old) = 1;
  return {P * chain.M * P.transpose(), P * chain.C * P.transpose(), P * chain.K * P.transpose()};
}

std::shared_ptr<const System> shaken_system(const Chain& chain, int support = 0) {
  const auto table =
      std::make_shared<CarriedPoints>(std::make_shared<ShakenTable>(shaking()), std::vector<Vec3>{Vec3::Zero()});
  return linear_system(
      chain.M, chain.C, chain.K,
      std::make_unique<DrivenNodes>(table, std::vector<int>{support}, std::vector<int>{0}, std::vector<int>{0}));
}

struct Shaken {
  Vector q;
  double external = 0, damping = 0, solver = 0, gained = 0;
  double numerical() const { return external - damping - solver - gained; }
};

/// Classical Runge-Kutta on (q, v, work) of the free dofs: no code in common with the steppers.
Shaken reference(const Chain& chain, int steps) {
  const Eigen::LLT<Matrix> mass(chain.M.bottomRightCorner(5, 5));
  const double amplitude = shaking().amplitude.x();
  const auto full = [&](const Vector& y, double t, Vector& q, Vector& v) {
    const auto s = shaking().evaluate(t);
    q.resize(6);
    v.resize(6);
    q << amplitude * s[0], y.segment(0, 5);
    v << amplitude * s[1], y.segment(5, 5);
  };
  const auto rate = [&](const Vector& y, double t) {
    Vector q, v, a = Vector::Zero(6);
    full(y, t, q, v);
    a[0] = amplitude * shaking().evaluate(t)[2];
    const Vector f = chain.M * a + chain.C * v + chain.K * q;
    a.tail(5) = -mass.solve(f.tail(5));
    Vector dy(12);
    dy << v.tail(5), a.tail(5), (chain.M * a + chain.C * v + chain.K * q)[0] * v[0], v.dot(chain.C * v);
    return dy;
  };
  Vector y = Vector::Zero(12);
  const double h = end_time / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Vector k1 = rate(y, t), k2 = rate(y + 0.5 * h * k1, t + 0.5 * h), k3 = rate(y + 0.5 * h * k2, t + 0.5 * h),
                 k4 = rate(y + h * k3, t + h);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  Shaken result;
  Vector v;
  full(y, end_time, result.q, v);
  result.external = y[10];
  result.damping = y[11];
  result.gained = 0.5 * v.dot(chain.M * v) + 0.5 * result.q.dot(chain.K * result.q);
  return result;
}

Shaken shake(const System& system, const std::string& name, int steps) {
  State state = start_at(system, system.initial_state().q, system.initial_state().v);
  const auto stepper = stepper_named(name);
  Workspace workspace = system.make_workspace();
  Shaken result;
  const double before = energies(system, state).total();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(system, state, workspace, end_time / steps);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    result.external += report.work.external;
    result.solver += report.work.solver;
    for (const double loss : report.work.damping) result.damping += loss;
    result.gained = report.end.total() - before;
  }
  result.q = state.q;
  return result;
}

TEST(MovingSupport, TheReferenceClosesItsOwnBalance) {
  for (const bool damped : {false, true}) {
    const Shaken exact = reference(chain_on_support(damped, true), 4000);
    EXPECT_GT(exact.external, 0.01);
    EXPECT_NEAR(exact.external, exact.damping + exact.gained, 1e-10);
  }
}

TEST(MovingSupport, ItsWorkDoesNotDependOnHowDofsAreNumbered) {
  const Chain chain = chain_on_support(true, true);
  for (const char* name : {"IM", "Bathe"}) {
    const Shaken first = shake(*shaken_system(chain), name, 200);
    ASSERT_GT(std::abs(first.external), 0.01);
    for (const int support : {3, 5}) {
      const Shaken other = shake(*shaken_system(renumbered(chain, support), support), name, 200);
      EXPECT_NEAR(other.external, first.external, 1e-10 * first.external) << name << ", support is dof " << support;
      EXPECT_NEAR(other.numerical(), first.numerical(), 1e-10 * first.external);
    }
  }
}

TEST(MovingSupport, MotionAndWorkOfTheReactionConvergeAtTheOrderOfEveryStepper) {
  for (const bool damped : {false, true})
    for (const bool heavy : {false, true}) {
      const Chain chain = chain_on_support(damped, heavy);
      const auto system = shaken_system(chain);
      const Shaken exact = reference(chain, 4000);
      for (const auto& [name, integrator] : stepper_cases()) {
        SCOPED_TRACE(name + (damped ? " damped" : " undamped") + (heavy ? " heavy support" : ""));
        double motion[2], work[2], numerical[2];
        for (int i = 0; i < 2; ++i) {
          const Shaken run = shake(*system, name, 800 << i);
          motion[i] = (run.q - exact.q).norm();
          work[i] = std::abs(run.external - exact.external);
          numerical[i] = std::abs(run.numerical());
          EXPECT_LT(std::abs(run.solver), 1e-10 * exact.external);
        }
        const bool is_first_order = order(integrator) == 1;
        const double least = is_first_order ? 0.85 : 0.9 * order(integrator);
        EXPECT_GT(motion[0], 1e-9) << "an error must be seen to fall";
        EXPECT_GT(std::log2(motion[0] / motion[1]), least);
        EXPECT_GT(work[0], 1e-8 * exact.external);
        EXPECT_GT(std::log2(work[0] / work[1]), least);
        EXPECT_LT(work[0], (is_first_order ? 0.05 : 5e-4) * exact.external);
        EXPECT_LT(numerical[1], (is_first_order ? 0.05 : 5e-4) * exact.external);
        if (!is_first_order && numerical[1] > 1e-9 * exact.external)
          EXPECT_GT(std::log2(numerical[0] / numerical[1]), least);
      }
    }
}

TEST(MovingSupport, TheTrapezoidLosesNothingOfTheWorkOfAMasslessSupport) {
  // Support and chain then meet in the spring alone, and the trapezoid rule integrates its power exactly.
  for (const bool damped : {false, true}) {
    const auto system = shaken_system(chain_on_support(damped, false));
    for (const int steps : {20, 200}) {
      const Shaken run = shake(*system, "TR", steps);
      EXPECT_GT(run.external, 0.01);
      EXPECT_LT(std::abs(run.numerical()), 1e-11 * run.external);
    }
  }
}

}  // namespace
}  // namespace dashpot::testing::test_moving_support
