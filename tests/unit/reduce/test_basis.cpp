#include "dashpot/reduce/basis.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "reduced_bar.hpp"

namespace dashpot::test_basis {
namespace {

class ModalBasis : public ::testing::TestWithParam<bool> {};

TEST_P(ModalBasis, IsMassOrthonormalZeroAtPinsAndHoldsTheModes) {
  testing::ElasticBodyOptions options = testing::held_bar();
  options.lumped = GetParam();
  const auto system = testing::elastic_body(testing::bar_mesh(), options);
  const ReducedBasis basis = *modal_basis(*system, {5, 15});
  ASSERT_EQ(basis.size(), 15);
  EXPECT_LT((basis.shapes.transpose() * basis.weighted - Matrix::Identity(15, 15)).norm(), 1e-11);
  const Matrix M = testing::mass_matrix(*system).dense();
  EXPECT_LT((M * basis.shapes - basis.weighted).norm(), 1e-12 * basis.weighted.norm());
  for (int i = 0; i < system->num_dofs(); ++i)
    if (!system->is_free()[static_cast<std::size_t>(i)]) EXPECT_EQ(basis.shapes.row(i).norm(), 0.0);
  ModesOptions wanted;
  wanted.num_modes = 5;
  const ModesResult modes = system_modes(*system, system->initial_state(), wanted);
  const Matrix outside = modes.shapes - basis.shapes * (basis.weighted.transpose() * modes.shapes);
  EXPECT_LT(outside.norm(), 1e-9 * modes.shapes.norm());
  EXPECT_GT(basis.captured, 0.9);
  EXPECT_LE(basis.captured, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Mass, ModalBasis, ::testing::Bool());

TEST(ModalBasisOfABar, HoldsItsModalDerivatives) {
  const auto system = testing::elastic_body(testing::bar_mesh({4, 1, 1}), testing::held_bar());
  // Two modes have three derivatives: five vectors span all of them.
  const ReducedBasis basis = *modal_basis(*system, {2, 5});
  ASSERT_EQ(basis.size(), 5);
  EXPECT_NEAR(basis.captured, 1, 1e-12);
  // The force of St. Venant-Kirchhoff is cubic in s: f(s) + f(-s) is exactly s^2 (dK/dq : phi) phi.
  const Vector phi = basis.shapes.col(0);
  const auto force = [&](double s) {
    Vector gradient = Vector::Zero(system->num_dofs());
    const Vector q = basis.rest + s * phi;
    EnergyRequest request{q};
    request.gradient = &gradient;
    system->energies()[0]->evaluate(request);
    return gradient;
  };
  const double s = 0.1 / phi.cwiseAbs().maxCoeff();
  Vector quadratic = force(s) + force(-s);
  system->reduce(quadratic);
  ASSERT_GT(quadratic.norm(), 0);
  const auto solver = make_linear_solver({}, system->num_dofs(), false, true);
  solver->analyze(system->pattern(), system->is_free());
  ASSERT_EQ(solver->factorize(testing::rest_stiffness(*system)), SolveStatus::ok);
  Matrix psi(system->num_dofs(), 1);
  solver->solve(quadratic, psi);
  ASSERT_GT((psi - basis.shapes.leftCols(2) * (basis.weighted.leftCols(2).transpose() * psi)).norm(), 0.1 * psi.norm());
  EXPECT_LT((psi - basis.shapes * (basis.weighted.transpose() * psi)).norm(), 1e-8 * psi.norm());
}

TEST(ModalBasisOfABar, RefusesABodyThatFloats) {
  testing::ElasticBodyOptions options = testing::held_bar();
  options.is_pinned = nullptr;
  const auto system = testing::elastic_body(testing::bar_mesh({3, 1, 1}), options);
  EXPECT_THROW(modal_basis(*system, {3, 6}), Error);
}

TEST(PodBasis, SpansWhatItWasMadeFromAndSaysHowMuchItHolds) {
  const auto system = testing::elastic_body(testing::bar_mesh({4, 1, 1}), testing::held_bar());
  const ReducedBasis modes = *modal_basis(*system, {4, 4});
  Matrix frames(system->num_dofs(), 30);
  for (int i = 0; i < 30; ++i)
    frames.col(i) =
        modes.shapes * Vector::Map(std::array{std::sin(0.3 * i), 0.5 * std::cos(0.7 * i), 0.0, 0.0}.data(), 4);
  const ReducedBasis pod = pod_basis(*system, frames, 10);
  ASSERT_EQ(pod.size(), 2);
  EXPECT_NEAR(pod.captured, 1, 1e-12);
  EXPECT_LT((frames - pod.shapes * (pod.weighted.transpose() * frames)).norm(), 1e-10 * frames.norm());
  EXPECT_LT(pod_basis(*system, frames, 1).captured, 0.95);
  EXPECT_THROW(pod_basis(*system, 0 * frames, 3), Error);
}

}  // namespace
}  // namespace dashpot::test_basis
