#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/dissipation/variational.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_variational {
namespace {

Bar16::Damping variational(double viscosity, std::shared_ptr<TetBatch>* batch = nullptr) {
  return [=](const Bar16::Parts& parts) {
    if (batch != nullptr) *batch = parts.batch;
    return std::make_unique<VariationalDamping>(
        "bar", parts.batch, std::vector<double>(static_cast<std::size_t>(parts.batch->num_tets()), viscosity));
  };
}

/// Force and power of the damping at v, `dt` after a step began at q.
Vector force_after(const System& system, const Vector& q, const Vector& v, double dt, double* power = nullptr) {
  const DissipationTerm& term = *system.dissipations()[0];
  const auto scratch = term.make_scratch();
  State state = system.initial_state();
  state.q = q;
  term.begin_step(state, scratch.get());
  Vector f = Vector::Zero(q.size());
  const Vector xi;
  DissipationRequest request{q, v, xi, dt, scratch.get()};
  request.force = &f;
  const double p = term.evaluate(request);
  if (power != nullptr) *power = p;
  return f;
}

TEST(VariationalLaws, PassiveSymmetricAndKeepsLinearMomentum) {
  expect_dissipation_laws(*Bar16(variational(0.4)).system, 0, {300});
  Bar16::Options ten;
  ten.mid_nodes = true;
  ten.damping = variational(0.4);
  expect_dissipation_laws(*Bar16(ten).system, 0, {30});
}

TEST(VariationalDamping, InShortStepsAtRestItIsLaplacianDampingWithoutElementRotation) {
  const Bar16 bar(variational(Bar16::beta * Bar16::mu)), other([](const Bar16::Parts&parts) {
    return std::make_unique<ConservingLaplacianDamping>("bar", parts.laplacian_parts(0, Bar16::beta),
                                                        FreeRotation::element);
  });
  const Vector& X = bar.system->rest();
  const Vector v = bar.noisy_v(), expected = force_after(*other.system, X, v, 0);
  ASSERT_GT(expected.norm(), 1);
  EXPECT_LT((force_after(*bar.system, X, v, 0) - expected).norm(), 1e-12 * expected.norm());
  const double coarse = (force_after(*bar.system, X, v, 1e-3) - expected).norm();
  const double fine = (force_after(*bar.system, X, v, 1e-4) - expected).norm();
  ASSERT_GT(fine, 1e-8);
  EXPECT_NEAR(coarse / fine, 10, 0.1);
}

/// sum_e mu V_n |F_rel - R|^2 with the rest pose x_n, from the definition.
double energy_with_rest_pose(const TetBatch& batch, double mu, const Vector& x_n, const Vector& x) {
  double energy = 0;
  for (int i = 0; i < batch.num_tets(); ++i) {
    Mat3 F_n = Mat3::Zero(), F = Mat3::Zero();
    for (int a = 0; a < 4; ++a) {
      F_n += x_n.segment<3>(3 * batch.blocks(i)[a]) * batch.gradient(i, 0, a).transpose();
      F += x.segment<3>(3 * batch.blocks(i)[a]) * batch.gradient(i, 0, a).transpose();
    }
    const Mat3 relative = F * F_n.inverse();
    const Vec3 stretch = Eigen::SelfAdjointEigenSolver<Mat3>(relative.transpose() * relative).eigenvalues().cwiseSqrt();
    energy += mu * batch.volume(i) * F_n.determinant() * (stretch - Vec3::Ones()).squaredNorm();
  }
  return energy;
}

TEST(VariationalDamping, BackwardEulerOfAnInelasticBodyTakesTheSeparateStepOfThePapers) {
  constexpr double h = Bar16::h, c = 0.3;
  std::shared_ptr<TetBatch> batch;
  Bar16::Options options;
  options.elastic = false;
  options.damping = variational(c * h * Bar16::mu, &batch);
  const Bar16 bar(options);
  const Vector x_n = bar.noisy_q(), v_pre = bar.noisy_v(), x_pre = x_n + h * v_pre;
  State state = start_at(*bar.system, x_n, v_pre);
  ASSERT_TRUE(run_steps(*bar.system, *stepper_named("BE"), state, h, 1));
  ASSERT_GT((state.q - x_pre).norm(), 1e-3);
  const auto goal = [&](const Vector& x) {
    const Vector apart = x - x_pre;
    return bar.system->inertia().kinetic_energy(x_n, apart) / (h * h) +
           c * energy_with_rest_pose(*batch, Bar16::mu, x_n, x);
  };
  for (Eigen::Index k = 0; k < x_n.size(); ++k) {
    const Vector e = Vector::Unit(x_n.size(), k) * 1e-5;
    const double slope = (goal(state.q + e) - goal(state.q - e)) / 2e-5,
                 before = (goal(x_pre + e) - goal(x_pre - e)) / 2e-5;
    EXPECT_LT(std::abs(slope), 1e-5) << k << ": " << before;
  }
  EXPECT_LT(goal(state.q), goal(x_pre));
}

TEST(VariationalDamping, MidpointAndBackwardEulerHaveNoTorqueFromIt) {
  const Bar16 bar(variational(2)), undamped;
  const Vector q = bar.system->rest(), v = bar.spinning_v();
  State state = start_at(*bar.system, q, v), free = start_at(*undamped.system, q, v);
  ASSERT_TRUE(run_steps(*bar.system, *stepper_named("IM", 1e-12), state, Bar16::h, 50));
  ASSERT_TRUE(run_steps(*undamped.system, *stepper_named("IM", 1e-12), free, Bar16::h, 50));
  EXPECT_LT((bar.angular_momentum(state.q, state.v) - bar.angular_momentum(q, v)).norm(), 1e-9);
  EXPECT_LT(energies(*bar.system, state).total(), 0.995 * energies(*undamped.system, free).total());
}

TEST(VariationalDamping, PowerIsNegativeAtMostByTheBoundOfItsPage) {
  const Bar16 bar(variational(1));
  const Vector& X = bar.system->rest();
  for (const double theta : {0.1, 0.4})
    for (const double shrink : {0.25, 0.5, 1.0}) {
      const double size = 1 - shrink * (1 - std::cos(theta)), dt = 0.01;
      const Mat3 F = size * Eigen::AngleAxisd(theta, Vec3::UnitZ()).toRotationMatrix();
      Mat3 flat = F;
      flat(2, 2) = 1;
      Vector v(X.size());
      for (Eigen::Index i = 0; i < X.size(); i += 3) v.segment<3>(i) = (flat - Mat3::Identity()) * X.segment<3>(i) / dt;
      double power = 0;
      force_after(*bar.system, X, v, dt, &power);
      const double volume = 3, bound = -volume * std::pow((1 - std::cos(theta)) / dt, 2);
      EXPECT_GE(power, bound * (1 + 1e-9));
      if (shrink == 0.5) EXPECT_NEAR(power / bound, 1, 1e-6);
    }
}

TEST(VariationalDamping, AnInvertedElementIsNotDampedAndNothingBlowsUp) {
  const Bar16 bar(variational(1));
  Vector q = bar.system->rest();
  q.head<3>() = Vec3(5, 5, 5);
  EXPECT_TRUE(force_after(*bar.system, q, bar.noisy_v(), 0.01).allFinite());
  EXPECT_EQ(force_after(*bar.system, Vector::Zero(q.size()), bar.noisy_v(), 0.01).norm(), 0);
  EXPECT_THROW(Bar16(variational(-1)), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_variational
