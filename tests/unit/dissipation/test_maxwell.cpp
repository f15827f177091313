#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/prony.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "support/tiny_tets.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_maxwell {
namespace {

constexpr double G = 30, tau = 0.2;

Bar16::Damping maxwell(double modulus, double time) {
  return [=](const Bar16::Parts& parts) { return make_maxwell("bar", parts.batch, PartwiseValue(modulus), time); };
}

TEST(MaxwellLaws, ObjectiveLossyAndKeepsBothMomenta) {
  expect_dissipation_laws(*Bar16(maxwell(G, tau)).system, 0, {30});
  Bar16::Options ten;
  ten.mid_nodes = true;
  ten.damping = maxwell(G, tau);
  expect_dissipation_laws(*Bar16(ten).system, 0, {10});
}

/// One tet in simple shear: x = X + s Y, so that E_01 = s/2, and S_01 = 2 G xi_01 comes out as a shear stress / s.
struct ShearedTet {
  TinyMesh mesh = unit_tet();
  std::shared_ptr<TetBatch> batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  std::unique_ptr<PronySeries> maxwell_element = make_maxwell("tet", batch, PartwiseValue(G), tau);
  const PronySeries& term = *maxwell_element;
  State state;
  std::unique_ptr<TermScratch> scratch = term.make_scratch();

  ShearedTet() {
    state.q = sheared(0);
    state.v = Vector::Zero(12);
    state.internal_variables = {Vector::Zero(term.num_internal_variables())};
  }
  Vector sheared(double s) const {
    Vector q = mesh.rest();
    q[6] += s;  // x of the node at Y = 1
    return q;
  }
  /// Shears to s within dt; returns S_01 [Pa] there: V P_01 is the force on the node at Y = 1, V = 1/6.
  double step(double s, double dt) {
    term.begin_step(state, scratch.get());
    const Vector q = sheared(s), v = (q - state.q) / dt, start = state.internal_variables[0];
    Vector f = Vector::Zero(12);
    DissipationRequest request{q, v, start, dt, scratch.get()};
    request.force = &f;
    request.new_internal_variables = &state.internal_variables[0];
    term.evaluate(request);
    state.q = q;
    return 6 * f[6];
  }
};

TEST(Maxwell, HeldStrainRelaxesWithItsTimeWhateverTheStep) {
  for (const double dt : {0.001, 0.07, 0.5}) {
    ShearedTet tet;
    const double s = 1e-4, instant = tet.step(s, 1e-9);
    EXPECT_NEAR(instant / (G * s), 1, 1e-6) << "a fast shear meets the whole spring";
    double stress = instant;
    for (double t = dt; t < 1; t += dt) {
      stress = tet.step(s, dt);
      EXPECT_NEAR(stress / (instant * std::exp(-t / tau)), 1, 1e-9) << t;
    }
  }
}

TEST(Maxwell, SteadyShearingTendsToTheViscosityGTau) {
  ShearedTet tet;
  const double rate = 1e-5, dt = 0.05;
  double s = 0;
  for (int k = 1; k <= 100; ++k) {
    s += rate * dt;
    const double t = k * dt, stress = tet.step(s, dt);
    EXPECT_NEAR(stress / (G * tau * rate * (1 - std::exp(-t / tau))), 1, 1e-3) << t;
  }
}

TEST(Maxwell, OscillationMeetsTheStorageAndLossModulus) {
  for (const double omega_tau : {0.2, 1.0, 5.0}) {
    const double omega = omega_tau / tau, s = 1e-5;
    constexpr int per_cycle = 2000;
    const double dt = two_pi / omega / per_cycle;
    ShearedTet tet;
    double storage = 0, loss = 0;
    const int settle = per_cycle * (2 + static_cast<int>(std::ceil(20 * omega_tau / two_pi)));
    for (int k = 1; k <= settle + per_cycle; ++k) {
      const double stress = tet.step(s * std::sin(omega * k * dt), dt);
      if (k <= settle) continue;
      storage += 2 * stress * std::sin(omega * k * dt) / (s * per_cycle);
      loss += 2 * stress * std::cos(omega * k * dt) / (s * per_cycle);
    }
    const double square = omega_tau * omega_tau;
    EXPECT_NEAR(storage / (G * square / (1 + square)), 1, 1e-4) << omega_tau;
    EXPECT_NEAR(loss / (G * omega_tau / (1 + square)), 1, 1e-4) << omega_tau;
  }
}

/// Runs Bar16 and sums up the ledger's identity: d(kinetic + potential + stored) = -damping - solver - numerical.
TEST(Maxwell, WhatTheSpringsStoreIsEnergyAndTheRestIsLost) {
  const Bar16 bar(maxwell(100, 0.05));
  for (const char* name : {"TR", "IM", "BE"}) {
    State state = start_at(*bar.system, bar.noisy_q(), 0.3 * bar.spinning_v());
    const auto stepper = stepper_named(name, 1e-12);
    Workspace workspace = bar.system->make_workspace();
    ASSERT_TRUE(make_consistent(*bar.system, state, workspace));
    Energies before = energies(*bar.system, state);
    const double initial = before.total();
    double lost = 0, numerical = 0, most_stored = 0;
    bool gave_back = false;
    for (int k = 0; k < 400; ++k) {
      const StepReport report = stepper->step(*bar.system, state, workspace, 1e-3);
      ASSERT_EQ(report.status, StepStatus::ok);
      ASSERT_GT(report.end.stored.at(0), 0);
      EXPECT_GE(report.work.damping[0], -1e-6 * initial) << name << k;
      gave_back |= report.end.stored[0] < before.stored[0];
      most_stored = std::max(most_stored, report.end.stored[0]);
      lost += report.work.damping[0];
      numerical += before.total() - report.end.total() - report.work.damping[0] - report.work.solver;
      before = report.end;
    }
    EXPECT_TRUE(gave_back);
    EXPECT_GT(most_stored, 0.01 * initial) << name;
    EXPECT_GT(lost, 0.1 * initial) << name;
    if (name != std::string("BE")) EXPECT_LT(std::abs(numerical), 0.01 * initial) << name;
    EXPECT_LT(
        (bar.angular_momentum(state.q, state.v) - bar.angular_momentum(bar.noisy_q(), 0.3 * bar.spinning_v())).norm(),
        name == std::string("IM") ? 1e-9 : 1e-2)
        << name;
  }
}

TEST(Maxwell, BadNumbersAreRefused) {
  EXPECT_THROW(Bar16(maxwell(-1, 1)), Error);
  EXPECT_THROW(Bar16(maxwell(1, 0)), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_maxwell
