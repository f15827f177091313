// Example-based damping with constant gains against table A6 and sections 1.1, 1.4, 1.5 of the reference.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/linsolve/solvers.hpp"
#include "support/portable_noise.hpp"
#include "unit/dissipation/example_chain.hpp"

namespace dashpot::testing::test_example_matrix {
namespace {

const Coupling all_couplings[] = {Coupling::raw, Coupling::symmetrized, Coupling::nonnegative, Coupling::lowdin};

Vector eigenvalues_of_symmetric_part(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (A + A.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
}

/// x^T Chat x / x^T C x.
double gain_along(const Matrix& Chat, const Vector& x) { return x.dot(Chat * x) / x.dot(chain_ch5().C * x); }

Vector noise(int first) {
  Vector result(5);
  for (int i = 0; i < 5; ++i) result[i] = rnd(first + i);
  return result;
}

TEST(ExampleMatrix, BasisAndCouplingAreThoseOfTheReferenceTable) {
  const ExampleChain chain(chain_examples(), constant_gains({0.1, 3, 10}), with_coupling(Coupling::raw));
  const ExampleBasis& basis = chain.term->basis(chain.scratch.get());
  Matrix R(3, 3), Pibar(3, 3);
  R << 3.368976105585, 0.04452391329, 1.038891310092, 0, 2.519527261441, -1.76471815751, 0, 0, 0.925459167315;
  Pibar << .1, .051247450471, 11.211149711103, 0, 3, -13.347997987215, 0, 0, 10;
  EXPECT_LT((basis.R - R).norm(), 1e-10);
  const Matrix Pi = coupling_matrix(Coupling::raw, basis, numbers({0.1, 3, 10}));
  EXPECT_LT((Pi - Pibar).norm(), 1e-10);
  const Vector lambda = eigenvalues_of_symmetric_part(Pi);
  EXPECT_NEAR(lambda[0], -4.024889710395, 1e-10);
  EXPECT_NEAR(lambda[1], 1.558513236853, 1e-10);
  EXPECT_NEAR(lambda[2], 15.566376473542, 1e-10);

  Vector v(5), expected(5);
  v << 1, -1, 2, .5, -.25;
  expected << -14.17269847186, 2.634225639696, 44.810975708568, -5.034881945907, -6.315315067494;
  double power = 0;
  EXPECT_LT((chain.force(Vector::Zero(5), v, &power) - expected).norm(), 1e-10);
  EXPECT_NEAR(power, 71.876415099499, 1e-10);
}

TEST(ExampleMatrix, RawCouplingDampsEachExampleByItsGainAndEqualsTheFormWithoutQr) {
  const Matrix X = chain_examples(), C = chain_ch5().C;
  const ExampleChain chain(X, constant_gains({0.1, 3, 10}), with_coupling(Coupling::raw));
  const Matrix Chat = chain.matrix();
  const Matrix gamma = numbers({0.1, 3, 10}).asDiagonal();
  ASSERT_GT((Chat - C).norm(), 1);
  EXPECT_LT((Chat * X - C * X * gamma).norm(), 1e-12 * (C * X).norm());
  const Matrix I = Matrix::Identity(3, 3), G = X.transpose() * C * X;
  const Matrix other = C + C * X * (gamma - I) * G.inverse() * X.transpose() * C;
  EXPECT_LT((Chat - other).norm(), 1e-12 * Chat.norm());
  // Symmetrizing gives that up (reference: 24.17).
  const ExampleChain half(X, constant_gains({0.1, 3, 10}), with_coupling(Coupling::symmetrized));
  EXPECT_NEAR((half.matrix() * X - C * X * gamma).cwiseAbs().maxCoeff(), 24.17, 0.005);
}

TEST(ExampleMatrix, GainOneChangesNothingAndZeroGainLeavesAnExampleUndamped) {
  const Matrix C = chain_ch5().C;
  for (const Coupling coupling : all_couplings) {
    const ExampleChain same(chain_examples(), constant_gains({1, 1, 1}), with_coupling(coupling));
    EXPECT_LT((same.matrix() - C).norm(), 1e-13 * C.norm()) << to_string(coupling);
    const Matrix one = chain_examples().leftCols(1);
    const ExampleChain none(one, constant_gains({0}), with_coupling(coupling));
    EXPECT_LT((none.matrix() * one).norm(), 1e-13 * (C * one).norm()) << to_string(coupling);
  }
}

TEST(ExampleMatrix, WhatIsOrthogonalToTheExamplesKeepsItsDamping) {
  const Matrix X = chain_examples(), C = chain_ch5().C;
  const Vector other = (X.transpose() * C).fullPivLu().kernel().col(0);
  ASSERT_GT((C * other).norm(), 1e-3);
  for (const Coupling coupling : all_couplings) {
    const ExampleChain chain(X, constant_gains({0.001, 1000, 10}), with_coupling(coupling));
    EXPECT_LT((chain.matrix() * other - C * other).norm(), 1e-11 * (C * other).norm()) << to_string(coupling);
  }
}

TEST(ExampleMatrix, CouplingsAgreeForExamplesThatAreOrthogonalInC) {
  const Chain ch5 = chain_ch5();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(ch5.K, ch5.M);
  const Matrix X = modes.eigenvectors().leftCols(3);
  const double xi[] = {.008954685029, .320727714099, .180090195708, .105, .150629468419};
  const double omega[] = {2.346601781679, 5.506543689079, 8.40997790216, 10, 14.723350219872};
  for (const Coupling coupling : all_couplings) {
    const ExampleChain chain(X, constant_gains({0.2, 5, 2}), with_coupling(coupling));
    const Matrix modal = modes.eigenvectors().transpose() * chain.matrix() * modes.eigenvectors();
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(std::sqrt(modes.eigenvalues()[i]), omega[i], 1e-10);
      EXPECT_NEAR(modal(i, i) / (2 * omega[i]), xi[i], 1e-10) << to_string(coupling);
    }
    EXPECT_LT((modal - Matrix(modal.diagonal().asDiagonal())).norm(), 1e-10);
  }
}

TEST(ExampleMatrix, NearlyParallelExamplesMakeThePapersFixUnboundedAndLeaveLowdinBetweenTheGains) {
  const Matrix X = columns({{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5.1}});
  const auto gains = constant_gains({0.1, 10});
  const ExampleChain raw(X, gains, with_coupling(Coupling::raw));
  const ExampleBasis& basis = raw.term->basis(raw.scratch.get());
  const Vector lambda = eigenvalues_of_symmetric_part(coupling_matrix(Coupling::raw, basis, numbers({0.1, 10})));
  EXPECT_NEAR(lambda[0], -256.05, 0.005);
  EXPECT_NEAR(lambda[1], 266.15, 0.005);
  EXPECT_GT(raw.term->diagnose(raw.system->initial_state()).condition, 10);
  const Matrix fixed = ExampleChain(X, gains, with_coupling(Coupling::nonnegative)).matrix();
  EXPECT_NEAR(gain_along(fixed, X.col(0)), 130.6, 0.05);
  EXPECT_NEAR(gain_along(fixed, X.col(1)), 135.6, 0.05);
  const Matrix bounded = ExampleChain(X, gains, with_coupling(Coupling::lowdin)).matrix();
  EXPECT_NEAR(gain_along(bounded, X.col(0)), 4.956, 5e-4);
  EXPECT_NEAR(gain_along(bounded, X.col(1)), 5.144, 5e-4);
}

TEST(ExampleMatrix, LowdinDoesNotDependOnTheOrderAndItsGainsLieBetweenThoseAskedFor) {
  const Matrix X = chain_examples();
  const Matrix Chat = ExampleChain(X, constant_gains({0.1, 3, 10}), {}).matrix();
  Matrix turned(5, 3);
  turned << X.col(2), X.col(0), X.col(1);
  EXPECT_LT((ExampleChain(turned, constant_gains({10, 0.1, 3}), {}).matrix() - Chat).norm(), 1e-12 * Chat.norm());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> pencil(Chat, chain_ch5().C, Eigen::EigenvaluesOnly);
  const double expected[] = {0.1, 1, 1, 3, 10};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(pencil.eigenvalues()[i], expected[i], 1e-11);
}

TEST(ExampleMatrix, SafeCouplingsNeverCreateEnergyAndTheRawOneDoes) {
  double worst[4] = {};
  for (int c = 0; c < 4; ++c) {
    for (int trial = 0; trial < 100; ++trial) {
      Matrix X(5, 3);
      for (int k = 0; k < 3; ++k) X.col(k) = noise(7 * trial + 31 * k);
      const auto gain = [&](int k) { return std::pow(10.0, 3 * rnd(1000 + 3 * trial + k)); };
      const ExampleChain chain(X, constant_gains({gain(0), gain(1), gain(2)}), with_coupling(all_couplings[c]));
      for (int i = 0; i < 100; ++i) {
        const Vector v = noise(3 * i + trial);
        double power = 0;
        const Vector f = chain.force(Vector::Zero(5), v, &power);
        ASSERT_NEAR(power, v.dot(f), 1e-9 * f.norm() * v.norm());
        worst[c] = std::min(worst[c], power / (f.norm() * v.norm()));
      }
    }
  }
  EXPECT_LT(worst[0], -0.1);  // raw
  EXPECT_LT(worst[1], -0.1);  // symmetrized
  EXPECT_GE(worst[2], -1e-11);
  EXPECT_GE(worst[3], -1e-11);
}

TEST(ExampleMatrix, ABasisFromAnotherDampingMatrixCreatesEnergyAndOursDoesNot) {
  const Chain ch5 = chain_ch5();
  const Matrix soft = 0.1 * ch5.M + 0.02 * 0.3 * ch5.K, x1 = chain_examples().leftCols(1);
  // C at rest is stiff, away from it soft: what a lagged tangent does.
  auto base = std::make_unique<DenseDamping>([=](const Vector& q) -> Matrix { return q.norm() > 0 ? soft : ch5.C; });
  ExampleChain chain(x1, constant_gains({0.1}), {}, std::move(base));
  const ExampleBasis rest = chain.term->basis(chain.scratch.get());
  chain.begin_step(Vector::Ones(5));
  const Matrix mixed = soft + *rest.U * (0.1 - 1.0) * rest.U->transpose();
  EXPECT_NEAR(eigenvalues_of_symmetric_part(mixed)[0], -0.05737, 5e-6);
  EXPECT_NEAR(eigenvalues_of_symmetric_part(chain.matrix())[0], 0.01285, 5e-6);
}

TEST(ExampleMatrix, RigidAndDependentExamplesAreDroppedWhereTheBodyIsFree) {
  const Chain ch5 = chain_ch5();
  Matrix K = ch5.K;
  K(0, 0) -= 100;
  const Matrix C = 0.02 * K;
  Matrix X(5, 4);
  X << chain_examples().leftCols(2), Vector::Constant(5, 2.0), chain_examples().col(0).array() + 3;
  for (const Coupling coupling : all_couplings) {
    const ExampleChain chain(X, constant_gains({0.1, 3, 7, 9}), with_coupling(coupling),
                             std::make_unique<DenseDamping>(C));
    EXPECT_EQ(chain.term->basis(chain.scratch.get()).kept, (std::vector<int>{0, 1}));
    const ExampleDiagnosis diagnosis = chain.term->diagnose(chain.system->initial_state());
    EXPECT_EQ(diagnosis.dropped, (std::vector<int>{2, 3}));
    EXPECT_TRUE(std::isnan(diagnosis.angles(2, 0)));
    EXPECT_NEAR(diagnosis.angles(3, 0), 0, 1e-5);
    const Matrix Chat = chain.matrix();
    ASSERT_GT((Chat - C).norm(), 0.1);
    EXPECT_LT((Chat * Vector::Ones(5)).norm(), 1e-12);
    if (coupling == Coupling::raw) {
      EXPECT_LT((Chat * X.leftCols(2) - C * X.leftCols(2) * numbers({0.1, 3}).asDiagonal()).norm(), 1e-12);
    }
  }
}

TEST(ExampleMatrix, WoodburyGivesTheReferenceSolutionOfASubStep) {
  const Chain ch5 = chain_ch5();
  const ExampleChain chain(chain_examples(), constant_gains({0.1, 3, 10}), with_coupling(Coupling::raw));
  const double expected[2][5] = {
      {-9.091935495344e-5, 8.170122299491e-5, -4.664679528884e-5, 6.531611939730e-5, -3.022511272513e-4},
      {-1.526165197424e-4, 1.405889509215e-4, -8.095137626489e-5, 1.120833618574e-4, -5.319286563189e-4}};
  const double a[] = {16, 9}, w[] = {4, 3}, dt = 0.05;
  for (int stage = 0; stage < 2; ++stage) {
    BlockMatrix A(chain.system->pattern());
    std::vector<LowRank> parts;
    const Vector zero = Vector::Zero(5), xi;
    DissipationRequest request{zero, zero, xi, 0, chain.scratch.get()};
    request.tangent = &A;
    request.low_rank = &parts;
    request.dv_scale = w[stage] / dt;
    chain.term->evaluate(request);
    chain.system->inertia().add_tangent(zero, zero, zero, a[stage] / (dt * dt), 0, 0, A);
    EnergyRequest energy{zero};
    energy.hessian = &A;
    chain.system->energies()[0]->evaluate(energy);
    const auto solver = make_linear_solver({}, 5, false, chain.system->is_symmetric());
    solver->analyze(chain.system->pattern(), std::vector<std::uint8_t>(5, 1));
    ASSERT_EQ(solver->factorize(A), SolveStatus::ok);
    Vector x = zero;
    ASSERT_EQ(solve_with_low_rank(*solver, parts, noise(10), x).status, SolveStatus::ok);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(x[i], expected[stage][i], 1e-14);
  }
}

TEST(ExampleMatrix, SaysWhatIsWrongWithExamplesAllAtOnce) {
  Matrix X = chain_examples();
  X.col(0).setZero();
  X(2, 1) = std::numeric_limits<double>::quiet_NaN();
  std::vector<math::GainCurve> gains = constant_gains({1, 1, 1});
  gains[2] = math::GainCurve::preset("soft_landing", 1, 10);
  ExampleBasedOptions options;
  options.rank_tolerance = 1e-9;
  try {
    const ExampleChain chain(X, gains, options);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 4u) << error.what();
  }
  options = {};
  options.corotated = true;
  EXPECT_THROW(ExampleChain(chain_examples(), constant_gains({1, 1, 1}), options), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_example_matrix
